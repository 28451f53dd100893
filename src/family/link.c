/* What a fragment shader tells the stage before: a walk over the instructions that read inputs. */
#include "family/pipeline.h"

#include <string.h>

/* The 32-bit components of a value, as inputs and outputs count them. */
static unsigned
words_of(ir_type t)
{
    return ir_type_comps(t) * (ir_type_bits(t) == 64 ? 2 : 1);
}

/* Adds `mask`, whose bits from 4 on belong to the next location. */
static void
add_components(family_stage_link *out, uint32_t location, uint32_t mask)
{
    for (; mask && location < FAMILY_LOCATIONS; location++, mask >>= 4)
        out->locations[location].components |= (uint8_t)(mask & 15);
}

/* Adds what an instruction with a slot reads or writes, `words` components. */
static void
add_slot(family_stage_link *out, const ir_instr *i, unsigned words)
{
    uint32_t slot = ir_attr_get(i, IR_A_SLOT), location = ir_attr_get(i, IR_A_LOCATION);
    uint32_t mask = ((1u << words) - 1) << ir_attr_get(i, IR_A_COMPONENT);
    out->slots |= 1u << slot;
    if (slot == IR_SLOT_location)
        add_components(out, location, mask);
    else if (slot == IR_SLOT_clip_distance)
        out->clip_distances |= (uint8_t)(mask << 4 * location);
    else if (slot == IR_SLOT_cull_distance)
        out->cull_distances |= (uint8_t)(mask << 4 * location);
}

void
family_link_inputs(const ir_fn *f, family_stage_link *out)
{
    memset(out, 0, sizeof *out);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op == IR_load_input || i->op == IR_load_interpolated_input ||
                i->op == IR_load_vertex_input)
                add_slot(out, i, words_of(f->values[i->defs[0].id].type));
        }
    }
}
