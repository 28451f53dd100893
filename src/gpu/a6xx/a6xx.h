/* The command processor of Adreno a6xx: executes the streams that turnip submits for dispatches.
 *
 * A stream is packets of two types. Type 4 sets registers one behind another; type 7 is an
 * operation with words. Headers have parity bits, which are checked. Dispatches run on the
 * emulator (adreno/emu/emu.h) with what the registers and loaded constants say; everything is
 * executed in order and at once. Sources: freedreno's adreno_pm4.xml and a6xx.xml, and what
 * turnip 22.3.6 submits. */
#ifndef GPU_A6XX_A6XX_H
#define GPU_A6XX_A6XX_H

#include "adreno/emu/emu.h"

/* A buffer in the GPU's address space. */
typedef struct gpu_a6xx_buffer {
    uint64_t address, size;
    uint8_t *host;
} gpu_a6xx_buffer;

/* A stream that the kernel is asked to execute. */
typedef struct gpu_a6xx_stream {
    uint64_t address;
    uint32_t dwords;
} gpu_a6xx_stream;

typedef struct gpu_a6xx_submission {
    const gpu_a6xx_buffer *buffers; /* that do not overlap */
    uint32_t n_buffers;
    const gpu_a6xx_stream *streams;
    uint32_t n_streams;
    uint32_t checks;       /* MACH_CHECK_* */
    const char *rules_off; /* as in adreno_dispatch */
    /* Called after each dispatch. */
    void (*ran)(void *user, const adreno_dispatch *d, const mach_report *report);
    void *user;
} gpu_a6xx_submission;

/* Executes a submission. False, with what is wrong, if it has something that is not executed; a
 * dispatch with findings is no reason. */
bool
gpu_a6xx_execute(const gpu_a6xx_submission *s, arena *scratch, char message[160]);

#endif
