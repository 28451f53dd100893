/* What the stages of a pipeline tell each other: walks over the instructions that read inputs, and
 * that store outputs. */
#include "family/pipeline.h"

#include "ir/builder.h"

#include <string.h>

enum { WORDS = 4 * FAMILY_LOCATIONS };

/* Adds what an instruction with a slot reads or writes, `words` components. */
static void
add_slot(family_stage_link *out, const ir_instr *i, unsigned words)
{
    uint32_t slot = ir_attr_get(i, IR_A_SLOT), location = ir_attr_get(i, IR_A_LOCATION);
    uint32_t mask = ((1u << words) - 1) << ir_attr_get(i, IR_A_COMPONENT);
    out->slots |= 1u << slot;
    if (slot == IR_SLOT_clip_distance)
        out->clip_distances |= (uint8_t)(mask << 4 * location);
    else if (slot == IR_SLOT_cull_distance)
        out->cull_distances |= (uint8_t)(mask << 4 * location);
    else if (slot == IR_SLOT_location) /* bits from 4 on belong to the next location */
        for (; mask && location < FAMILY_LOCATIONS; location++, mask >>= 4)
            out->locations[location].components |= (uint8_t)(mask & 15);
}

/* ---- inputs ---- */

static uint8_t
way_of(const ir_fn *f, const ir_instr *load)
{
    enum { FLAT = 1, BY_WEIGHTS, AT_BITS = 2 };
    if (ir_type_bits(f->values[load->defs[0].id].type) != 32)
        return FAMILY_WAY_SEVERAL;
    if (load->op == IR_load_input)
        return FLAT;
    if (load->op != IR_load_interpolated_input)
        return FAMILY_WAY_SEVERAL;
    const ir_instr *weights = f->values[load->refs[0].id].def;
    if (weights->op != IR_load_barycentric)
        return FAMILY_WAY_SEVERAL;
    return (uint8_t)(BY_WEIGHTS + (ir_attr_get(weights, IR_A_INTERP) << AT_BITS |
                                   ir_attr_get(weights, IR_A_INTERP_AT)));
}

static void
add_input(family_stage_link *out, const ir_fn *f, const ir_instr *load)
{
    const unsigned words = ir_type_parts(f->values[load->defs[0].id].type);
    const uint8_t way = way_of(f, load);
    add_slot(out, load, words);
    if (ir_attr_get(load, IR_A_SLOT) != IR_SLOT_location)
        return;
    const unsigned first = ir_attr_get(load, IR_A_LOCATION);
    const unsigned end = first + (ir_attr_get(load, IR_A_COMPONENT) + words + 3) / 4;
    for (unsigned k = first; k < end && k < FAMILY_LOCATIONS; k++) {
        family_varying *v = &out->locations[k];
        v->way = !v->way || v->way == way ? way : FAMILY_WAY_SEVERAL;
    }
}

void
family_link_inputs(const ir_fn *f, family_stage_link *out)
{
    memset(out, 0, sizeof *out);
    IR_FOREACH_INSTR_OF(i, f)
        if (family_reads_input(i))
            add_input(out, f, i);
}

/* ---- outputs ---- */

/* What is stored to a word of a location last: 32 bits of a component. */
typedef struct stored {
    ir_ref ref; /* NONE: nothing */
    unsigned shift;
} stored;

static void
note_stored(stored *words, const ir_fn *f, const ir_instr *store)
{
    const ir_type t = ir_ref_type(f, store->refs[0]);
    const unsigned each = ir_type_bits(t) == 64 ? 2 : 1, n = ir_type_parts(t);
    const uint32_t at = 4 * ir_attr_get(store, IR_A_LOCATION) + ir_attr_get(store, IR_A_COMPONENT);
    for (unsigned k = 0; k < n && at + k < WORDS; k++) {
        const ir_ref whole = store->refs[0];
        const ir_ref r = whole.comp == IR_WHOLE ? ir_comp(whole, k / each) : whole;
        words[at + k] = (stored){.ref = ir_look_through(f, r), .shift = k % each * 32};
    }
}

static bool
is_same(const stored *a, const stored *b)
{
    return ir_same_ref(a->ref, b->ref) && a->shift == b->shift;
}

/* Says which words are constants, and which the same as an earlier one. */
static void
compare_stored(const ir_fn *f, const stored *words, family_stage_link *out)
{
    for (unsigned k = 0; k < WORDS; k++) {
        family_varying *v = &out->locations[k / 4];
        uint64_t value;
        if (words[k].ref.kind == IR_REF_NONE)
            continue;
        if (ir_is_const(f, words[k].ref, &value)) {
            v->constants |= (uint8_t)(1u << k % 4);
            v->value[k % 4] = (uint32_t)(value >> words[k].shift);
            continue;
        }
        unsigned first = 0;
        while (!is_same(&words[first], &words[k]))
            first++;
        v->same[k % 4] = (uint16_t)(first < k ? first + 1 : 0);
    }
}

void
family_link_outputs(const ir_fn *f, family_stage_link *out)
{
    stored words[WORDS];
    memset(words, 0, sizeof words);
    memset(out, 0, sizeof *out);
    IR_FOREACH_INSTR_OF(i, f) {
        if (i->op != IR_store_output)
            continue;
        add_slot(out, i, ir_type_parts(ir_ref_type(f, i->refs[0])));
        if (ir_attr_get(i, IR_A_SLOT) == IR_SLOT_location)
            note_stored(words, f, i);
    }
    compare_stored(f, words, out);
}

/* ---- both ---- */

/* The first word that is read in the same way as word `k`, and has the same number; `k`: none. */
static unsigned
first_same(const family_stage_link *outputs, const family_stage_link *inputs, unsigned k)
{
    const uint8_t way = inputs->locations[k / 4].way;
    const unsigned value = outputs->locations[k / 4].same[k % 4];
    if (!value || !way || way == FAMILY_WAY_SEVERAL)
        return k;
    for (unsigned first = value - 1; first < k; first++) {
        const family_varying *v = &inputs->locations[first / 4];
        const unsigned same = outputs->locations[first / 4].same[first % 4];
        if ((same ? same : first + 1) == value && v->way == way && v->components >> first % 4 & 1)
            return first;
    }
    return k;
}

void
family_link_stages(const family_stage_link *outputs, family_stage_link *inputs)
{
    for (unsigned k = 0; k < FAMILY_LOCATIONS; k++) {
        family_varying *in = &inputs->locations[k];
        in->constants = in->components & outputs->locations[k].constants;
        memcpy(in->value, outputs->locations[k].value, sizeof in->value);
    }
    for (unsigned k = 0; k < WORDS; k++) {
        const unsigned first = first_same(outputs, inputs, k);
        inputs->locations[k / 4].same[k % 4] = (uint16_t)(first == k ? 0 : first + 1);
    }
}
