/* Trees as text. */
#include "r600/tree/tree.h"

#include <string.h>

static void
print_operand(const tree_program *p, const tree_operand *o, base_buf *out)
{
    const r600_source_info *s;
    buf_puts(out, o->mods & TREE_NEG ? "-" : "");
    buf_puts(out, o->mods & TREE_ABS ? "|" : "");
    switch (o->kind) {
    case TREE_VALUE: buf_printf(out, "%%%u", o->id); break;
    case TREE_REG: buf_printf(out, "R%u.%c", o->id / 4, "xyzw"[o->id & 3]); break;
    case TREE_PREV: buf_printf(out, "prev.%c", "xyzwt"[o->id]); break;
    case TREE_CONST: buf_printf(out, "0x%x", o->id); break;
    case TREE_ELEMENT:
        buf_printf(out, "A%u[AR.%c+%u]", o->buffer, "xyzw"[o->id & 3], o -> id / 4);
        break;
    case TREE_KCACHE:
        buf_printf(out, "CB%u[%u].%c", o->buffer, o->id / 4, "xyzw"[o->id & 3]);
        break;
    case TREE_SPECIAL:
        s = r600_find_source(p->chip->gen, o->id / 4);
        if (s && s->count > 1)
            buf_printf(out, "%s[%u].%c", s->name, o->id / 4 - s->first, "xyzw"[o->id & 3]);
        else
            buf_printf(out, "%s.%c", s ? s->name : "?", "xyzw"[o->id & 3]);
        break;
    default: buf_puts(out, "undef"); break;
    }
    buf_puts(out, o->mods & TREE_ABS ? "|" : "");
}

static void
print_def(const tree_program *p, uint32_t def, bool writes, base_buf *out)
{
    if (p->is_renamed && def) /* with the channel that it came from */
        buf_printf(out, "%%%u.%c", def, "xyzw"[p->values[def].reg & 3]);
    else if (!p->is_renamed && writes)
        buf_printf(out, "R%u.%c", def / 4, "xyzw"[def & 3]);
    else
        buf_puts(out, "_");
}

static void
print_sources(const tree_program *p, const tree_slot *s, base_buf *out)
{
    for (unsigned k = 0; k < r600_tree_sources(s->op); k++) {
        buf_puts(out, k ? ", " : " ");
        print_operand(p, &s->src[k], out);
    }
}

/* A move of an element: what it reads or writes, and all elements. */
static void
print_access(const tree_program *p, const tree_node *n, base_buf *out)
{
    const tree_access *a = n->access;
    if (a->is_write)
        buf_printf(out, "A%u[", a->array);
    else
        print_def(p, n->slots->def, n->slots->writes, out);
    buf_printf(out, a->is_write ? "" : " = MOV A%u[", a->array);
    print_operand(p, &a->index, out);
    buf_printf(out, "+%u]", a->base);
    if (a->is_write) {
        buf_puts(out, " = MOV ");
        print_operand(p, &n->slots->src[0], out);
    }
    for (uint32_t i = 0; a->def && i < a->n; i++) {
        buf_puts(out, i ? ", " : " def [");
        print_def(p, a->def[i], true, out);
    }
    buf_puts(out, a->def ? "]" : "");
    for (uint32_t i = 0; a->use && i < a->n; i++) {
        buf_puts(out, i ? ", " : " use [");
        print_operand(p, &a->use[i], out);
    }
    buf_puts(out, a->use ? "]" : "");
}

static void
print_slot(const tree_program *p, const tree_node *n, const tree_slot *s, base_buf *out)
{
    static const char *const factors[] = {"", " MUL2", " MUL4", " DIV2"};
    if (n->access) {
        print_access(p, n, out);
        return;
    }
    if (s->array)
        buf_printf(out, "A%u[AR.%c+%u]", s->array - 1u, "xyzw"[s->ar], s -> def);
    else
        print_def(p, s->def, s->writes, out);
    buf_printf(out, " = %s", r600_op_row((r600_op)s->op)->name);
    print_sources(p, s, out);
    buf_puts(out, s->clamp ? " CLAMP" : "");
    buf_puts(out, factors[s->omod & 3]);
    if (s->offset)
        buf_printf(out, " OFFSET(%u)", s->offset);
    if (s->pred)
        buf_puts(out, s->pred == 2 ? " PRED_ZERO" : " PRED_ONE");
    if (n->is_pack || !p->is_renamed)
        buf_printf(out, " slot:%c", "xyzwt"[s->slot]);
}

static void
indent(unsigned depth, base_buf *out)
{
    for (unsigned i = 0; i < depth; i++)
        buf_puts(out, "    ");
}

static void
print_alu(const tree_program *p, const tree_node *n, unsigned depth, base_buf *out)
{
    if (n->is_pack)
        buf_puts(out, "pack {\n");
    for (unsigned i = 0; i < n->n; i++) {
        if (n->is_pack)
            indent(depth + 1, out);
        print_slot(p, n, &n->slots[i], out);
        if (n->is_pack)
            buf_puts(out, "\n");
    }
    if (n->is_pack) {
        indent(depth, out);
        buf_puts(out, "}");
        if (n->bank)
            buf_printf(out, " bank:%u", n->bank - 1u);
    }
    buf_puts(out, n->ends_clause ? " ;;" : n->ends_group ? " ;" : "");
    buf_puts(out, "\n");
}

static void
print_components(const tree_program *p, const tree_operand *o, base_buf *out)
{
    buf_puts(out, "[");
    for (unsigned c = 0; c < 4; c++) {
        buf_puts(out, c ? ", " : "");
        if (o[c].kind)
            print_operand(p, &o[c], out);
        else
            buf_puts(out, "_");
    }
    buf_puts(out, "]");
}

/* The registers in the instruction's text have no meaning. */
static void
print_vector(const tree_program *p, const tree_node *n, unsigned i, base_buf *out)
{
    const tree_vector *v = &n->vectors[i];
    base_buf text = buf_make(p->arena);
    if (n->kind == TREE_FETCH || v->def[0]) {
        buf_puts(out, "[");
        for (unsigned c = 0; c < 4; c++) {
            buf_puts(out, c ? ", " : "");
            print_def(p, v->def[c], v->writes >> c & 1, out);
        }
        buf_puts(out, "] = ");
    }
    r600_print(p->isa, &v->inst, NULL, &text);
    const char *t = buf_text(&text);
    buf_printf(out, "\"%s\" ", t + strspn(t, " "));
    print_components(p, v->src, out);
    if (n->kind == TREE_FLOW || n->bank) {
        buf_puts(out, ", ");
        print_components(p, v->index, out);
    }
    buf_puts(out, "\n");
}

static void
print_phis(const tree_program *p, const tree_node *region, bool is_loop, unsigned depth,
           base_buf *out)
{
    const tree_phi *phi = is_loop ? region->loop_phis : region->phis;
    const unsigned n = is_loop ? 1 + region->n_repeats : region->n_departs;
    for (; phi; phi = phi->next) {
        indent(depth, out);
        print_def(p, phi->def, true, out);
        buf_puts(out, is_loop ? " = loop_phi" : " = phi");
        for (unsigned i = 0; i < n; i++) {
            buf_puts(out, i ? ", " : " ");
            print_operand(p, &phi->src[i], out);
        }
        buf_puts(out, "\n");
    }
}

static void
print_list(const tree_program *p, const tree_list *list, unsigned depth, base_buf *out);

static void
print_node(const tree_program *p, const tree_node *n, unsigned depth, base_buf *out)
{
    switch (n->kind) {
    case TREE_ALU: print_alu(p, n, depth, out); break;
    case TREE_FETCH:
    case TREE_FLOW:
        buf_printf(out, "%s%s%s ", n->kind == TREE_FLOW ? "flow" : "fetch ",
                   n->kind == TREE_FLOW ? "" : r600_op_row((r600_op)n->id)->name,
                   n->kind == TREE_FETCH && n->bank ? " valid" : "");
        for (unsigned i = 0; i < n->n; i++) {
            if (i) {
                indent(depth, out);
                buf_puts(out, "with ");
            }
            print_vector(p, n, i, out);
        }
        break;
    case TREE_REGION:
        buf_printf(out, "region %u {\n", n->id);
        print_phis(p, n, true, depth + 1, out);
        print_list(p, &n->body, depth + 1, out);
        indent(depth, out);
        buf_puts(out, "}\n");
        print_phis(p, n, false, depth, out);
        break;
    case TREE_IF:
        buf_printf(out, "if %s", r600_op_row((r600_op)n->slots->op)->name);
        print_sources(p, n->slots, out);
        buf_puts(out, " {\n");
        print_list(p, &n->body, depth + 1, out);
        indent(depth, out);
        buf_puts(out, "}\n");
        break;
    default:
        buf_printf(out, "%s %u\n", n->kind == TREE_DEPART ? "depart" : "repeat", n->target->id);
        break;
    }
}

static void
print_list(const tree_program *p, const tree_list *list, unsigned depth, base_buf *out)
{
    for (const tree_node *n = list->first; n; n = n->next) {
        indent(depth, out);
        print_node(p, n, depth, out);
    }
}

void
r600_tree_print(const tree_program *p, base_buf *out)
{
    buf_printf(out, "target: %s\n", p->chip->name);
    buf_printf(out, "form: %s\n", !p->is_renamed ? "registers" : p->is_ssa ? "ssa" : "variables");
    for (uint32_t v = 1; p->is_renamed && v < p->n_values; v++)
        if (p->values[v].is_input)
            buf_printf(out, "input: %%%u R%u.%c\n", v, p->values[v].reg / 4,
                       "xyzw"[p->values[v].reg & 3]);
    for (uint32_t i = 0; i < p->n_arrays; i++)
        buf_printf(out, "array: A%u R%u.%c %u\n", i, p->arrays[i].reg / 4,
                   "xyzw"[p->arrays[i].reg & 3], p -> arrays[i].n);
    tree_program with_texts = *p;
    with_texts.isa = r600_isa_open(p->arena, p->chip->gen);
    print_list(&with_texts, &p->body, 0, out);
}
