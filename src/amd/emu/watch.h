/* Watching a dispatch: a trace of its instructions, dumps of registers and memory, counts by issue
 * class. Text goes to functions of the caller. A dispatch that is watched runs on one thread.
 */
#ifndef AMD_EMU_WATCH_H
#define AMD_EMU_WATCH_H

#include "amd/emu/emu.h"

typedef void
amd_emu_write(void *user, const char *text, size_t size);

/* What is traced and dumped: all that meets each condition that is set. */
typedef struct amd_emu_filter {
    bool has_group, has_wave, has_lane, has_pc;
    uint32_t group[3], wave;
    uint32_t lane; /* whose VGPRs are shown */
    uint64_t pc;
} amd_emu_filter;

typedef enum amd_emu_dump_at {
    AMD_EMU_DUMP_END,     /* each wave when it ends, or when the run is stopped in it */
    AMD_EMU_DUMP_FINDING, /* the wave of the first finding, behind the instruction */
    AMD_EMU_DUMP_PC,      /* before each execution of the instruction at an address */
} amd_emu_dump_at;

/* Issue classes: X(enumerator, name). Waits are s_nop and its like too. */
#define AMD_EMU_CLASSES(X)                                                                         \
    X(SALU, "salu")                                                                                \
    X(BRANCH, "branch")                                                                            \
    X(WAIT, "wait")                                                                                \
    X(SMEM, "smem")                                                                                \
    X(VALU, "valu")                                                                                \
    X(LDS, "lds")                                                                                  \
    X(BUFFER, "buffer")                                                                            \
    X(IMAGE, "image")                                                                              \
    X(FLAT, "flat")                                                                                \
    X(GLOBAL, "global")                                                                            \
    X(SCRATCH, "scratch")                                                                          \
    X(EXPORT, "export")

typedef enum amd_emu_class {
#define X(id, name) AMD_EMU_CLASS_##id,
    AMD_EMU_CLASSES(X)
#undef X
        AMD_EMU_CLASS_COUNT,
} amd_emu_class;

const char *amd_emu_class_name(amd_emu_class class);

/* Sums over all waves. Of image instructions no lines are counted. */
typedef struct amd_emu_class_count {
    uint64_t instructions;
    uint64_t lanes;    /* active ones, of vector and memory instructions */
    uint64_t bytes;    /* moved */
    uint64_t lines64;  /* distinct lines of 64 bytes that each instruction touches, added up */
    uint64_t lines128; /* of 128 bytes */
    /* LDS: 32 banks of 4 bytes, 128 bytes' worth of lanes at a time; a conflict is each further
     * word of a bank that has one already. */
    uint64_t conflicts;
} amd_emu_class_count;

typedef struct amd_emu_watch {
    amd_emu_write *trace; /* NULL: none */
    void *trace_user;
    amd_emu_write *dump; /* NULL: none */
    void *dump_user;
    bool dump_registers, dump_memory; /* memory: the group's LDS, and regions that may be written */
    amd_emu_dump_at dump_at;
    uint64_t dump_pc;
    amd_emu_filter filter;
    bool count;
    amd_emu_class_count counts[AMD_EMU_CLASS_COUNT]; /* the result */
} amd_emu_watch;

#endif
