#include "adreno/emit/emit.h"

#include "ir/hir.h"

/* ---- launch values ---- */

static void
list_values(arena *a, const adreno_program *p, adreno_obj_state *s)
{
    const uint32_t numbers = adreno_literal_place(p, 0);
    const bool computes = p->fn->shader.stage == IR_STAGE_COMPUTE,
               is_vertex = p->fn->shader.stage == IR_STAGE_VERTEX;
    const struct {
        bool has;
        adreno_obj_value value;
    } rows[] = {
        {p->uses_local_id, {ADRENO_OBJ_LOCAL_ID, 0, 3}},
        {p->uses_group_id, {ADRENO_OBJ_WORKGROUP_ID, adreno_group_id_number(p->target), 3}},
        {computes, {ADRENO_OBJ_WORKGROUP_COUNT, ADRENO_CONST_GROUPS, 3}},
        {computes, {ADRENO_OBJ_BASE_WORKGROUP, ADRENO_CONST_BASE, 3}},
        {computes, {ADRENO_OBJ_WAVE_SIZE, ADRENO_CONST_BASE + 3, 1}},
        {is_vertex, {ADRENO_OBJ_DRAW_ID, ADRENO_CONST_DRAW, 1}},
        {is_vertex, {ADRENO_OBJ_BASE_VERTEX, ADRENO_CONST_BASE_VERTEX, 1}},
        {is_vertex, {ADRENO_OBJ_BASE_INSTANCE, ADRENO_CONST_BASE_INSTANCE, 1}},
        {p->push_dwords, {ADRENO_OBJ_PUSH_CONSTANTS, ADRENO_CONST_PUSH, p->push_dwords}},
        {p->n_literals, {ADRENO_OBJ_NUMBERS, numbers, p->n_literals}},
        {p->constant_in_memory,
         {ADRENO_OBJ_DATA_ADDRESS, adreno_literal_place(p, p->constant_at - 1),
          p->target->wide_addresses ? 2 : 1}},
    };
    adreno_obj_value *list = ARENA_ARRAY(a, sizeof rows / sizeof *rows, adreno_obj_value);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        if (rows[k].has)
            list[s->n_values++] = rows[k].value;
    s->values = list;
}

/* Constant data that is not in the constant file. */
static void
list_data(arena *a, const adreno_program *p, adreno_obj_state *s)
{
    const ir_shader *shader = &p->fn->shader;
    const uint32_t n = p->constant_in_memory ? (shader->constant_size + 3) / 4 : 0;
    uint32_t *words = ARENA_ARRAY(a, n, uint32_t);
    if (n)
        adreno_pack_words(shader->constant_data, shader->constant_size, words);
    s->data = words;
    s->n_data = n;
}

/* Inputs and outputs of a stage of graphics. */
static void
list_rows(arena *a, const adreno_program *p, adreno_obj_state *s)
{
    obj_io *rows = ARENA_ARRAY(a, p->n_io, obj_io);
    for (uint32_t k = 0; k < p->n_io; k++) {
        const adreno_io *io = &p->io[k];
        const bool linked = adreno_has_places(io) || io->kind == ADRENO_IO_OUTPUT;
        rows[k] = (obj_io){.kind = adreno_io_names[io->kind],
                           .slot = linked ? ir_hir_names.slot[io->slot] : "",
                           .location = io->location,
                           .components = io->mask,
                           .place = io->at,
                           .first = io->reg == ADRENO_IO_NO_REG ? ADRENO_OBJ_NO_REG : io->reg};
    }
    s->rows.io = rows;
    s->rows.n_io = p->n_io;
}

/* Resources where there are no descriptor sets. */
static void
list_slots(arena *a, const adreno_program *p, adreno_obj_state *s)
{
    static const char *const kinds[] = {
#define SLOT(id, name, words, sentence) name,
#include "adreno/slots.def"
#undef SLOT
    };
    obj_slot *slots = ARENA_ARRAY(a, p->n_slots, obj_slot);
    for (uint32_t k = 0; k < p->n_slots; k++) {
        const adreno_slot *slot = &p->slots[k];
        slots[k] = (obj_slot){kinds[slot->kind], slot->set, slot->binding, slot->element,
                              slot->place};
    }
    s->rows.slots = slots;
    s->rows.n_slots = p->n_slots;
}

const adreno_obj_state *
adreno_make_state(const ir_fn *f)
{
    const adreno_program *p = adreno_prog(f);
    adreno_obj_state *s = ARENA_NEW(f->arena, adreno_obj_state);
    s->rows.kind = &adreno_obj_kind;
    s->full_registers = (p->full_used + 3) / 4;
    s->branch_stack = p->branch_stack;
    s->consts = (adreno_literal_place(p, p->n_literals) + 15) / 16 * 4; /* a multiple of four */
    s->spilled = p->spilled;
    s->numbers = p->literals;
    s->n_numbers = p->n_literals;
    list_values(f->arena, p, s);
    list_data(f->arena, p, s);
    list_rows(f->arena, p, s);
    list_slots(f->arena, p, s);
    adreno_list_words(p, s);
    return s;
}
