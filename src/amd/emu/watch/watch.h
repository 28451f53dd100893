/* Watches a dispatch: traces its instructions, dumps registers and memory, counts by issue class.
 * Text goes to functions of the caller. A watched dispatch runs on one thread.
 */
#ifndef AMD_EMU_WATCH_H
#define AMD_EMU_WATCH_H

#include "amd/emu/emu.h"

typedef void
amd_emu_write(void *user, const char *text, size_t size);

/* Selects what is traced and dumped: everything that meets all conditions that are set. */
typedef struct amd_emu_filter {
    bool has_group, has_wave, has_lane, has_pc;
    uint32_t group[3], wave;
    uint32_t lane; /* the lane whose VGPRs are shown */
    uint64_t pc;
} amd_emu_filter;

typedef enum amd_emu_dump_at {
    AMD_EMU_DUMP_END,     /* each wave when it ends, or when the run is stopped in it */
    AMD_EMU_DUMP_FINDING, /* the wave of the first finding, after the instruction */
    AMD_EMU_DUMP_PC,      /* before each execution of the instruction at an address */
} amd_emu_dump_at;

/* Issue classes: X(enumerator, name). Waits include s_nop and related opcodes. */
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

/* Sums over all waves. Lines are not counted for image instructions. */
typedef struct amd_emu_class_count {
    uint64_t instructions;
    uint64_t lanes;    /* active ones, of vector and memory instructions */
    uint64_t bytes;    /* moved */
    uint64_t lines64;  /* number of distinct 64-byte lines that each instruction touches, summed */
    uint64_t lines128; /* the same for 128 bytes */
    /* LDS: 32 banks of 4 bytes; a pass serves lanes with 128 bytes in total. Each further word in a
     * bank that already has one is a conflict. */
    uint64_t conflicts;
} amd_emu_class_count;

typedef struct amd_emu_watch {
    amd_emu_write *trace; /* NULL: none */
    void *trace_user;
    amd_emu_write *dump; /* NULL: none */
    void *dump_user;
    bool dump_registers, dump_memory; /* memory: the group's LDS, and writable regions */
    amd_emu_dump_at dump_at;
    uint64_t dump_pc;
    amd_emu_filter filter;
    bool count;
    amd_emu_class_count counts[AMD_EMU_CLASS_COUNT]; /* the result */
} amd_emu_watch;

#endif
