/* Debug switches about phases: for compiles of every family, and for optimizers of code. */
#ifndef API_SWITCHES_H
#define API_SWITCHES_H

#include "api/api.h"

typedef struct api_switches {
    api_state *s;
    const family_target *target;
    const ir_steps *steps; /* of the target's pipeline */
    ir_pass_run *run;      /* what is requested */
    bool verifies;         /* it was asked for */
    bool prints_code;      /* the same */
} api_switches;

/* The next word of a list, in the call's arena; NULL: there is none. */
const char *
api_next_switch(api_state *s, const char **list);

/* Handles a switch. Returns false if it is none about phases; fails with API_BAD_ARGUMENT if it is
 * a wrong one. */
bool
api_read_switch(api_switches *w, const char *word);

/* Fails with API_BAD_ARGUMENT: `format` has one %s. */
_Noreturn void
api_wrong_switch(const api_switches *w, const char *format, const char *word);

/* Is it a phase behind the target's pipeline? */
bool
api_has_phase(const family_target *t, const char *name);

#endif
