#include "object/shader_map.h"

/* Version of the map; the reader rejects newer ones. */
enum { HEDDLE_VERSION = 1 };

/* The numbers in the map: each key and its place in the kernel `c`. */
#define NUMBERS(X)                                                                                 \
    X(".code_size", c->code_size)                                                                  \
    X(".data_offset", c->data_offset)                                                              \
    X(".lds_bytes", c->lds_bytes)                                                                  \
    X(".scratch_bytes", c->scratch_bytes)                                                          \
    X(".push_constant_size", c->push_size)                                                         \
    X(".max_workgroup_size", c->max_workgroup_size)

/* ---- writing ---- */

/* Of most bindings five keys say all; the others have defaults. */
static void
put_bindings(base_buf *b, const obj_code *c)
{
    pack_text(b, ".bindings");
    pack_array(b, c->n_resources);
    for (uint32_t i = 0; i < c->n_resources; i++) {
        const obj_resource *r = &c->resources[i];
        bool is_row = r->stride != r->size || r->count != 1;
        pack_map(b, 5u + 2 * is_row + r->in_block + !r->is_used);
        pack_key_uint(b, ".set", r->set);
        pack_key_uint(b, ".binding", r->binding);
        pack_key_text(b, ".type", obj_descriptor_name(r->type));
        pack_key_uint(b, ".offset", r->offset);
        pack_key_uint(b, ".size", r->size);
        if (is_row) {
            pack_key_uint(b, ".count", r->count);
            pack_key_uint(b, ".stride", r->stride);
        }
        if (r->in_block)
            pack_key_uint(b, ".in_block", 1);
        if (!r->is_used)
            pack_key_uint(b, ".used", 0);
    }
}

void
obj_put_shader_map(base_buf *b, const obj_code *c, uint32_t more)
{
#define X(key, place) +1
    const uint32_t numbers = NUMBERS(X);
#undef X
    pack_text(b, ".heddle");
    pack_map(b, numbers + 6 + more);
    pack_key_uint(b, ".version", HEDDLE_VERSION);
    pack_key_text(b, ".name", c->name);
    pack_key_text(b, ".stage", obj_stage_name(c->stage));
    pack_key_uint(b, ".wave_size", c->wave_size);
#define X(key, place) pack_key_uint(b, key, place);
    NUMBERS(X)
#undef X
    pack_key_words(b, ".workgroup_size", c->workgroup_size, 3);
    put_bindings(b, c);
}

/* ---- reading ---- */

static obj_stage
stage_by_name(diag *d, const char *name)
{
    for (int i = 0; i < OBJ_STAGE_COUNT; i++) {
        if (strcmp(obj_stage_name((obj_stage)i), name) == 0)
            return (obj_stage)i;
    }
    diag_fail(d, ERR_OBJECT_BAD_METADATA, "an unknown .stage");
}

static obj_descriptor
descriptor_by_name(diag *d, const char *name)
{
    for (int i = 1; i < OBJ_DESCRIPTOR_COUNT; i++) {
        if (strcmp(obj_descriptor_name((obj_descriptor)i), name) == 0)
            return (obj_descriptor)i;
    }
    diag_fail(d, ERR_OBJECT_BAD_METADATA, "an unknown .type of descriptors");
}

static void
get_bindings(diag *d, arena *a, const pack_value *map, obj_code *out)
{
    const pack_value *list = pack_get(map, ".bindings");
    uint32_t n = pack_count(list);
    obj_resource *resources = ARENA_ARRAY(a, n, obj_resource);
    for (uint32_t i = 0; i < n; i++) {
        const pack_value *v = pack_at(list, i);
        resources[i] = (obj_resource){
            .set = pack_get_uint(v, ".set", 0),
            .binding = pack_get_uint(v, ".binding", 0),
            .type = descriptor_by_name(d, pack_get_text(v, ".type", "")),
            .count = pack_get_uint(v, ".count", 1),
            .offset = pack_get_uint(v, ".offset", 0),
            .stride = pack_get_uint(v, ".stride", pack_get_uint(v, ".size", 0)),
            .size = pack_get_uint(v, ".size", 0),
            .in_block = pack_get_uint(v, ".in_block", 0) != 0,
            .is_used = pack_get_uint(v, ".used", 1) != 0,
        };
    }
    out->resources = resources;
    out->n_resources = n;
}

void
obj_get_shader_map(diag *d, arena *a, const pack_value *map, obj_code *c)
{
    if (pack_get_uint(map, ".version", 0) != HEDDLE_VERSION)
        diag_fail(d, ERR_OBJECT_BAD_METADATA, "a .heddle map of another version");
    c->name = pack_get_text(map, ".name", "");
    c->stage = stage_by_name(d, pack_get_text(map, ".stage", ""));
    c->wave_size = (uint8_t)pack_get_uint(map, ".wave_size", 0);
#define X(key, place) place = pack_get_uint(map, key, 0);
    NUMBERS(X)
#undef X
    pack_get_words(map, ".workgroup_size", c->workgroup_size, 3);
    get_bindings(d, a, map, c);
}
