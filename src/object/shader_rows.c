/* Register words, inputs and outputs, places of resources: MessagePack and rows. */
#include "object/shader_rows.h"

static void
put_registers(base_buf *b, const obj_register *list, uint32_t n)
{
    pack_text(b, ".registers");
    pack_array(b, n);
    for (uint32_t i = 0; i < n; i++) {
        pack_map(b, 2);
        pack_key_uint(b, ".address", list[i].address);
        pack_key_uint(b, ".value", list[i].value);
    }
}

static void
put_io(base_buf *b, const obj_io *list, uint32_t n)
{
    pack_text(b, ".io");
    pack_array(b, n);
    for (uint32_t i = 0; i < n; i++) {
        const obj_io *io = &list[i];
        pack_map(b, 6);
        pack_key_text(b, ".kind", io->kind);
        pack_key_text(b, ".slot", io->slot);
        pack_key_uint(b, ".location", io->location);
        pack_key_uint(b, ".components", io->components);
        pack_key_uint(b, ".place", io->place);
        pack_key_uint(b, ".first", io->first);
    }
}

static void
put_slots(base_buf *b, const obj_slot *list, uint32_t n)
{
    pack_text(b, ".slots");
    pack_array(b, n);
    for (uint32_t i = 0; i < n; i++) {
        const obj_slot *slot = &list[i];
        pack_map(b, 5);
        pack_key_text(b, ".kind", slot->kind);
        pack_key_uint(b, ".set", slot->set);
        pack_key_uint(b, ".binding", slot->binding);
        pack_key_uint(b, ".element", slot->element);
        pack_key_uint(b, ".place", slot->place);
    }
}

void
obj_put_rows(base_buf *b, const obj_shader_rows *rows)
{
    put_registers(b, rows->registers, rows->n_registers);
    put_io(b, rows->io, rows->n_io);
    put_slots(b, rows->slots, rows->n_slots);
}

static uint32_t
get_registers(diag *d, const pack_value *map, obj_register *list, uint32_t most)
{
    const pack_value *from = pack_get(map, ".registers");
    const uint32_t n = pack_count(from);
    if (n > most)
        diag_fail(d, ERR_OBJECT_BAD_METADATA, "too many .registers");
    for (uint32_t i = 0; i < n; i++) {
        const pack_value *v = pack_at(from, i);
        list[i].address = pack_get_uint(v, ".address", 0);
        list[i].value = pack_get_uint(v, ".value", 0);
    }
    return n;
}

static uint32_t
get_io(arena *a, const pack_value *map, const obj_io **out)
{
    const pack_value *list = pack_get(map, ".io");
    const uint32_t n = pack_count(list);
    obj_io *rows = ARENA_ARRAY(a, n, obj_io);
    for (uint32_t i = 0; i < n; i++) {
        const pack_value *v = pack_at(list, i);
        rows[i] = (obj_io){.kind = pack_get_text(v, ".kind", ""),
                           .slot = pack_get_text(v, ".slot", ""),
                           .location = pack_get_uint(v, ".location", 0),
                           .components = pack_get_uint(v, ".components", 0),
                           .place = pack_get_uint(v, ".place", 0),
                           .first = pack_get_uint(v, ".first", 0)};
    }
    *out = rows;
    return n;
}

static uint32_t
get_slots(arena *a, const pack_value *map, const obj_slot **out)
{
    const pack_value *list = pack_get(map, ".slots");
    const uint32_t n = pack_count(list);
    obj_slot *slots = ARENA_ARRAY(a, n, obj_slot);
    for (uint32_t i = 0; i < n; i++) {
        const pack_value *v = pack_at(list, i);
        slots[i] = (obj_slot){.kind = pack_get_text(v, ".kind", ""),
                              .set = pack_get_uint(v, ".set", 0),
                              .binding = pack_get_uint(v, ".binding", 0),
                              .element = pack_get_uint(v, ".element", 0),
                              .place = pack_get_uint(v, ".place", 0)};
    }
    *out = slots;
    return n;
}

void
obj_get_rows(diag *d, arena *a, const pack_value *map, uint32_t most, obj_shader_rows *out)
{
    out->n_registers = get_registers(d, map, out->registers, most);
    out->n_io = get_io(a, map, &out->io);
    out->n_slots = get_slots(a, map, &out->slots);
}
