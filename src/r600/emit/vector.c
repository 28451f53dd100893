/* Fetches, exports and stores. */
#include "r600/emit/emit.h"

enum { SELECT_0 = 4, SELECT_1 = 5, SELECT_MASK = 7, MOST_BURST = 15 };

/* The register of a vector; 0 if no component is in one. */
static uint32_t
register_of(const emitter *e, const tree_operand *o)
{
    for (unsigned c = 0; c < 4; c++)
        if (o[c].kind == TREE_VALUE)
            return e->ra->gpr[o[c].id];
    return 0;
}

static void
set_selects(const emitter *e, const tree_operand *o, unsigned n, r600_inst *in)
{
    for (unsigned c = 0; c < n; c++) {
        uint32_t *select = &in->f[R600_F_sel_x + c];
        switch (o[c].kind) {
        case TREE_NONE: break;
        case TREE_VALUE: *select = e->ra->channel[o[c].id]; break;
        case TREE_CONST: *select = o[c].id ? SELECT_1 : SELECT_0; break;
        default: *select = n == 1 ? 0 : SELECT_0; break;
        }
    }
}

static void
set_results(const emitter *e, const tree_vector *v, r600_inst *in)
{
    in->f[R600_F_out_gpr] = 0;
    for (unsigned c = 0; c < 4; c++)
        in->f[R600_F_out_sel_x + c] = SELECT_MASK;
    for (unsigned c = 0; c < 4; c++) {
        if (!v->def[c])
            continue;
        in->f[R600_F_out_gpr] = e->ra->gpr[v->def[c]];
        in->f[R600_F_out_sel_x + e->ra->channel[v->def[c]]] = v->inst.f[R600_F_out_sel_x + c];
    }
}

static unsigned
count_selects(const r600_inst *in)
{
    switch (r600_op_row(in->op)->format) {
    case R600_FMT_VTX:
    case R600_FMT_MEM_READ: return 1;
    case R600_FMT_GDS:
    case R600_FMT_TF: return 3;
    default: return 4;
    }
}

tree_node *
r600_emit_fetches(emitter *e, tree_node *n)
{
    base_buf words = buf_make(e->p->arena);
    const tree_node *first = n;
    for (;; n = n->next) {
        for (unsigned i = 0; i < n->n; i++) {
            const tree_vector *v = &n->vectors[i];
            r600_inst in = v->inst;
            uint32_t w[R600_MAX_WORDS];
            in.f[R600_F_src_gpr] = register_of(e, v->src);
            set_selects(e, v->src, count_selects(&in), &in);
            if (i + 1 == n->n)
                set_results(e, v, &in);
            r600_encode(e->p->isa, &in, w);
            for (unsigned k = 0; k < 4; k++)
                buf_put_u32(&words, w[k]);
            e->figures->fetches++;
        }
        if (n->ends_clause)
            break;
    }
    emit_cf *cf = r600_emit_cf(e, first->id);
    cf->in.f[R600_F_count] = (uint32_t)(words.size / 16) - 1;
    cf->in.f[R600_F_vpm] = first->bank;
    cf->clause = words;
    cf->align = 2;
    return n;
}

/* Makes an export part of the burst before it. */
static bool
joins_burst(const emitter *e, const r600_inst *in)
{
    if (!e->n || e->last_label == e->n)
        return false;
    r600_inst *last = &e->cf[e->n - 1].in;
    const uint32_t n = last->f[R600_F_burst] + 1;
    const bool is_export = last->op == R600_EXPORT ||
                           (last->op == R600_EXPORT_DONE && in->op == last->op);
    if (!is_export || r600_op_row(in->op)->format != R600_FMT_CF_EXPORT || n > MOST_BURST ||
        last->f[R600_F_array_base] + n != in->f[R600_F_array_base] ||
        last->f[R600_F_rw_gpr] + n != in->f[R600_F_rw_gpr])
        return false;
    for (unsigned f = 0; f < R600_FIELD_COUNT; f++)
        if (f != R600_F_array_base && f != R600_F_rw_gpr && f != R600_F_burst &&
            last->f[f] != in->f[f])
            return false;
    last->op = in->op;
    last->f[R600_F_burst]++;
    return true;
}

void
r600_emit_transfer(emitter *e, const tree_node *n)
{
    const tree_vector *v = n->vectors;
    const uint8_t format = r600_op_row(v->inst.op)->format;
    r600_inst in = v->inst;
    if (format != R600_FMT_CF) {
        in.f[R600_F_rw_gpr] = v->def[0] ? e->ra->gpr[v->def[0]] : register_of(e, v->src);
        if (format != R600_FMT_CF_EXPORT)
            in.f[R600_F_index_gpr] = register_of(e, v->index);
        else
            set_selects(e, v->src, 4, &in);
    }
    in.f[R600_F_barrier] = 1;
    if (!joins_burst(e, &in))
        r600_emit_cf(e, in.op)->in = in;
}
