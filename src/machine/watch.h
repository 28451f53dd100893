/* Watches a dispatch: traces its instructions, dumps registers and memory, counts by issue class.
 * Text goes to functions of the caller. A watched dispatch runs on one thread.
 */
#ifndef MACH_WATCH_H
#define MACH_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MACH_MAX_CLASSES = 16, MACH_MAX_UNITS = 12 };

typedef void
mach_write(void *user, const char *text, size_t size);

/* Selects what is traced and dumped: everything that meets all conditions that are set. */
typedef struct mach_filter {
    bool has_group, has_wave, has_lane, has_pc;
    uint32_t group[3], wave;
    uint32_t lane; /* the lane whose registers are shown */
    uint64_t pc;
} mach_filter;

typedef enum mach_dump_at {
    MACH_DUMP_END,     /* each wave when it ends, or when the run is stopped in it */
    MACH_DUMP_FINDING, /* the wave of the first finding, after the instruction */
    MACH_DUMP_PC,      /* before each execution of the instruction at an address */
} mach_dump_at;

/* Sums over all waves. Lines are not counted for image instructions. */
typedef struct mach_class_count {
    uint64_t instructions;
    uint64_t lanes;    /* active ones, of vector and memory instructions */
    uint64_t bytes;    /* moved */
    uint64_t lines64;  /* number of distinct 64-byte lines that each instruction touches, summed */
    uint64_t lines128; /* the same for 128 bytes */
    /* Shared memory of 32 banks of 4 bytes: a pass serves lanes with 128 bytes in total. It takes a
     * cycle for each word that it wants of the busiest bank; all but the first are conflicts. */
    uint64_t conflicts;
} mach_class_count;

/* Time by the machine's model (docs/machine-model.md), summed over dispatches. */
typedef struct mach_time {
    uint64_t waves;
    uint64_t wave_cycles;          /* of each wave as if it ran alone, summed */
    uint64_t busy[MACH_MAX_UNITS]; /* cycles of each unit, by unit of the emulator */
    uint64_t cycles; /* of each dispatch if one SIMD ran all its waves, summed: the busiest unit's,
                        or the waves' own divided by those that it holds at once */
} mach_time;

/* Registers to fill with garbage before each instruction of a piece of code: those that are not
 * live, by the family's numbers (family/effects.h). */
typedef struct mach_poison {
    uint64_t first;              /* address of the code */
    size_t n_dwords;             /* of it */
    uint32_t n_registers;        /* none is filled from this number on */
    const uint64_t *const *live; /* by dword: the bits of the live ones before the instruction
                                    that begins there; NULL: nothing is filled */
} mach_poison;

/* A descriptor that an instruction uses, as the scalar registers hold it. */
typedef enum mach_descriptor_kind {
    MACH_DESCRIPTOR_BUFFER,
    MACH_DESCRIPTOR_IMAGE,
    MACH_DESCRIPTOR_SAMPLER,
} mach_descriptor_kind;

typedef struct mach_descriptor {
    mach_descriptor_kind kind;
    uint64_t pc;       /* of the instruction */
    uint32_t reg;      /* the first register */
    uint32_t words[8]; /* n_words of them */
    uint32_t n_words;
    uint64_t from; /* the address that the words were loaded from; 0: they were made otherwise */
} mach_descriptor;

typedef void
mach_note_descriptor(void *user, const mach_descriptor *d);

typedef struct mach_watch {
    const mach_poison *poison; /* NULL: none */
    mach_write *trace;         /* NULL: none */
    void *trace_user;
    mach_note_descriptor *descriptor; /* NULL: none */
    void *descriptor_user;
    mach_write *dump; /* NULL: none */
    void *dump_user;
    bool dump_registers, dump_memory; /* memory: the group's shared memory, and writable regions */
    mach_dump_at dump_at;
    uint64_t dump_pc;
    mach_filter filter;
    bool count;
    mach_class_count counts[MACH_MAX_CLASSES]; /* the result, by class of the emulator */
    mach_time time;                            /* the same */
} mach_watch;

#endif
