/* The heddle program: a table of subcommands, one file each. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

const cli_command cli_commands[] = {
    {"compile", cmd_compile, "INPUT...", "compile shaders to machine code, or show any step",
     "Text goes to standard output; obj, bin and spirv go to NAME.elf, NAME.bin and NAME.spv in "
     "the\n"
     "current folder. Several inputs or targets give NAME.EXTENSION.TARGET.elf and so on."},
    {"stats", cmd_stats, "INPUT...", "what shaders become, in numbers",
     "Inputs are shaders, or code objects. Keys of --json: docs/cli.md."},
    {"opt", cmd_opt, "FILE", "run single passes over HIR or machine IR as text",
     "FILE is what compile --emit PHASE prints, or written by hand: docs/machine-text.md. The "
     "text\n"
     "behind the last pass goes to standard output."},
    {"disasm", cmd_disasm, "FILE", "print machine code as text",
     "FILE is a code object, of Heddle or of clang for amdhsa, or raw bytes with -t. The text can "
     "be\n"
     "assembled again; behind // stand the address and the bytes."},
    {"run", cmd_run, "SCRIPT|FOLDER|KERNEL...",
     "run Amber scripts or kernels and report PASS, FAIL or SKIP",
     "A kernel is a code object of the AMDHSA ABI, of Heddle or of clang. --arg gives its "
     "arguments\n"
     "in order: a number (42, 1.5f, f32:1,2,3,4) or a buffer (buf:f32,count=64,iota). What these "
     "and\n"
     "--expect may say: docs/cli.md."},
    {"render", cmd_render, "SHADER", "draw a picture with a fragment shader",
     "SHADER is GLSL with #version, HLSL, SPIR-V, or a Shadertoy's text with mainImage. It draws\n"
     "every pixel; what uniforms and textures it finds: docs/cli.md. The picture is written, and\n"
     "findings of the checkers are told with exit code 1."},
    {"bisect", cmd_bisect, "SCRIPT|MODULE",
     "find the pass, and its change, with which a script begins to fail",
     "The script passes on the interpreter and fails on the target; a module's buffers differ. "
     "Prints the pass, and what its\n"
     "change does to the program."},
    {"reduce", cmd_reduce, "MODULE|SCRIPT", "make a SPIR-V module smaller while it still fails",
     "A script must pass on the interpreter and fail on the target; of a module --command says\n"
     "whether it fails. spirv-reduce of SPIRV-Tools makes the candidates."},
    {"asm", cmd_asm, "FILE.s", "assemble text to machine code",
     "The syntax is LLVM's, and what compile --emit asm and disasm print. With --emit obj the new\n"
     "code takes the place of that in the code object that --like names, whose notes stay."},
    {"gpu", cmd_gpu, "dump FILE...|-- COMMAND",
     "run a Vulkan program on a Radeon in software, or print command streams",
     "COMMAND runs with the system's unmodified RADV on a GPU that is emulated; its exit code is\n"
     "the command's, or 1 for findings of the checkers. 'dump' prints a stream (PM4), whose "
     "dwords\n"
     "FILE holds: each packet with its offset, its fields that are not 0, and the registers that\n"
     "it sets."},
    {"targets", cmd_targets, "", "list the targets with their wave sizes, registers and features",
     "Options that take a target also take its codenames and products; case, spaces and dashes do\n"
     "not matter: -t navi21, -t \"RX 6800\"."},
    {"help", cmd_help, "[COMMAND]", "explain heddle or one of its commands", ""},
    {"version", cmd_version, "", "print the version and what was built in", ""},
    {NULL, NULL, NULL, NULL, NULL},
};

const cli_command *
cli_find_command(const char *name)
{
    for (const cli_command *c = cli_commands; c->name; c++) {
        if (strcmp(c->name, name) == 0)
            return c;
    }
    return NULL;
}

int
main(int argc, char **argv)
{
    if (argc < 2) {
        cmd_help(1, argv);
        return CLI_USAGE;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    if (strcmp(name, "--version") == 0)
        name = "version";
    const cli_command *c = cli_find_command(name);
    if (!c)
        return cli_usage_error("unknown command '%s'; see heddle help", name);
    int code = c->run(argc - 1, argv + 1);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        cli_error("heddle", "FILE_WRITE", "cannot write to standard output");
        return code ? code : CLI_FAILED;
    }
    return code;
}
