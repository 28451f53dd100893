/* What two stages tell each other: a walk over the instructions that read inputs or store outputs.
 *
 * The last store to a component counts, so a component is constant only if it is stored once, or
 * each time with the same bits.
 */
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

/* ---- outputs ---- */

/* Notes whether component `c` of a stored value, at component `at` of its location, is constant. */
static void
add_constant(const ir_fn *f, family_varying *to, ir_ref value, unsigned at)
{
    uint64_t v;
    bool known = ir_is_const(f, value, &v);
    bool again = to->components >> at & 1;
    if (!known || (again && (!(to->constants >> at & 1) || to->value[at] != (uint32_t)v))) {
        to->constants &= (uint8_t) ~(1u << at);
        return;
    }
    to->constants |= (uint8_t)(1u << at);
    to->value[at] = (uint32_t)v;
}

static void
add_output(const ir_fn *f, const ir_instr *i, family_stage_link *out)
{
    ir_ref value = i->refs[0];
    ir_type t = ir_ref_type(f, value);
    uint32_t location = ir_attr_get(i, IR_A_LOCATION), first = ir_attr_get(i, IR_A_COMPONENT);
    bool is_varying = ir_attr_get(i, IR_A_SLOT) == IR_SLOT_location && ir_type_bits(t) != 64;
    for (unsigned c = 0; is_varying && c < ir_type_comps(t); c++) {
        unsigned at = first + c;
        ir_ref one = value.comp == IR_WHOLE ? ir_comp(value, c) : value;
        if (location + at / 4 < FAMILY_LOCATIONS)
            add_constant(f, &out->locations[location + at / 4], one, at % 4);
    }
    add_slot(out, i, words_of(t));
}

void
family_link_outputs(const ir_fn *f, family_stage_link *out)
{
    memset(out, 0, sizeof *out);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op == IR_store_output)
                add_output(f, i, out);
        }
    }
}
