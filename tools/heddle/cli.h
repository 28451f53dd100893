/* Shared by the subcommands: the table of commands and the option parser.
 *
 * A command describes its options as rows that point to the variables for their values. The parser,
 * the command's --help and the man page are all generated from these rows.
 */
#ifndef CLI_H
#define CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/heddle.h>

/* Exit codes. They are stable, because other programs rely on them. */
enum {
    CLI_OK = 0,
    CLI_FAILED = 1,   /* an error in the input, or a failed test */
    CLI_USAGE = 2,    /* wrong options */
    CLI_INTERNAL = 3, /* a defect of Heddle */
};

/* A growing list of strings: the operands, or the values of an option that may be given several
 * times. */
typedef struct cli_list {
    const char **items; /* malloc'd; lives as long as the process */
    size_t count;
} cli_list;

typedef enum cli_kind {
    CLI_FLAG,   /* bool: no value */
    CLI_TEXT,   /* const char *: any value */
    CLI_NUMBER, /* unsigned: decimal, or hexadecimal after 0x */
    CLI_CHOICE, /* const char *: one of `choices` */
    CLI_LIST,   /* cli_list: may be given several times */
} cli_kind;

typedef struct cli_option {
    char letter;      /* 0: long name only */
    const char *name; /* NULL: letter only; "-std": spelled with one dash */
    cli_kind kind;
    void *value;
    const char *argument; /* the argument's name in the help, NULL for flags */
    const char *help;     /* NULL: another spelling, which the help does not show */
    const char *choices;  /* CLI_CHOICE: words separated by | */
} cli_option;

typedef struct cli_command {
    const char *name;
    int (*run)(int argc, char **argv); /* argv[0] is the command's name; returns the exit code */
    const char *operands;              /* "INPUT..." */
    const char *summary;               /* one line */
    const char *description;           /* paragraphs for the help */
} cli_command;

/* Parses `argv[1..]` by `options` and appends operands to `operands`. Returns -1 if the command
 * should continue, else the exit code: CLI_OK after --help, CLI_USAGE after a message. */
int
cli_parse(const cli_option *options, size_t count, int argc, char **argv, cli_list *operands);

/* Appends to a list; frees its memory, but not that of its items. */
void
cli_list_add(cli_list *list, const char *item);
void
cli_list_free(cli_list *list);

/* Frees the memory that cli_parse added to `operands` and to the options' lists. */
void
cli_release(const cli_option *options, size_t count, cli_list *operands);

/* All commands, in the order of the help; the last row's name is NULL. */
extern const cli_command cli_commands[];

/* The row called `name`, or NULL. */
const cli_command *
cli_find_command(const char *name);

/* Prints "WHERE: error: ... [NAME]" to stderr and returns CLI_FAILED. tests/bad has a case
 * for each NAME. */
int
cli_error(const char *where, const char *name, const char *format, ...);

/* Says that there is no memory, and ends the process with CLI_INTERNAL. */
void
cli_out_of_memory(void);

/* Prints "heddle: error: ... [USAGE]" to stderr and returns CLI_USAGE. */
int
cli_usage_error(const char *format, ...);

/* Is it FILE.words, the words of machine code in hexadecimal? */
bool
cli_has_words(const char *path);

/* Turns the text of words, 8 or 16 hexadecimal digits each, into their bytes, in place. Returns
 * false if it has something else. */
bool
cli_decode_words(uint8_t *bytes, size_t *size);

/* Reads a whole file ("-": standard input) into malloc'd memory, with a zero byte appended that is
 * not counted. On failure returns false after a message to stderr (the quiet variant prints none).
 */
bool
cli_read_file(const char *path, uint8_t **data, size_t *size);
bool
cli_read_file_quietly(const char *path, uint8_t **data, size_t *size);

/* Writes a whole file ("-": standard output). On failure returns false after a message. */
bool
cli_write_file(const char *path, const void *data, size_t size);

/* Makes a folder and those around it, if they are missing. On failure returns false after a message.
 */
bool
cli_make_folder(const char *path);

/* Makes a context whose diagnostics go to stderr. Returns NULL, after a message, if there is no
 * memory. */
heddle_context *
cli_context(void);

/* The same, with another function for the diagnostics. */
heddle_context *
cli_context_with(void (*diagnostic)(void *user, const heddle_diagnostic *d), void *user);

/* The exit code for a result. HEDDLE_ERROR_ARGUMENT is a usage error, because the arguments come
 * from options. */
int
cli_exit_code(heddle_result result);

/* The worse of two exit codes. */
int
cli_worse(int a, int b);

/* Is this a phase of any target's pipeline, "gvn" or "gvn.2"? (phases.c) */
bool
cli_is_phase(const char *name);

/* Prints the phases of a target in pipeline order, a line each with what it does. */
int
cli_list_phases(const char *target);

/* The subcommands, one file each. */
int
cmd_asm(int argc, char **argv);
int
cmd_bisect(int argc, char **argv);
int
cmd_compile(int argc, char **argv);
int
cmd_disasm(int argc, char **argv);
int
cmd_gpu(int argc, char **argv);
int
cmd_help(int argc, char **argv);
int
cmd_opt(int argc, char **argv);
int
cmd_reduce(int argc, char **argv);
int
cmd_render(int argc, char **argv);
int
cmd_run(int argc, char **argv);
int
cmd_stats(int argc, char **argv);
int
cmd_targets(int argc, char **argv);
int
cmd_version(int argc, char **argv);

#endif
