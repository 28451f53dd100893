#include "amd/target/graphics.h"

#include "family/pipeline.h"

#include <assert.h>

static uint32_t *
value_of(amd_program *p, uint32_t address)
{
    uint32_t k = 0;
    while (k < p->n_set_regs && p->set_regs[k].address != address)
        k++;
    if (k == p->n_set_regs) {
        assert(k < AMD_MAX_SET_REGS); /* each stage sets fewer */
        p->set_regs[p->n_set_regs++] = (amd_set_reg){.address = address};
    }
    return &p->set_regs[k].value;
}

void
amd_set_register_at(amd_program *p, amd_hw_reg reg, uint32_t dwords, uint32_t v)
{
    uint32_t address = amd_hw_reg_address(reg, p->target->gen);
    if (address)
        *value_of(p, address + 4 * dwords) |= v;
}

void
amd_set_register(amd_program *p, amd_hw_reg reg, uint32_t v)
{
    amd_set_register_at(p, reg, 0, v);
}

void
amd_set_field(amd_program *p, amd_hw_field field, uint32_t v)
{
    amd_set_register(p, amd_hw_field_register(field), amd_hw_field_bits(field, p->target->gen, v));
}

unsigned
amd_add_param(amd_program *p, amd_param param)
{
    assert(p->n_params < AMD_MAX_PARAMS);
    p->params[p->n_params] = param;
    return p->n_params++;
}

/* Where there are hardware vertex shaders, those that capture are such: streamout is theirs (RADV
 * has it so up to gfx10.3). */
static amd_stage
vertex_stage(const ir_fn *f, const amd_target *t, const family_pipeline *pipeline)
{
    bool legacy = amd_has(t, has_vertex_stage), primitive = amd_has(t, has_primitive_shaders);
    bool wanted = pipeline->vertex_kind == FAMILY_VERTEX_PRIMITIVE && !f->shader.captures;
    return !legacy || (primitive && wanted) ? AMD_STAGE_VERTEX_NGG : AMD_STAGE_VERTEX_VS;
}

amd_stage
amd_stage_of(const ir_fn *f, const amd_target *t, const family_pipeline *pipeline)
{
    switch (f->shader.stage) {
    case IR_STAGE_VERTEX: return vertex_stage(f, t, pipeline);
    case IR_STAGE_FRAGMENT: return AMD_STAGE_FRAGMENT_FS;
    default: return AMD_STAGE_COMPUTE_CS;
    }
}

bool
amd_has_arg(const amd_program *p, amd_arg_kind kind)
{
    for (uint32_t k = 0; k < p->n_args; k++) {
        if (p->args[k].kind == kind)
            return true;
    }
    return false;
}

amd_op
amd_end_op(const amd_program *p)
{
    return amd_has_arg(p, AMD_ARG_COLLISION) ? AMD_S_ENDPGM_ORDERED_PS_DONE : AMD_S_ENDPGM;
}
