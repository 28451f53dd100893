/* The register words are those that turnip 26.2.6 writes for its code (its command streams on a618,
 * a660 and a750 were read for shaders with each of the features below); bits whose meaning is not
 * known are set as there. A driver adds what only it knows: addresses, sizes of memory. */
#include "adreno/emit/code_object.h"

#include "adreno/emit/words.h"
#include "ir/hir.h"

enum { NO_REG = ADRENO_WORD_NO_REG, MAX_STACK = 32, PRIVATE_UNIT = 512 };

void
adreno_add_word(adreno_words *w, adreno_obj_register_id id, uint32_t value)
{
    const uint32_t address = adreno_obj_kind.registers[id].address[w->p->target->chip->gen >= 7];
    if (address)
        w->s->rows.registers[w->s->rows.n_registers++] = (obj_register){address, value};
}

/* ---- what the code uses ---- */

static uint32_t
n_consts(const adreno_program *p)
{
    return adreno_literal_place(p, p->n_literals);
}

/* The bits of SP_CS_CONFIG: textures, samplers, storage and uniform buffers of descriptor sets. */
static uint32_t
resources_of(const ir_instr *i)
{
    enum { TEX = 1, SAMP = 2, STORAGE = 4, UNIFORM = 8 };
    const unsigned category = adreno_category(i->op);
    if (i->op == ADRENO_P_PREFETCH)
        return TEX | SAMP;
    if (category != 5 && category != 6)
        return 0;
    const adreno_op_info *row = adreno_op_row((adreno_op)i->op);
    const bool is_described = adreno_field_width(adreno_format_of((adreno_op)i->op),
                                                 ADRENO_F_bindless) != 0;
    if (category == 6)
        return i->op == ADRENO_LDC ? UNIFORM : is_described ? STORAGE : 0;
    const bool is_fetch = i->op == ADRENO_ISAM_ANY || i->op == ADRENO_ISAML_ANY ||
                          i->op == ADRENO_ISAMM_ANY || i->op == ADRENO_ISAM;
    return (row->properties & ADRENO_TEX ? TEX : 0) |
           (row->properties & ADRENO_SAMP && !is_fetch ? SAMP : 0);
}

static uint32_t
find_resources(const ir_fn *f)
{
    uint32_t bits = 0;
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b)
            bits |= resources_of(i);
    }
    return bits;
}

/* ---- register words ---- */

uint32_t
adreno_stack_word(const adreno_program *p)
{
    const uint32_t n = p->branch_stack ? p->branch_stack / 2 + 1 : 0;
    return n < MAX_STACK ? n : MAX_STACK;
}

uint32_t
adreno_private_word(const adreno_program *p)
{
    return (p->private_bytes + PRIVATE_UNIT - 1) / PRIVATE_UNIT;
}

/* The size of the constant file in steps of four: 128, 192, 256, 512 constants. */
static uint32_t
const_mode(uint32_t consts)
{
    return consts <= 128 ? 0 : consts <= 192 ? 1 : consts <= 256 ? 2 : 3;
}

static uint32_t
memory_word(const adreno_words *w)
{
    enum { KIB = 1024, MODE_LOW = 5 };
    const uint32_t bytes = w->p->local_bytes, size = bytes ? (bytes - 1) / KIB : 0;
    return (size ? size : 1) | const_mode(w->s->consts) << MODE_LOW;
}

static uint32_t
ids_word(const adreno_program *p)
{
    const uint32_t group = p->uses_group_id ? adreno_group_id_number(p->target) : NO_REG;
    const uint32_t local = p->uses_local_id ? 0 : NO_REG;
    return group | NO_REG << 8 | NO_REG << 16 | local << 24;
}

/* HLSQ_CS_CNTL_1: from a7xx on with the rows of a workgroup. */
static uint32_t
threads_word(const adreno_program *p, uint32_t is_double)
{
    enum { ALWAYS = 1 << 11 | 1 << 22 | 1 << 26, ROWS_LOW = 27 };
    const uint32_t y = p->fn->shader.workgroup_size[1];
    const uint32_t rows = y % 8 == 0 ? 1 : y % 4 == 0 ? 2 : y % 2 == 0 ? 4 : 8;
    const uint32_t word = NO_REG | is_double << 9;
    return p->target->chip->gen >= 7 ? word | ALWAYS | rows << ROWS_LOW : word;
}

static void
add_words(adreno_words *w)
{
    enum { ENABLED = ADRENO_WORD_ENABLED, EARLY_LOW = 23, MERGED = (int)(1u << 31) };
    const adreno_program *p = w->p;
    const bool is_7 = p->target->chip->gen >= 7;
    const uint32_t is_double = adreno_is_double_wave(p);
    adreno_add_word(w, ADRENO_OBJ_SP_CS_CTRL_REG0,
                    w->s->full_registers << 7 | adreno_stack_word(p) << 14 | is_double << 20 |
                        (uint32_t)p->early_preamble << EARLY_LOW | (uint32_t)MERGED);
    adreno_add_word(w, ADRENO_OBJ_SP_CS_MEMORY, memory_word(w));
    adreno_add_word(w, ADRENO_OBJ_SP_CS_OBJ_FIRST_EXEC_OFFSET, 0);
    adreno_add_word(w, ADRENO_OBJ_SP_CS_PVT_MEM_PARAM, adreno_private_word(p));
    adreno_add_word(w, ADRENO_OBJ_SP_CS_CONFIG, ENABLED | w->resources);
    adreno_add_word(w, ADRENO_OBJ_SP_CS_INSTRLEN, adreno_obj_instrlen(w->code_size));
    adreno_add_word(w, ADRENO_OBJ_HLSQ_CS_CNTL, ENABLED | w->s->consts / 4);
    adreno_add_word(w, ADRENO_OBJ_HLSQ_CS_CNTL_0, ids_word(p));
    adreno_add_word(w, ADRENO_OBJ_HLSQ_CS_CNTL_1, threads_word(p, is_double));
    if (!p->target->two_schedulers)
        return;
    adreno_add_word(w, ADRENO_OBJ_SP_CS_CNTL_0, ids_word(p));
    adreno_add_word(w, ADRENO_OBJ_SP_CS_CNTL_1,
                    NO_REG | (is_7 ? is_double << 8 | 1u << 15 : is_double << 9));
    adreno_add_word(w, ADRENO_OBJ_HLSQ_CS_MEMORY, memory_word(w));
}

/* ---- launch values ---- */

static void
list_values(arena *a, adreno_words *w)
{
    const adreno_program *p = w->p;
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
            list[w->s->n_values++] = rows[k].value;
    w->s->values = list;
}

/* Constant data that is not in the constant file. */
static void
list_data(arena *a, adreno_words *w)
{
    const ir_shader *s = &w->p->fn->shader;
    const uint32_t n = w->p->constant_in_memory ? (s->constant_size + 3) / 4 : 0;
    uint32_t *words = ARENA_ARRAY(a, n, uint32_t);
    if (n)
        adreno_pack_words(s->constant_data, s->constant_size, words);
    w->s->data = words;
    w->s->n_data = n;
}

/* Inputs and outputs of a stage of graphics. */
static void
list_rows(arena *a, adreno_words *w)
{
    static const char *const kinds[] = {
#define IO(id, first, name, reg, sentence) name,
#include "adreno/stage_io.def"
#undef IO
    };
    const adreno_program *p = w->p;
    obj_io *rows = ARENA_ARRAY(a, p->n_io, obj_io);
    for (uint32_t k = 0; k < p->n_io; k++) {
        const adreno_io *io = &p->io[k];
        const bool linked = adreno_has_places(io) || io->kind == ADRENO_IO_OUTPUT;
        rows[k] = (obj_io){.kind = kinds[io->kind],
                           .slot = linked ? ir_hir_names.slot[io->slot] : "",
                           .location = io->location,
                           .components = io->mask,
                           .place = io->at,
                           .first = io->reg == ADRENO_IO_NO_REG ? NO_REG : io->reg};
    }
    w->s->rows.io = rows;
    w->s->rows.n_io = p->n_io;
}

/* Resources where there are no descriptor sets. */
static void
list_slots(arena *a, adreno_words *w)
{
    static const char *const kinds[] = {
#define SLOT(id, name, words, sentence) name,
#include "adreno/slots.def"
#undef SLOT
    };
    const adreno_program *p = w->p;
    obj_slot *slots = ARENA_ARRAY(a, p->n_slots, obj_slot);
    for (uint32_t k = 0; k < p->n_slots; k++) {
        const adreno_slot *s = &p->slots[k];
        slots[k] = (obj_slot){kinds[s->kind], s->set, s->binding, s->element, s->place};
    }
    w->s->rows.slots = slots;
    w->s->rows.n_slots = p->n_slots;
}

const adreno_obj_state *
adreno_make_state(const ir_fn *f, uint32_t code_size)
{
    const adreno_program *p = adreno_prog(f);
    adreno_obj_state *s = ARENA_NEW(f->arena, adreno_obj_state);
    adreno_words w = {p, s, code_size, find_resources(f)};
    s->full_registers = (p->full_used + 3) / 4;
    s->branch_stack = p->branch_stack;
    s->consts = (n_consts(p) + 15) / 16 * 4; /* a multiple of four */
    s->spilled = p->spilled;
    s->numbers = p->literals;
    s->n_numbers = p->n_literals;
    list_values(f->arena, &w);
    list_data(f->arena, &w);
    if (f->shader.stage == IR_STAGE_COMPUTE && p->target->bindless)
        add_words(&w);
    adreno_add_stage_words(&w);
    list_rows(f->arena, &w);
    list_slots(f->arena, &w);
    return s;
}
