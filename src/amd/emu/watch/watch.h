/* The issue classes that a watched dispatch (machine/watch.h) counts by. */
#ifndef AMD_EMU_WATCH_H
#define AMD_EMU_WATCH_H

#include "amd/emu/emu.h"
#include "machine/watch.h"

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

#endif
