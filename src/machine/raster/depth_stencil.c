#include "machine/raster/output.h"

static unsigned
operate(mach_stencil_op op, uint8_t stored, uint8_t reference)
{
    switch (op) {
    case MACH_STENCIL_ZERO: return 0;
    case MACH_STENCIL_REPLACE: return reference;
    case MACH_STENCIL_INCREMENT_CLAMP: return stored < UINT8_MAX ? stored + 1u : UINT8_MAX;
    case MACH_STENCIL_DECREMENT_CLAMP: return stored ? stored - 1u : 0;
    case MACH_STENCIL_INVERT: return ~(unsigned)stored;
    case MACH_STENCIL_INCREMENT_WRAP: return stored + 1u;
    case MACH_STENCIL_DECREMENT_WRAP: return stored - 1u;
    default: return stored;
    }
}

bool
mach_test_sample(const mach_depth_stencil *s, bool back, double depth, mach_depth_sample *stored)
{
    const mach_stencil *t = &s->stencil[back];
    unsigned mask = t->compare_mask, write = t->write_mask;
    bool stencil = !s->stencil_test ||
                   mach_compare_passes((mach_compare)t->compare, t->reference & mask,
                                       stored->stencil & mask);
    bool near = !s->depth_test ||
                mach_compare_passes((mach_compare)s->depth_compare, depth, stored->depth);
    if (s->stencil_test) {
        unsigned op = !stencil ? t->fail : !near ? t->depth_fail : t->pass;
        unsigned value = operate((mach_stencil_op)op, stored->stencil, t->reference);
        stored->stencil = (uint8_t)((stored->stencil & ~write) | (value & write));
    }
    if (stencil && near && s->depth_test && s->depth_write)
        stored->depth = depth;
    return stencil && near;
}
