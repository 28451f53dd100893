/* Draws: fixed-function graphics driven by the hardware's registers, with waves as shaders.
 *
 * A caller puts everything that shaders reach into a mach_memory (code, descriptors, buffers, the
 * images of attachments, from gfx11 on the attribute ring), writes the registers as a driver does,
 * fills an amd_draw with what the packet of a draw says, and calls amd_draw_run. The register file
 * gives everything else: where each stage's code, its registers and user data are (SPI_SHADER_*),
 * primitives (VGT_*, GE_*), viewports and clipping (PA_*), the pixel shader's inputs and outputs
 * (SPI_*), depth (DB_*), colours (CB_*), border colours (TA_BC_BASE_ADDR). Addresses, names and
 * bits of registers are those of the generation (registers.def).
 *
 * Stages that exist: a vertex shader as hardware VS (up to gfx10.3) or as NGG (from gfx10 on: ES
 * and GS in one, VGT_SHADER_STAGES_EN.PRIMGEN_EN), and a pixel shader. Tessellation, geometry and
 * mesh shaders end the draw with MACH_RUN_UNSUPPORTED.
 *
 * Which registers are read, and what the waves find in theirs, is listed in docs/emulator.md,
 * "Draws".
 */
#ifndef AMD_EMU_DRAW_H
#define AMD_EMU_DRAW_H

#include "amd/emu/emu.h"
#include "amd/registers/registers.h"
#include "machine/raster/draw.h"

/* The parts of a draw that access memory: its vertex shader and the fetch of its indices, its pixel
 * shader, and its results, that is tests of depth and stencil, and colours. */
typedef enum amd_draw_part {
    AMD_DRAW_VERTICES,
    AMD_DRAW_PIXELS,
    AMD_DRAW_RESULTS,
    AMD_DRAW_PARTS,
} amd_draw_part;

/* Is told of what a part has accessed; accesses without a pc are fixed functions'. Bytes may be
 * told of several times. The ring through which parameters pass is left out. */
typedef void
amd_draw_touched_fn(void *user, amd_draw_part part, const amd_emu_touch *t);

/* A draw as packets say it, and how it is run. */
typedef struct amd_draw {
    const char *processor;   /* for the time of a watch; NULL: the generation's usual one */
    uint32_t resident_waves; /* as of amd_emu_dispatch */

    uint32_t count;     /* vertices, or indices */
    uint32_t instances; /* NUM_INSTANCES; none at 0 */
    bool indexed;       /* SOURCE_SELECT of the draw's initiator: indices from memory, or counted */
    uint64_t index_address; /* of the draw's first index */
    uint32_t index_bytes;   /* of an index: 1, 2 or 4 */
    uint32_t max_indices;   /* those behind the first so many are 0 (INDEX_BUFFER_SIZE) */

    /* Images in tiles are laid out as this model does, those of attachments too (emu.h). */
    bool packs_tiles;
    bool packed_d16;   /* gfx810 */
    uint8_t may_retry; /* as of amd_emu_dispatch */
    /* The border colours' table in place of TA_BC_BASE_ADDR; 0: the register's. */
    uint64_t border_colors;

    uint32_t checks; /* MACH_CHECK_* */
    const char *rules_off;
    uint64_t seed;
    uint64_t max_instructions; /* of a wave; 0 means 50 million */
    uint64_t max_total;        /* of all waves of the draw; 0: none */
    struct mach_watch *watch;  /* NULL: none */

    mach_draw_counts *counts; /* what queries count is added to it; NULL: nobody asks */

    amd_draw_touched_fn *touched; /* NULL: nobody is told */
    void *touched_user;
    arena *touches; /* for what is told at the end; `scratch` is given back between batches */
} amd_draw;

enum { AMD_DRAW_NGG_FIRST_USER = 8 /* SGPR of user data of NGG; of other programs: 0 */ };

/* One of a draw's programs, for reports: `*l`, which holds zeros, gets what registers say of it
 * (code, register counts, user data). Returns the SGPR where the user data begins. */
uint32_t
amd_draw_program_of(const amd_hw_registers *regs, bool pixels, amd_emu_dispatch *l);

/* Runs the draw. `scratch` is reset on return to its state at entry. Findings are of vertex waves
 * (group: batch, 0, 0) and pixel waves (group: batch, wave, 1). Returns true if the status is
 * MACH_RUN_DONE and there are no findings. */
bool
amd_draw_run(const amd_draw *d, const amd_hw_registers *regs, const mach_memory *m, arena *scratch,
             mach_report *report);

#endif
