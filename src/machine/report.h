/* The outcome of a run on an emulated machine: the checkers, their rules and findings, which all
 * emulators share.
 *
 * A finding names the rule that was broken. Findings of the same rule at the same instruction and,
 * where they are about memory, on the same resource are one entry, which counts them. A report has
 * them in the order in which they occurred; they are listed by cause (mach_order_findings).
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

enum { MACH_MAX_FINDINGS = 256 };

/* A rule of a checker. */
typedef struct mach_rule {
    uint32_t check;    /* MACH_CHECK_*, one bit */
    const char *name;  /* stable */
    const char *text;  /* what breaks it */
    const char *clang; /* in which way code of clang is known to break it; NULL: in none */
} mach_rule;

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
    const char *rule;  /* the rule's name; NULL: none */
    char resource[48]; /* the memory that the finding is about; "": none */
    uint64_t pc;       /* address of the instruction */
    char text[112];    /* the instruction, disassembled */
    uint32_t group[3]; /* workgroup id */
    uint32_t wave;     /* in the group */
    int32_t lane;      /* the lowest affected lane, or -1 */
    uint32_t count;    /* how often it occurred */
    char message[320]; /* describes the error */
} mach_finding;

typedef struct mach_report {
    mach_status status;
    uint64_t stopped_at;        /* if status is not MACH_RUN_DONE: the number of the group,
                                   counted from 0 */
    uint32_t n_findings;        /* number of entries in `findings` */
    uint64_t total;             /* number of all occurrences */
    uint64_t instructions;      /* executed by all waves */
    uint64_t lane_instructions; /* vector instructions times active lanes */
    uint64_t exports;
    mach_finding findings[MACH_MAX_FINDINGS];
} mach_report;

/* The name of a checker, "waits", "memory" ..., and what it finds, in a sentence. */
const char *
mach_check_name(uint32_t check);
const char *
mach_check_text(uint32_t check);

/* The bit of the checker with this name of `length` bytes, MACH_CHECK_ALL for "all", 0 for "none",
 * or -1. */
int
mach_find_check(const char *name, size_t length);

/* Is the name in a list with commas? NULL is an empty list. */
bool
mach_is_listed(const char *list, const char *name);

/* The rules of such a list, a bit each. */
uint64_t
mach_find_rules(const char *list, const mach_rule *rules, uint32_t n);

/* Is it the same entry of a report: rule, instruction and resource? */
bool
mach_is_same_finding(const mach_finding *a, const mach_finding *b);

/* Adds a finding to those that it is the same as; false if there are none. The texts of a finding
 * are not looked at. */
bool
mach_repeat_finding(mach_report *r, const mach_finding *f);

/* Adds a finding to those that it is the same as, or as a new entry. Returns false if there is no
 * room. */
bool
mach_add_finding(mach_report *r, const mach_finding *f);

/* Makes it the report of a run that ended early, in a group. Returns the entry for the reason, in
 * the place of another if there is no room. */
mach_finding *
mach_report_end(mach_report *r, mach_status status, uint64_t group);

/* Makes it the report of a draw that did not run, since it has what is not built. */
void
mach_report_unsupported_draw(mach_report *r, const char *what);

/* Fills `order` with the numbers of at most `limit` of the report's findings by cause: those that
 * may be the reason for others come first. What ended the run is never left out, unless `limit` is
 * 0. Returns their number. */
uint32_t
mach_order_findings(const mach_report *r, uint32_t limit, uint32_t order[MACH_MAX_FINDINGS]);

/* Appends how many findings a list of the first `shown` leaves out. Returns false if none. */
bool
mach_print_left_out(const mach_report *r, uint32_t shown, base_buf *out);

/* One finding as a line of text: "memory: pc 0x1234 `load ...` group (0,0,0) wave
 * 1 lane 3: ... [load-bounds]". */
void
mach_print_finding(const mach_finding *f, base_buf *out);

#endif
