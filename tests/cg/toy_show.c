#include "toy_show.h"
#include "toy_order.h"

#include "base/buf.h"
#include "cg/effects.h"
#include "cg/next_use.h"
#include "cg/ra.h"
#include "ir/pass.h"
#include "ir/text.h"

#include <stdio.h>

/* ---- text ---- */

static void
print_instr(const ir_instr *i)
{
    base_buf out = buf_make(i->block->fn->arena);
    ir_print_instr(i->block->fn, i, 0, &out);
    printf("%s\n", buf_text(&out));
}

static void
print_demand(cg_demand d)
{
    for (unsigned k = 0; k < TOY_BANKS; k++)
        printf(" %d", d.units[k]);
}

/* ---- liveness ---- */

void
toy_show_demand(ir_fn *f)
{
    const cg_live *live = cg_of(f)->live;
    IR_FOREACH_BLOCK(b, f) {
        printf("BB%u live in:", b->index);
        for (uint32_t k = 0; k < live->in[b->index].count; k++)
            printf(" %%%u", live->in[b->index].ids[k]);
        printf("; demand:");
        print_demand(live->blocks[b->index]);
        printf("\n");
    }
}

void
toy_show_pressure(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            printf("demand");
            print_demand(cg_of(f)->live->instrs[i->index]);
            printf(" at ");
            print_instr(i);
        }
    }
}

void
toy_show_spans(ir_fn *f)
{
    const cg_span *spans = cg_find_spans(f, cg_of(f)->live, f->arena);
    for (uint32_t id = 1; id < f->n_values; id++) {
        if (spans[id].start != UINT32_MAX)
            printf("%%%u lives from %u.%u to %u.%u\n", id, spans[id].start / 2, spans[id].start % 2,
                   spans[id].end / 2, spans[id].end % 2);
    }
}

/* ---- next uses ---- */

/* A distance behind the number of loops that it leaves: "1x5". */
static void
show_distance(uint32_t id, uint32_t distance)
{
    if (distance >= CG_NEVER)
        return;
    printf(" %%%u:", id);
    if (distance >= CG_LOOP_EXIT)
        printf("%ux", distance / CG_LOOP_EXIT);
    printf("%u", distance % CG_LOOP_EXIT);
}

static void
show_bank_of_list(ir_fn *f, unsigned list)
{
    uint32_t *number = ARENA_ARRAY(f->arena, f->n_values, uint32_t);
    for (uint32_t id = 1; id < f->n_values; id++)
        number[id] = ir_class_of(f, f->values[id].type)->edges == list;
    cg_next_use n = cg_compute_next_use(f, number, list, f->arena);
    IR_FOREACH_BLOCK(b, f) {
        printf("BB%u %s uses in:", b->index, list ? "linear" : "logical");
        for (uint32_t id = 1; id < f->n_values; id++)
            show_distance(id, cg_next_use_of(&n, n.in[b->index], id));
        printf("; out:");
        for (uint32_t id = 1; id < f->n_values; id++)
            show_distance(id, cg_next_use_of(&n, n.out[b->index], id));
        printf("\n");
    }
}

void
toy_show_next_uses(ir_fn *f)
{
    ir_require(f, IR_HAS_LOOPS);
    show_bank_of_list(f, 0);
    show_bank_of_list(f, 1);
}

/* ---- affinities ---- */

static ra_ctx *
find_affinities(ir_fn *f)
{
    const ir_machine *m = f->level->machine;
    ra_ctx *c = ARENA_NEW(f->arena, ra_ctx);
    *c = (ra_ctx){.f = f,
                  .state = cg_of(f),
                  .classes = m->classes,
                  .shift = m->unit_shift,
                  .unit = 1u << m->unit_shift,
                  .live = cg_of(f)->live,
                  .a = f->arena,
                  .clock = 1};
    for (unsigned k = 0; k < TOY_BANKS; k++)
        c->end[k] = c->pinned_end[k] = (uint16_t)(m->banks[k].first + m->banks[k].units);
    cg_ra_grow_values(c);
    cg_ra_find_affinities(c);
    return c;
}

static uint32_t
root_of(const ra_ctx *c, uint32_t id, int *offset)
{
    *offset = 0;
    for (; c->webs[id].parent != id; id = c->webs[id].parent)
        *offset += c->webs[id].offset;
    return id;
}

/* Members by distance from the first unit of the web. */
void
toy_show_webs(ir_fn *f)
{
    const ra_ctx *c = find_affinities(f);
    for (uint32_t root = 1; root < f->n_values; root++) {
        const ra_web *w = &c->webs[root];
        if (w->parent != root || w->count == 1)
            continue;
        printf("web of %d units:", w->hi - w->lo);
        for (uint32_t id = 1; id < f->n_values; id++) {
            int offset;
            if (root_of(c, id, &offset) == root)
                printf(" %%%u+%d", id, offset - w->lo);
        }
        printf("; first unit is %d above a multiple of %u\n",
               ((w->phase + w->lo) % w->align + w->align) % w->align, w->align);
    }
}

void
toy_show_wants(ir_fn *f)
{
    const ra_ctx *c = find_affinities(f);
    for (uint32_t id = 1; id < f->n_values; id++) {
        char name[16];
        if (c->v[id].want == RA_NOWHERE)
            continue;
        f->level->reg_name((unsigned)c->v[id].want << c->shift, f->values[id].type, name);
        printf("%%%u wants %s\n", id, name);
    }
}

/* ---- effects ---- */

void
toy_show_effects(ir_fn *f)
{
    IR_FOREACH_BLOCK(b, f) {
        IR_FOREACH_INSTR(i, b) {
            ir_effects e;
            cg_find_effects(i, &e);
            printf("reads %x writes %x%s%s%s%s%s%s: ", e.reads, e.writes,
                   e.lanes & IR_LANES_MASK ? " masked" : "",
                   e.lanes & IR_LANES_READ ? " reads-lanes" : "",
                   e.lanes & IR_LANES_WRITE ? " changes-lanes" : "", e.fence ? " fence" : "",
                   e.unique ? " unique" : "", cg_is_pure(&e) ? " pure" : "");
            print_instr(i);
        }
    }
}

/* ---- the scheduling graph ---- */

void
toy_show_graph(ir_fn *f)
{
    static const char *const kinds[] = {"value", "read", "write", "memory", "order"};
    cg_graph *g = cg_graph_new(f, toy_latency, NULL, f->arena);
    IR_FOREACH_BLOCK(b, f) {
        if (!ir_first_non_phi(b))
            continue;
        cg_graph_build(g, ir_first_non_phi(b), NULL);
        printf("BB%u\n", b->index);
        for (uint32_t k = 0; k < g->n_nodes; k++) {
            printf("  %u (depth %u, height %u) after", k, g->nodes[k].depth, g->nodes[k].height);
            for (uint32_t p = g->nodes[k].preds; p < g->nodes[k + 1].preds; p++)
                printf(" %u:%s:%u", g->preds[p].node, kinds[g->preds[p].kind], g->preds[p].latency);
            printf(": ");
            print_instr(g->nodes[k].instr);
        }
    }
}

static void
show_schedule(ir_fn *f, cg_direction d)
{
    cg_graph *g = cg_graph_new(f, toy_latency, NULL, f->arena);
    IR_FOREACH_BLOCK(b, f) {
        uint32_t cycle = 0;
        if (!ir_first_non_phi(b))
            continue;
        cg_graph_build(g, ir_first_non_phi(b), NULL);
        cg_graph_start(g, d);
        printf("BB%u live:", b->index);
        print_demand(g->demand);
        printf("\n");
        while (g->n_ready) {
            uint32_t node = g->ready[0];
            cg_placing p = {0};
            if (g->tables->tracks)
                p = cg_graph_try(g, node);
            cycle = g->nodes[node].cycle > cycle ? g->nodes[node].cycle : cycle;
            cg_graph_place(g, node, cycle);
            printf("  cycle %u, demand", cycle);
            print_demand(p.most);
            printf(", then live");
            print_demand(g->demand);
            printf(": ");
            print_instr(g->nodes[node].instr);
        }
        cg_graph_apply(g);
    }
}

void
toy_show_forwards(ir_fn *f)
{
    show_schedule(f, CG_FORWARDS);
}

void
toy_show_backwards(ir_fn *f)
{
    show_schedule(f, CG_BACKWARDS);
}
