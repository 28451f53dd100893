/* What a wave of fragments has: varyings, and neighbours in quads of four fibres. */
#ifndef ADRENO_EMU_GRAPHICS_GRAPHICS_H
#define ADRENO_EMU_GRAPHICS_GRAPHICS_H

#include "adreno/emu/core/findings.h"

enum { ADRENO_PLACES = 128, ADRENO_QUADS = ADRENO_MAX_FIBRES / 4 };

/* A component of a varying, of the primitive's vertices; the first one is the provoking one. */
typedef struct adreno_varying {
    uint32_t vertex[3];
    bool defined;
} adreno_varying;

/* How a place of varyings gets its value: VPC_VARYING_PS_REPL_MODE, and on a3xx what
 * VPC_VARYING_INTERP and SP_FS_FLAT_SHAD_MODE say for bary.f (a3xx.xml). */
typedef enum adreno_place_kind {
    ADRENO_PLACE_VERTICES,
    ADRENO_PLACE_PROVOKING,
    ADRENO_PLACE_POINT_X,
    ADRENO_PLACE_POINT_Y,
} adreno_place_kind;

typedef struct adreno_varyings {
    uint32_t n; /* places */
    uint8_t kind[ADRENO_PLACES];
    adreno_varying place[ADRENO_QUADS][ADRENO_PLACES];
    float point[ADRENO_MAX_FIBRES][2]; /* the place in a point */
    unsigned samples;                  /* of a pixel */
} adreno_varyings;

/* Executes bary.f, flat.b and ldlv; derivatives and rgetpos. Return false for others. */
bool
adreno_execute_varying(adreno_wave *w, const adreno_inst *in);
bool
adreno_execute_quad(adreno_wave *w, const adreno_inst *in);

#endif
