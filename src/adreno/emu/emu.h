/* An emulator of Adreno's shader cores: runs the machine code of a compute dispatch.
 *
 * The caller puts everything that the shader can reach into a mach_memory (code, descriptor sets,
 * buffers, images), fills an adreno_dispatch with what a command stream sets, and calls
 * adreno_emu_run. All waves of a workgroup run at a time, in an order that `seed` determines;
 * groups run one after another. Memory instructions take effect when they are issued; the checkers
 * find programs that rely on this: results that are used without (sy), (ss) or the delay that they
 * need.
 *
 *   run/    the loop over groups and waves
 *   check/  delays and (ss), (sy); undefined values; races
 *   flow/   control flow, predication, barriers
 *   image/  category 5 and typed accesses
 *   mem/    categories 6 on memory
 *   alu/    categories 1 to 4
 *   core/   a wave, findings
 *   desc/   descriptors */
#ifndef ADRENO_EMU_EMU_H
#define ADRENO_EMU_EMU_H

#include "adreno/emu/desc/old.h"
#include "adreno/isa/isa.h"
#include "machine/memory.h"
#include "machine/report.h"

enum {
    ADRENO_MAX_SETS = 8,
    ADRENO_EMU_NO_REG = 0xff,
    ADRENO_EMU_CONSTS = 2048, /* dwords of the constant file that instructions can name */
    ADRENO_DESCRIPTOR_BYTES = 64,
};

/* A storage buffer or image before a6xx: of images SSBO_0 (pitch, pitch of layers, bytes of a
 * texel), SSBO_1 (format, width, height, depth; of a buffer its dwords, in the upper half of the
 * first word and the lower half of the second one), and the address. */
typedef struct adreno_slot_words {
    uint32_t pitch, array_pitch, bytes;
    uint32_t word[2];
    uint32_t address_low, address_high;
} adreno_slot_words;

typedef struct adreno_dispatch {
    uint8_t gen;
    bool intersects_rays; /* the chip has ray_intersection */
    uint64_t entry;       /* the region that holds it is the code */
    uint32_t wave_size;
    uint32_t group_size[3], groups[3];
    /* Numbers of registers, three each; ADRENO_EMU_NO_REG: none. */
    uint8_t local_id, workgroup_id;
    uint32_t n_full, n_half; /* registers that the program may use; 0: all */
    uint32_t local_bytes;    /* per group */
    uint32_t private_bytes;  /* per fibre */
    uint32_t branch_stack;   /* points of reconvergence that may be outstanding; 0: any number */
    bool early_preamble;     /* the preamble runs before the wave has registers of its fibres */
    const uint32_t *consts;
    uint32_t n_consts;
    const uint8_t *consts_given;    /* 1 for each that has a value; NULL: all have */
    uint64_t sets[ADRENO_MAX_SETS]; /* bindless bases; 0: none */
    uint64_t buffers;               /* descriptors that instructions name without a base */
    uint32_t n_buffers;
    uint64_t border_colors; /* a6xx and later: the table of border colours; 0: none */
    /* Before a6xx, by number: storage buffers and images; textures, samplers. */
    const adreno_slot_words *slots;
    uint32_t n_slots;
    const adreno_old_texture *textures;
    uint32_t n_textures;
    const adreno_old_sampler *samplers;
    uint32_t n_samplers;
    uint32_t address_high; /* a4xx, whose addresses have 32 bits: what is above them here */

    uint32_t checks;           /* MACH_CHECK_* */
    const char *rules_off;     /* names of rules that are not checked, with commas; NULL: none */
    uint64_t seed;             /* 0: waves run in turn from barrier to barrier */
    uint64_t max_instructions; /* per wave; 0: 50 million */
} adreno_dispatch;

/* Rule number `index` of the checkers, from 0. Returns false behind the last. */
bool
adreno_emu_get_rule(uint32_t index, mach_rule *out);

/* Runs the dispatch. `scratch` is reset to its state at entry. Returns true if it ended without
 * findings. */
bool
adreno_emu_run(const adreno_dispatch *d, const mach_memory *m, arena *scratch, mach_report *report);

#endif
