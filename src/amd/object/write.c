/* Writes a compiled kernel or shader: its note, its file's head, and for the hsa ABI its kernel
 * descriptor. object/write.c lays the file out. */
#include "amd/object/format.h"
#include "amd/object/notes.h"

enum { METADATA_ROOM = 1024 }; /* bytes, which nearly all notes have room in */

/* Bits 0 to 6 of the properties: the user SGPRs that the dispatcher fills. */
static uint32_t
hsa_properties(const obj_code *c, const amd_obj_state *s)
{
    uint32_t bits = c->wave_size == 32 ? AMD_OBJ_PROPERTY_WAVE32 : 0;
    if (s->dynamic_stack)
        bits |= AMD_OBJ_PROPERTY_DYNAMIC_STACK;
    for (uint32_t i = 0; i < s->n_user_sgprs; i++) {
        if (s->user_sgprs[i].kind >= AMD_OBJ_USER_PRIVATE_SEGMENT_BUFFER)
            bits |= 1u << (s->user_sgprs[i].kind - AMD_OBJ_USER_PRIVATE_SEGMENT_BUFFER);
    }
    return bits;
}

/* Makes the kernel descriptor, except for the entry's offset. */
static void
put_descriptor(const obj_code *c, base_buf *b)
{
    const amd_obj_state *s = amd_obj_state_of(c);
    buf_put_u32(b, c->lds_bytes);
    buf_put_u32(b, c->scratch_bytes);
    buf_put_u32(b, c->args_size);
    buf_put_zeros(b, AMD_OBJ_KD_RSRC3 - AMD_OBJ_KD_KERNARG_SIZE - 4);
    buf_put_u32(b, s->rsrc[2]);
    buf_put_u32(b, s->rsrc[0]);
    buf_put_u32(b, s->rsrc[1]);
    buf_put_u16(b, (uint16_t)hsa_properties(c, s));
    buf_put_zeros(b, AMD_OBJ_KD_SIZE - AMD_OBJ_KD_PROPERTIES - 2);
}

static obj_marks
hsa_marks(diag *d, const char *target)
{
    return amd_obj_hsa_marks(d, target, amd_obj_default_version(target));
}

static obj_marks
pal_marks(diag *d, const char *target)
{
    amd_obj_target t;
    if (!amd_obj_parse_target(target, &t))
        diag_fail(d, ERR_OBJECT_UNKNOWN_TARGET, target);
    uint32_t xnack = t.xnack == AMD_OBJ_FEATURE_ON ? AMD_OBJ_EF_XNACK_V3 : 0;
    uint32_t sramecc = t.sramecc == AMD_OBJ_FEATURE_ON ? AMD_OBJ_EF_SRAMECC_V3 : 0;
    return (obj_marks){.os_abi = AMD_OBJ_OSABI_PAL,
                       .abi_version = AMD_OBJ_ABI_VERSION_PAL,
                       .flags = t.machine->mach | xnack | sramecc |
                                (uint32_t)t.machine->generic_version << 24};
}

void
amd_obj_write(diag *d, const obj_code *code, base_buf *out)
{
    arena *a = out->arena;
    base_buf metadata = buf_make(a), descriptor = buf_make(a);
    obj_envelope envelope = {.format = &amd_obj_format, .metadata = &metadata};
    bool hsa = code->abi == OBJ_ABI_HSA;
    envelope.marks = (hsa ? hsa_marks : pal_marks)(d, code->target);
    envelope.symbol = hsa ? code->name : amd_obj_entry_symbol(code);
    buf_reserve(&metadata, METADATA_ROOM);
    amd_obj_write_notes(code, &metadata);
    if (hsa) {
        put_descriptor(code, &descriptor);
        envelope.record = (obj_record){.symbol = arena_printf(a, "%s.kd", code->name),
                                       .bytes = descriptor.data,
                                       .size = AMD_OBJ_KD_SIZE,
                                       .align = 64,
                                       .entry_at = AMD_OBJ_KD_ENTRY_OFFSET};
    }
    obj_write(code, &envelope, out);
}
