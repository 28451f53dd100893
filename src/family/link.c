/* What the stages of a pipeline tell each other: walks over the instructions that read inputs, and
 * that store outputs. */
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

/* A word of a location that is stored, after others that were: `value` if it is known. */
static void
note_word(family_stage_link *out, uint32_t word, bool known, uint32_t value)
{
    if (word / 4 >= FAMILY_LOCATIONS)
        return;
    family_varying *v = &out->locations[word / 4];
    uint8_t bit = (uint8_t)(1u << word % 4);
    v->constants = (uint8_t)(known ? v->constants | bit : v->constants & ~bit);
    v->value[word % 4] = known ? value : 0;
}

/* Component `c` of what is stored; a vector's components may be known. */
static ir_ref
stored_component(const ir_fn *f, ir_ref value, unsigned c)
{
    ir_ref r = value.comp == IR_WHOLE ? ir_comp(value, c) : value;
    const ir_instr *def = f->values[r.id].def;
    return def->op == IR_vec ? def->refs[r.comp] : r;
}

static void
add_stored(family_stage_link *out, const ir_fn *f, const ir_instr *store)
{
    ir_type t = ir_ref_type(f, store->refs[0]);
    bool wide = ir_type_bits(t) == 64;
    uint32_t word = 4 * ir_attr_get(store, IR_A_LOCATION) + ir_attr_get(store, IR_A_COMPONENT);
    for (unsigned c = 0; c < ir_type_comps(t); c++) {
        uint64_t v = 0;
        bool known = ir_is_const(f, stored_component(f, store->refs[0], c), &v);
        note_word(out, word++, known, (uint32_t)v);
        if (wide)
            note_word(out, word++, known, (uint32_t)(v >> 32));
    }
}

void
family_link_outputs(const ir_fn *f, family_stage_link *out)
{
    memset(out, 0, sizeof *out);
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            if (i->op != IR_store_output)
                continue;
            add_slot(out, i, words_of(ir_ref_type(f, i->refs[0])));
            if (ir_attr_get(i, IR_A_SLOT) == IR_SLOT_location)
                add_stored(out, f, i);
        }
    }
}

void
family_link_constants(const family_stage_link *outputs, family_stage_link *inputs)
{
    for (unsigned k = 0; k < FAMILY_LOCATIONS; k++) {
        family_varying *in = &inputs->locations[k];
        in->constants = in->components & outputs->locations[k].constants;
        memcpy(in->value, outputs->locations[k].value, sizeof in->value);
    }
}
