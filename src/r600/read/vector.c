/* Fetches, exports and stores to the tree: vectors of four components. */
#include "r600/read/read.h"

#include <string.h>

enum { SELECT_MASK = 7, FETCH_DWORDS = 4 };

static tree_operand
component(uint32_t reg, uint32_t chan)
{
    return (tree_operand){.kind = TREE_REG, .id = (reg & 127) * 4 + chan};
}

/* ---- fetches ---- */

static void
read_results(tree_vector *v)
{
    const r600_inst *in = &v->inst;
    for (unsigned c = 0; c < 4; c++) {
        if (in->f[R600_F_out_sel_x + c] == SELECT_MASK)
            continue;
        v->def[c] = in->f[R600_F_out_gpr] * 4 + c;
        v->writes |= (uint8_t)(1u << c);
    }
}

static void
read_coordinates(reader *r, tree_vector *v)
{
    const r600_inst *in = &v->inst;
    const uint8_t format = r600_op_row(in->op)->format;
    unsigned n = 0;
    switch (format) {
    case R600_FMT_TEX:
    case R600_FMT_TEX_MOD: n = 4; break;
    case R600_FMT_VTX: n = 1; break;
    case R600_FMT_MEM_READ: n = in->f[R600_F_indexed] ? 1 : 0; break;
    case R600_FMT_GDS:
    case R600_FMT_TF: n = 3; break;
    default: r600_read_lacks(r, r600_op_row(in->op)->name);
    }
    for (unsigned c = 0; c < n; c++)
        if (in->f[R600_F_sel_x + c] < 4)
            v->src[c] = component(in->f[R600_F_src_gpr], in->f[R600_F_sel_x + c]);
}

static void
check_fetch(reader *r, const r600_inst *in)
{
    static const uint16_t none[] = {
        R600_F_src_rel,    R600_F_out_rel,      R600_F_resource_index, R600_F_sampler_index,
        R600_F_lds_req,    R600_F_buffer_index, R600_F_structured,     R600_F_burst,
        R600_F_whole_quad, R600_F_uav_index,    R600_F_alt_const,
    };
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
        if (in->f[none[i]])
            r600_read_lacks(r, "a fetch with such options");
}

void
r600_read_fetch_clause(reader *r)
{
    uint32_t at = r->cf.f[R600_F_addr] * 2;
    tree_node *n = NULL;
    if (r->cf.op == R600_TEX_ACK || r->cf.op == R600_VTX_ACK || r->cf.f[R600_F_wqm])
        r600_read_lacks(r, "a fetch clause with such options");
    for (uint32_t i = 0; i <= r->cf.f[R600_F_count]; i++, at += FETCH_DWORDS) {
        uint32_t words[FETCH_DWORDS];
        r600_read_words(r, at, FETCH_DWORDS, words);
        if (!n) {
            n = r600_tree_new(r->p, TREE_FETCH);
            n->vectors = ARENA_ARRAY(r->p->arena, TREE_MAX_FETCHES, tree_vector);
            n->id = r->cf.op;
            n->bank = (uint8_t)r->cf.f[R600_F_vpm];
        }
        if (n->n == TREE_MAX_FETCHES)
            r600_read_lacks(r, "so many gradients and offsets");
        tree_vector *v = &n->vectors[n->n++];
        r600_decode(r->p->isa, R600_SPACE_FETCH, words, &v->inst);
        if (v->inst.op == R600_RAW)
            r600_read_bad(r, "a word that is no instruction");
        check_fetch(r, &v->inst);
        read_coordinates(r, v);
        if (r600_op_row(v->inst.op)->properties & R600_P_SETS_NEXT)
            continue;
        read_results(v);
        for (unsigned c = 0; n->bank && c < 4; c++)
            if (v->writes >> c & 1)
                v->index[c] = component(v->def[c] / 4, v->def[c] % 4);
        r600_tree_append(r->list, n);
        n = NULL;
    }
    if (n)
        r600_read_lacks(r, "gradients or offsets without a fetch behind them");
}

/* ---- exports and stores ---- */

static void
append(reader *r, const r600_inst *in, tree_vector **out)
{
    tree_node *n = r600_tree_new(r->p, TREE_FLOW);
    n->n = 1;
    n->vectors = ARENA_NEW(r->p->arena, tree_vector);
    n->vectors->inst = *in;
    n->vectors->inst.f[R600_F_eop] = 0;
    *out = n->vectors;
    r600_tree_append(r->list, n);
}

/* Each export of a burst becomes one of its own. */
static void
read_exports(reader *r)
{
    const uint32_t n = r->cf.f[R600_F_burst] + 1;
    for (uint32_t i = 0; i < n; i++) {
        r600_inst in = r->cf;
        tree_vector *v;
        in.f[R600_F_burst] = 0;
        in.f[R600_F_rw_gpr] = (in.f[R600_F_rw_gpr] + i) & 127;
        in.f[R600_F_array_base] += i;
        if (i + 1 < n)
            in.op = R600_EXPORT;
        append(r, &in, &v);
        for (unsigned c = 0; c < 4; c++)
            if (in.f[R600_F_sel_x + c] < 4)
                v->src[c] = component(in.f[R600_F_rw_gpr], in.f[R600_F_sel_x + c]);
    }
}

static void
read_store(reader *r)
{
    enum { RAT_STORE_RAW = 2, RAT_STORE_DWORD = 20 };
    const r600_inst *in = &r->cf;
    const uint8_t format = r600_op_row(in->op)->format;
    const uint32_t op = in->f[R600_F_rat_inst];
    const bool is_rat = format == R600_FMT_CF_RAT;
    const bool is_raw = op == RAT_STORE_RAW || op == RAT_STORE_DWORD;
    const unsigned n = is_rat ? (is_raw ? 1 : 3) : in->f[R600_F_type] & 1;
    tree_vector *v;
    if (format == R600_FMT_CF_SCRATCH && in->f[R600_F_type] & TREE_SCRATCH_READ)
        r600_read_lacks(r, "reads of scratch memory by control flow");
    if (in->f[R600_F_burst] || in->f[R600_F_rat_index] || in->op == R600_MEM_EXPORT ||
        in->op == R600_MEM_EXPORT_COMBINED)
        r600_read_lacks(r, "a store with such options");
    append(r, in, &v);
    for (unsigned c = 0; c < 4; c++)
        if (in->f[R600_F_comp_mask] >> c & 1)
            v->src[c] = component(in->f[R600_F_rw_gpr], c);
    for (unsigned c = 0; c < n; c++)
        v->index[c] = component(in->f[R600_F_index_gpr], c);
}

void
r600_read_transfer(reader *r)
{
    const uint8_t format = r600_op_row(r->cf.op)->format;
    tree_vector *v;
    if (format != R600_FMT_CF && (r->cf.f[R600_F_rw_rel] || r->cf.f[R600_F_wqm]))
        r600_read_lacks(r, "an export or a store with such options");
    if (format == R600_FMT_CF_EXPORT)
        read_exports(r);
    else if (format == R600_FMT_CF)
        append(r, &r->cf, &v);
    else
        read_store(r);
}
