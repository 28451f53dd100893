/* A stage as the other stage of its pipeline lets it be, before it is optimised.
 *
 *     32x2 %1 = @load_input {location 1}       32 %3 = load_const 0x3f800000
 *     ... %1.x ... %1.y                   ->   32 %4 = @load_input {location 0, component 2}
 *                                              ... %3 ... %4
 *
 * where the vertex shader writes 1.0 to the first component, and to the second one the number that
 * it has at location 0, too. It then stores neither. One walk.
 */
#include "family/pipeline.h"

#include "base/bits.h"
#include "ir/builder.h"
#include "ir/replace.h"

typedef struct linker {
    ir_fn *f;
    const family_pipeline *p;
    ir_builder b;
    ir_replacement map;
} linker;

/* The components of a value that an instruction with a slot reads or stores: where they are. */
typedef struct row {
    unsigned bits, n;
    unsigned words; /* of a component */
    unsigned first; /* word of the locations */
} row;

static row
row_of(const ir_instr *i, ir_type t)
{
    const unsigned bits = ir_type_bits(t);
    return (row){.bits = bits,
                 .n = ir_type_comps(t),
                 .words = bits == 64 ? 2 : 1,
                 .first = 4 * ir_attr_get(i, IR_A_LOCATION) + ir_attr_get(i, IR_A_COMPONENT)};
}

static void
set_place(ir_instr *i, unsigned word)
{
    ir_attr_set(i, IR_A_LOCATION, word / 4);
    ir_attr_set(i, IR_A_COMPONENT, word % 4);
}

/* The word that is read instead of this one. */
static unsigned
source_of(const linker *l, unsigned word)
{
    if (!l->p->has_previous || !l->p->has_next || word / 4 >= FAMILY_LOCATIONS)
        return word;
    const unsigned same = l->p->next.locations[word / 4].same[word % 4];
    return same ? same - 1 : word;
}

/* ---- inputs ---- */

/* Is the word the same in all fragments? One that no vertex has is 0. */
static bool
is_known(const linker *l, unsigned word, uint32_t *value)
{
    if (!l->p->has_previous || word / 4 >= FAMILY_LOCATIONS)
        return false;
    const family_varying *v = &l->p->previous.locations[word / 4];
    const unsigned bit = 1u << word % 4;
    *value = v->constants & bit ? v->value[word % 4] : 0;
    return v->constants & bit || !(v->components & bit);
}

static bool
changes_load(const linker *l, const row *r)
{
    for (unsigned k = 0; k < r->n * r->words; k++) {
        uint32_t value;
        if (is_known(l, r->first + k, &value) || source_of(l, r->first + k) != r->first + k)
            return true;
    }
    return false;
}

static ir_ref
load_component(linker *l, const ir_instr *load, const row *r, unsigned c)
{
    const unsigned word = r->first + c * r->words;
    uint32_t low, high = 0;
    if (is_known(l, word, &low) && (r->words == 1 || is_known(l, word + 1, &high)))
        return ir_build_imm(&l->b, r->bits, (low | (uint64_t)high << 32) & base_mask64(r->bits));
    ir_instr *one = ir_clone_instr(l->f, load);
    const ir_ref def = ir_define(l->f, one, 0, IR_TYPE(r->bits, 1));
    set_place(one, source_of(l, word));
    ir_build_place(&l->b, one);
    return ir_comp(def, 0);
}

static void
change_load(linker *l, ir_instr *load)
{
    const row r = row_of(load, l->f->values[load->defs[0].id].type);
    ir_ref parts[IR_MAX_COMPS];
    if (!changes_load(l, &r))
        return;
    ir_builder_before(&l->b, load);
    for (unsigned c = 0; c < r.n; c++)
        parts[c] = load_component(l, load, &r, c);
    ir_replace_add(&l->map, load->defs[0].id, ir_build_vec(&l->b, parts, r.n));
    ir_remove(load);
}

/* ---- outputs ---- */

static bool
is_read(const linker *l, unsigned word)
{
    if (word / 4 >= FAMILY_LOCATIONS)
        return true;
    const family_varying *v = &l->p->next.locations[word / 4];
    return (v->components & ~v->constants) >> word % 4 & 1 && source_of(l, word) == word;
}

/* The components of a stored value that are read, a bit each. */
static uint32_t
find_read(const linker *l, const row *r)
{
    uint32_t found = 0;
    for (unsigned k = 0; k < r->n * r->words; k++)
        found |= (uint32_t)is_read(l, r->first + k) << k / r->words;
    return found;
}

static void
store_run(linker *l, const ir_instr *store, const row *r, unsigned first, unsigned n)
{
    ir_ref parts[IR_MAX_COMPS];
    const ir_ref from = store->refs[0];
    for (unsigned k = 0; k < n; k++)
        parts[k] = from.comp == IR_WHOLE ? ir_comp(from, first + k) : from;
    const ir_ref value = ir_build_vec(&l->b, parts, n);
    ir_instr *some = ir_clone_instr(l->f, store);
    some->refs[0] = value;
    set_place(some, r->first + first * r->words);
    ir_build_place(&l->b, some);
}

static void
change_store(linker *l, ir_instr *store)
{
    const row r = row_of(store, ir_ref_type(l->f, store->refs[0]));
    const uint32_t read = find_read(l, &r);
    if (read == base_mask64(r.n))
        return;
    ir_builder_before(&l->b, store);
    for (unsigned k = 0, n; (n = base_next_run(read, IR_MAX_COMPS, &k)); k += n)
        store_run(l, store, &r, k, n);
    ir_unlink(store);
}

/* ---- the whole ---- */

static bool
is_located(const ir_instr *i)
{
    return ir_attr_get(i, IR_A_SLOT) == IR_SLOT_location;
}

void
family_apply_link(ir_fn *f, const family_pipeline *p)
{
    const bool reads = f->shader.stage == IR_STAGE_FRAGMENT && p && p->has_previous;
    const bool stores = f->shader.stage == IR_STAGE_VERTEX && p && p->has_next;
    linker l = {.f = f, .p = p, .map = {.f = f}};
    if (!reads && !stores)
        return;
    ir_builder_init(&l.b, f);
    IR_FOREACH_INSTR_OF(i, f) {
        if (reads && family_reads_input(i) && is_located(i))
            change_load(&l, i);
        else if (stores && i->op == IR_store_output && is_located(i))
            change_store(&l, i);
    }
    ir_replace_all(&l.map);
}
