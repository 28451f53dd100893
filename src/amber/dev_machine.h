/* A family's compiler and emulator as a device: runs scripts on the machine code. */
#ifndef AMBER_DEV_MACHINE_H
#define AMBER_DEV_MACHINE_H

#include "amber/device.h"
#include "family/pipeline.h"
#include "machine/watch.h"
#include "object/object.h"

typedef struct amber_machine_options {
    uint32_t wave_size; /* used if a script does not require one; 0: the target's default */
    uint32_t checks;    /* MACH_CHECK_* */
    /* names of rules that are not checked, with commas; NULL: none */
    const char *rules_off;
    /* Receives the findings of a dispatch by cause, each as a line, at most `max_findings` and then
     * a line that says how many are left out. NULL: they are dropped. */
    void (*tell)(void *user, const char *line);
    void *tell_user;
    uint32_t max_findings;
    uint64_t seed; /* of the order of waves */
    obj_abi abi;
    family_vertex_kind vertex_kind;
    /* Steps of the compiler behind and before which `printed` gets the program as text (ir/pass.h);
     * NULL: none. */
    const char *print, *print_before;
    void (*printed)(void *user, const char *step, const char *text, size_t size);
    void *printed_user;
    /* The text of other code for the shader of that id (family/compile.h). NULL: there is none. */
    const char *(*find_code)(void *user, const char *id, size_t *size);
    void *find_user;
    /* Debug switches, bisect=N, skip=PASS, disasm, those of the family, as in HEDDLE_DEBUG
     * (docs/cli.md): words separated by commas; those that are not known are dropped. NULL:
     * none. */
    const char *switches;
    bool poison;       /* registers that the live-register view says are not live, before each
                         instruction */
    mach_watch *watch; /* counts what all dispatches execute; NULL: nothing is counted */
    const char *skip;  /* passes to skip: names separated by commas; NULL: none */
} amber_machine_options;

/* Makes a device in `a`. Returns NULL if there is no target of that name, or none that compiles and
 * has an emulator that runs shaders. */
amber_device *
amber_machine_open(arena *a, const char *target, const amber_machine_options *options);

#endif
