/* Names of the model, the note, and the file. */
#include "adreno/object/object.h"

#include <stddef.h>

const char *const adreno_io_names[] = {
#define IO(id, first, name, reg, sentence) name,
#include "adreno/object/stage_io.def"
#undef IO
    NULL,
};

static const struct {
    const char *name;
    bool is_const;
} value_rows[] = {
#define X(id, name, is_const) {name, is_const},
    ADRENO_OBJ_VALUES(X)
#undef X
};

const char *
adreno_obj_value_name(adreno_obj_value_kind kind)
{
    return value_rows[kind].name;
}

bool
adreno_obj_value_is_const(adreno_obj_value_kind kind)
{
    return value_rows[kind].is_const;
}

/* ---- launch values, numbers and data in the note ---- */

static void
put_values(base_buf *b, const adreno_obj_state *s)
{
    pack_text(b, ".values");
    pack_array(b, s->n_values);
    for (uint32_t i = 0; i < s->n_values; i++) {
        pack_map(b, 3);
        pack_key_text(b, ".kind", adreno_obj_value_name(s->values[i].kind));
        pack_key_uint(b, ".first", s->values[i].first);
        pack_key_uint(b, ".count", s->values[i].count);
    }
}

static void
put_more(base_buf *b, const void *state)
{
    const adreno_obj_state *s = state;
    put_values(b, s);
    pack_key_words(b, ".numbers", s->numbers, s->n_numbers);
    pack_key_words(b, ".data", s->data, s->n_data);
}

static adreno_obj_value_kind
kind_by_name(diag *d, const char *name)
{
    for (int i = 0; i < ADRENO_OBJ_VALUE_KINDS; i++) {
        if (strcmp(adreno_obj_value_name((adreno_obj_value_kind)i), name) == 0)
            return (adreno_obj_value_kind)i;
    }
    diag_fail(d, ERR_OBJECT_BAD_METADATA, "an unknown .kind of launch value");
}

static void
get_values(diag *d, arena *a, const pack_value *map, adreno_obj_state *out)
{
    const pack_value *list = pack_get(map, ".values");
    const uint32_t n = pack_count(list);
    adreno_obj_value *values = ARENA_ARRAY(a, n, adreno_obj_value);
    for (uint32_t i = 0; i < n; i++) {
        const pack_value *v = pack_at(list, i);
        values[i].kind = kind_by_name(d, pack_get_text(v, ".kind", ""));
        values[i].first = pack_get_uint(v, ".first", 0);
        values[i].count = pack_get_uint(v, ".count", 0);
    }
    out->values = values;
    out->n_values = n;
}

static const uint32_t *
get_words(arena *a, const pack_value *map, const char *key, uint32_t *count)
{
    const uint32_t n = *count = pack_count(pack_get(map, key));
    uint32_t *words = ARENA_ARRAY(a, n, uint32_t);
    pack_get_words(map, key, words, n);
    return words;
}

static void
get_more(diag *d, arena *a, const pack_value *map, void *state)
{
    get_values(d, a, map, state);
    adreno_obj_state *out = state;
    out->numbers = get_words(a, map, ".numbers", &out->n_numbers);
    out->data = get_words(a, map, ".data", &out->n_data);
}

/* ---- the file ---- */

/* Not a registered number: one above all of them. */
enum { EM_ADRENO = 0xad3e, NT_METADATA = 32 };

static const obj_state_number numbers[] = {
    {".full_registers", offsetof(adreno_obj_state, full_registers), true},
    {".branch_stack", offsetof(adreno_obj_state, branch_stack), true},
    {".consts", offsetof(adreno_obj_state, consts), true},
    {".spilled", offsetof(adreno_obj_state, spilled), false},
};

static const obj_register_row registers[] = {
#define REGISTER(id, name, a6xx, a7xx) {name, {a6xx, a7xx}},
#include "adreno/object/registers.def"
#undef REGISTER
};

_Static_assert((int)ADRENO_OBJ_REGISTERS <= (int)OBJ_MOST_REGISTERS, "a program may set all");

const obj_shader_kind adreno_obj_kind = {
    .format = {.machine = EM_ADRENO,
               .machine_name = "Adreno",
               .note_owner = "Adreno",
               .note_type = NT_METADATA,
               .code_align = ADRENO_OBJ_CODE_ALIGN},
    .state_size = sizeof(adreno_obj_state),
    .numbers = numbers,
    .n_numbers = sizeof numbers / sizeof *numbers,
    .registers = registers,
    .n_registers = ADRENO_OBJ_REGISTERS,
    .n_more = 3,
    .put_more = put_more,
    .get_more = get_more,
};
