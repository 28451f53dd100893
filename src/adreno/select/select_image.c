/* Storage images, which are accessed by coordinates, where a layer is one more. */
#include "adreno/select/select.h"

#include "base/bits.h"

/* Of a storage image; a cube's third one is layer and face. With layers, an image of one dimension
 * is accessed as one of two (turnip's code). */
unsigned
adreno_image_coords(adreno_sel *s, const ir_instr *i, ir_ref out[4])
{
    const unsigned dim = ir_attr_get(i, IR_A_IMAGE_DIM);
    const unsigned n = adreno_dims(dim) + (ir_attr_get(i, IR_A_IMAGE_ARRAY) && dim != IR_DIM_cube);
    if (!s->p->target->bindless && ir_is_value(i->refs[2]))
        adreno_sel_unsupported(s, "storage images with samples");
    for (unsigned k = 0; k < n; k++)
        out[k] = adreno_get_part(s, i->refs[1], k);
    if (dim == IR_DIM_1D && n > 1 && !s->p->target->bindless)
        adreno_sel_unsupported(s, "1D storage images with layers");
    return n;
}

/* Storage images convert by their format; only its kind counts for the instruction. */
unsigned
adreno_storage_type(const ir_instr *i)
{
    const unsigned f = ir_attr_get(i, IR_A_FORMAT);
    const bool is_int = f >= IR_FORMAT_r32g32b32a32_sint && f <= IR_FORMAT_r8_sint;
    const bool is_uint = f >= IR_FORMAT_r32g32b32a32_uint && f <= IR_FORMAT_r8_uint;
    return is_int ? ADRENO_S32 : is_uint ? ADRENO_U32 : ADRENO_F32;
}

static void
mark_storage(adreno_sel *s, const ir_instr *i, const adreno_descriptor *d, unsigned coords)
{
    adreno_mark_descriptor(s, d, ir_attr_get(i, IR_A_ACCESS));
    adreno_mark(s, 2, ADRENO_W_TYPED, 1);
    adreno_mark(s, 2, ADRENO_W_DIMS, coords - 1);
}

static void
select_storage(adreno_sel *s, const ir_instr *i)
{
    const bool is_store = i->op == IR_image_store;
    const adreno_descriptor d = adreno_find_handle(s, i->refs[0]);
    const unsigned bits = is_store ? adreno_ref_bits(s, i->refs[3]) : adreno_def_bits(s, i);
    ir_ref coords[4], data[4];
    if (ir_is_value(i->refs[2]) || bits == 64)
        adreno_sel_unsupported(s, "this kind of image");
    const unsigned n = adreno_image_coords(s, i, coords);
    const ir_ref at = adreno_join(s, n, coords);
    if (is_store) {
        for (unsigned k = 0; k < 4; k++)
            data[k] = k < adreno_parts(s, i->refs[3]) ? adreno_get_part(s, i->refs[3], k)
                                                      : adreno_number(0, bits == 16);
        adreno_emit_3(s, ADRENO_STIB_B, 0, adreno_join(s, 4, data), at,
                      adreno_descriptor_ref(s, &d));
    } else {
        const ir_ref r = adreno_emit_2(s, ADRENO_LDIB_B, adreno_class(bits == 16, 4), at,
                                       adreno_descriptor_ref(s, &d));
        adreno_split(s, r, 4, data);
    }
    mark_storage(s, i, &d, n);
    adreno_mark(s, 2, ADRENO_W_ELEMS, 3);
    adreno_mark(s, 0, ADRENO_M_TYPE,
                bits == 16 ? adreno_storage_type(i) & ~1u : adreno_storage_type(i));
    for (unsigned k = 0; !is_store && k < adreno_def_parts(s, i); k++)
        adreno_def(s, i)[k] = data[k];
}

static void
select_image_atomic(adreno_sel *s, const ir_instr *i)
{
    static const char what[] = "this atomic operation on images";
    const adreno_descriptor d = adreno_find_handle(s, i->refs[0]);
    adreno_atomic a = adreno_find_atomic(s, i, 1, what);
    ir_ref coords[4];
    if (ir_is_value(i->refs[2]))
        adreno_sel_unsupported(s, what);
    const unsigned n = adreno_image_coords(s, i, coords);
    adreno_bindless_atomic(s, &a, adreno_join(s, n, coords), &d);
    mark_storage(s, i, &d, n);
    adreno_set_def(s, i, a.list[0]);
}

/* ---- sizes ---- */

/* Is the handle that of a storage image or texel buffer? Those that it is chosen among are
 * alike. */
static bool
is_storage(adreno_sel *s, ir_ref handle)
{
    enum { MAX_CHOICES = 64 };
    const ir_instr *def = s->hir->values[handle.id].def;
    for (unsigned k = 0; def->op != IR_vulkan_resource_index; k++) {
        if (k == MAX_CHOICES)
            adreno_sel_unsupported(s, "so many choices of an image");
        def = s->hir->values[def->refs[def->op == IR_bcsel].id].def;
    }
    const unsigned type = ir_attr_get(def, IR_A_DESC_TYPE);
    return type == IR_DESC_storage_image || type == IR_DESC_storage_texel_buffer ||
           type == IR_DESC_uniform_texel_buffer;
}

/* A number below 2^16, divided by 6. */
static ir_ref
sixth(adreno_sel *s, ir_ref n)
{
    const ir_ref product = adreno_op2(s, ADRENO_MUL_U24, n, adreno_full(0xaaab));
    return adreno_op2(s, ADRENO_SHR_B, product, adreno_full(18));
}

/* resinfo: sizes, then layers, of one dimension behind its width; of a cube, which is an array of
 * layers, its faces. */
static void
select_storage_size(adreno_sel *s, const ir_instr *i)
{
    const unsigned dim = ir_attr_get(i, IR_A_IMAGE_DIM);
    const bool array = ir_attr_get(i, IR_A_IMAGE_ARRAY);
    const adreno_descriptor d = adreno_find_handle(s, i->refs[0]);
    const unsigned wide = dim == IR_DIM_buf ? 1 : 3;
    const unsigned sizes = adreno_def_parts(s, i) - array;
    ir_ref parts[3];
    ir_ref *out = adreno_def(s, i);
    const ir_ref r = adreno_emit_1(s, ADRENO_RESINFO_B, adreno_class(false, wide),
                                   adreno_descriptor_ref(s, &d));
    adreno_mark_descriptor(s, &d, ir_attr_get(i, IR_A_ACCESS));
    adreno_mark(s, 2, ADRENO_W_DIMS, wide - 1);
    adreno_mark(s, 2, ADRENO_W_TYPED, wide > 1);
    adreno_mark(s, 0, ADRENO_M_TYPE, ADRENO_U32);
    adreno_split(s, r, wide, parts);
    for (unsigned k = 0; k < sizes; k++)
        out[k] = parts[k];
    if (array)
        out[sizes] = dim == IR_DIM_cube ? sixth(s, parts[2]) : parts[dim == IR_DIM_1D ? 1 : 2];
}

static void
select_image_size(adreno_sel *s, const ir_instr *i)
{
    if (s->p->target->bindless && is_storage(s, i->refs[0]))
        select_storage_size(s, i);
    else
        adreno_select_texture_size(s, i);
}

/* ---- all ---- */

bool
adreno_select_image(adreno_sel *s, const ir_instr *i)
{
    if (ir_attr_has(i, IR_A_ACCESS) && ir_attr_get(i, IR_A_ACCESS) & IR_ACCESS_RESIDENCY)
        adreno_sel_unsupported(s, "residency of sparse images");
    if (i->op == IR_image_size && adreno_def_bits(s, i) != 32)
        adreno_sel_unsupported(s, "this query of an image");
    if (!s->p->target->bindless && adreno_select_slots(s, i))
        return true;
    switch (i->op) {
    case IR_image_load:
    case IR_image_store: select_storage(s, i); return true;
    case IR_image_atomic:
    case IR_image_atomic_swap: select_image_atomic(s, i); return true;
    case IR_tex: adreno_select_texture(s, i); return true;
    case IR_image_size: select_image_size(s, i); return true;
    case IR_image_samples:
    case IR_image_levels: adreno_select_info(s, i); return true;
    case IR_load_accel_struct: adreno_select_accel(s, i); return true;
    default: return false;
    }
}
