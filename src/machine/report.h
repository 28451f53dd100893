/* The outcome of a run on an emulated machine: the checkers and their findings, which all emulators
 * share.
 */
#ifndef MACH_REPORT_H
#define MACH_REPORT_H

#include "base/buf.h"

/* Checkers, one bit each. */
enum {
    MACH_CHECK_WAITS = 1,   /* uses of a register while a memory operation on it is pending */
    MACH_CHECK_HAZARDS = 2, /* missing wait states */
    MACH_CHECK_MEMORY = 4,  /* accesses outside allocations, shared memory out of range, misaligned
                                  accesses; unallocated registers, illegal operands */
    MACH_CHECK_UNDEFINED =
        8, /* branches, addresses and stored values that depend on a value never written */
    MACH_CHECK_RACES = 16, /* conflicts between waves without a barrier between them */
    MACH_CHECK_HANGS = 32, /* the instruction limit, barriers that are never reached by all
                                 waves */
    MACH_CHECK_ALL = 63,
};

enum { MACH_MAX_FINDINGS = 16 };

typedef enum mach_status {
    MACH_RUN_DONE,         /* all waves ended (there may be findings) */
    MACH_RUN_BAD_CODE,     /* an instruction that cannot be decoded, or a jump out of the code */
    MACH_RUN_UNSUPPORTED,  /* an instruction that the emulator does not implement */
    MACH_RUN_HANG,         /* instruction limit, or a barrier that can never complete */
    MACH_RUN_STOPPED,      /* too many findings */
    MACH_RUN_TRAPPED,      /* a trap without a handler */
    MACH_RUN_BAD_DISPATCH, /* the dispatch itself is invalid: see message */
} mach_status;

typedef struct mach_finding {
    uint32_t check;    /* MACH_CHECK_*, one bit; 0 for the cause of a run that ended early (bad
                       code, unsupported) */
    uint64_t pc;       /* address of the instruction */
    char text[112];    /* the instruction, disassembled */
    uint32_t group[3]; /* workgroup id */
    uint32_t wave;     /* in the group */
    int32_t lane;      /* the lowest affected lane, or -1 */
    uint32_t count;    /* how often this finding occurred at this instruction */
    char message[320]; /* describes the error */
} mach_finding;

typedef struct mach_report {
    mach_status status;
    uint64_t stopped_at;        /* if status is not MACH_RUN_DONE: the number of the group,
                                   counted from 0 */
    uint32_t n_findings;        /* number of entries in `findings`: one for each checker and
                                   instruction */
    uint64_t total;             /* number of all occurrences */
    uint64_t instructions;      /* executed by all waves */
    uint64_t lane_instructions; /* vector instructions times active lanes */
    uint64_t exports;
    mach_finding findings[MACH_MAX_FINDINGS];
} mach_report;

/* The name of a checker: "waits", "memory" ... And the bits for a comma-separated list of names
 * ("all" and "none" are allowed), or -1. */
const char *
mach_check_name(uint32_t check);
int
mach_parse_checks(const char *names);

/* One finding as a line of text: "memory: pc 0x1234 `load ...` group (0,0,0) wave
 * 1 lane 3: ...". */
void
mach_print_finding(const mach_finding *f, base_buf *out);

#endif
