/* Decorations (SPIR-V 1.6, 3.20), entry points and execution modes. */
#include "spirv/reader.h"

/* ---- decorations ---- */

/* The list has the newest decoration first, so the last one given takes effect. */
static void
add_decor(spirv_reader *r, spirv_id *id, spirv_decor d)
{
    spirv_decor *copy = arena_copy(r->a, &d, sizeof d);
    copy->next = id->decor;
    id->decor = copy;
}

static void
decorate(spirv_reader *r, const spirv_insn *i, unsigned what, uint32_t member)
{
    spirv_decor d = {
        .what = i->w[what], .member = member, .args = i->w + what + 1, .n_args = i->n - what - 1u};
    spirv_id *id = spirv_ref(r, i, 1);
    if (d.what == SPIRV_DEC_NON_UNIFORM)
        id->non_uniform = true;
    r->is_invariant |= d.what == SPIRV_DEC_INVARIANT;
    add_decor(r, id, d);
}

/* Copies the group's decorations to `target`, for one member or as a whole. */
static void
apply_group(spirv_reader *r, const spirv_insn *i, unsigned k, uint32_t member)
{
    uint32_t target = spirv_ref(r, i, k)->number;
    for (const spirv_decor *d = spirv_ref(r, i, 1)->decor; d; d = d->next) {
        spirv_decor copy = *d;
        copy.member = member;
        spirv_charge(r, 1);
        add_decor(r, spirv_id_of(r, target), copy);
        if (d->what == SPIRV_DEC_NON_UNIFORM)
            spirv_id_of(r, target)->non_uniform = true;
    }
}

void
spirv_read_decoration(spirv_reader *r, const spirv_insn *i)
{
    switch (i->op) {
    case SPIRV_OpDecorate: decorate(r, i, 2, UINT32_MAX); break;
    case SPIRV_OpMemberDecorate: decorate(r, i, 3, i->w[2]); break;
    case SPIRV_OpDecorationGroup: spirv_ref(r, i, 1)->kind = SPIRV_ID_GROUP; break;
    case SPIRV_OpGroupDecorate:
        for (unsigned k = 2; k < i->n; k++)
            apply_group(r, i, k, UINT32_MAX);
        break;
    case SPIRV_OpGroupMemberDecorate:
        for (unsigned k = 2; k + 1 < i->n; k += 2)
            apply_group(r, i, k, i->w[k + 1]);
        break;
    default: break; /* strings and ids have no effect on compilation */
    }
}

const spirv_decor *
spirv_decor_find(const spirv_id *id, uint32_t what, uint32_t member)
{
    for (const spirv_decor *d = id->decor; d; d = d->next) {
        if (d->what == what && d->member == member)
            return d;
    }
    return NULL;
}

uint32_t
spirv_decor_arg(const spirv_id *id, uint32_t what, uint32_t otherwise)
{
    const spirv_decor *d = spirv_decor_find(id, what, UINT32_MAX);
    return d && d->n_args ? d->args[0] : otherwise;
}

uint32_t
spirv_access_of(uint32_t what)
{
    switch (what) {
    case SPIRV_DEC_RESTRICT: return IR_ACCESS_RESTRICT;
    case SPIRV_DEC_ALIASED: return IR_ACCESS_ALIASED;
    case SPIRV_DEC_VOLATILE: return IR_ACCESS_VOLATILE;
    case SPIRV_DEC_COHERENT: return IR_ACCESS_COHERENT;
    case SPIRV_DEC_NON_WRITABLE: return IR_ACCESS_READONLY;
    case SPIRV_DEC_NON_READABLE: return IR_ACCESS_WRITEONLY;
    default: return 0;
    }
}

uint32_t
spirv_decor_access(const spirv_id *id)
{
    uint32_t access = 0;
    for (const spirv_decor *d = id->decor; d; d = d->next) {
        if (d->member == UINT32_MAX)
            access |= spirv_access_of(d->what);
    }
    return access;
}

/* ---- entry points ---- */

static uint32_t
model_of(ir_stage s)
{
    static const uint32_t models[] = {[IR_STAGE_COMPUTE] = SPIRV_MODEL_COMPUTE,
                                      [IR_STAGE_VERTEX] = SPIRV_MODEL_VERTEX,
                                      [IR_STAGE_FRAGMENT] = SPIRV_MODEL_FRAGMENT};
    return models[s];
}

void
spirv_read_entry(spirv_reader *r, const spirv_insn *i)
{
    const char *name = spirv_string(r, i, 3);
    r->entries = arena_grow(r->a, r->entries, &r->cap_entries, r->n_entries + 1,
                            sizeof *r->entries);
    r->entries[r->n_entries++] = i->at;
    if (r->entry_at || i->w[1] != model_of(r->opt->stage))
        return;
    if (!r->opt->entry || !strcmp(name, r->opt->entry))
        r->entry_at = i->at;
}

/* ---- execution modes ---- */

/* The bit of ir_float_controls for a width in bits. */
static uint8_t
width_bit(uint32_t width)
{
    return width == 16 ? 1 : width == 32 ? 2 : width == 64 ? 4 : 0;
}

static void
read_mode(spirv_reader *r, const spirv_insn *i, ir_shader *s)
{
    uint32_t arg = i->n > 3 ? i->w[3] : 0;
    switch (i->w[2]) {
    case SPIRV_MODE_LOCAL_SIZE:
        for (unsigned d = 0; d < 3; d++)
            s->workgroup_size[d] = spirv_word(r, i, 3 + d);
        break;
    case SPIRV_MODE_LOCAL_SIZE_ID:
        for (unsigned d = 0; d < 3; d++)
            r->size_id[d] = spirv_ref(r, i, 3 + d)->number;
        break;
    case SPIRV_MODE_DENORM_PRESERVE: s->fp.denorm_preserve |= width_bit(arg); break;
    case SPIRV_MODE_DENORM_FLUSH: s->fp.denorm_flush |= width_bit(arg); break;
    case SPIRV_MODE_PRESERVE_NAN_INF: s->fp.preserve_nan_inf |= width_bit(arg); break;
    case SPIRV_MODE_ROUND_EVEN: s->fp.round_even |= width_bit(arg); break;
    case SPIRV_MODE_ROUND_ZERO: s->fp.round_zero |= width_bit(arg); break;
    case SPIRV_MODE_XFB: s->captures = true; break;
    case SPIRV_MODE_EARLY_TESTS: s->fragment.early_tests = true; break;
    case SPIRV_MODE_POST_DEPTH_COVERAGE: s->fragment.post_depth_coverage = true; break;
    case SPIRV_MODE_DEPTH_GREATER: s->fragment.depth_bound = IR_DEPTH_GREATER; break;
    case SPIRV_MODE_DEPTH_LESS: s->fragment.depth_bound = IR_DEPTH_LESS; break;
    case SPIRV_MODE_DEPTH_UNCHANGED: s->fragment.depth_bound = IR_DEPTH_UNCHANGED; break;
    case SPIRV_MODE_PIXEL_ORDERED: s->fragment.interlock = IR_INTERLOCK_PIXEL; break;
    case SPIRV_MODE_PIXEL_UNORDERED: s->fragment.interlock = IR_INTERLOCK_PIXEL_UNORDERED; break;
    case SPIRV_MODE_SAMPLE_ORDERED: s->fragment.interlock = IR_INTERLOCK_SAMPLE; break;
    case SPIRV_MODE_SAMPLE_UNORDERED: s->fragment.interlock = IR_INTERLOCK_SAMPLE_UNORDERED; break;
    case SPIRV_MODE_DERIVATIVE_QUADS:
    case SPIRV_MODE_DERIVATIVE_LINEAR: spirv_unsupported(r, "derivative groups in compute shaders");
    default: break;
    }
}

void
spirv_read_mode(spirv_reader *r, const spirv_insn *i)
{
    if (r->entry_at && i->w[1] == r->words[r->entry_at + 2] && r->f)
        read_mode(r, i, &r->f->shader);
}
