#include "toy_run.h"

#include "base/bits.h"
#include "ir/bundle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL = (1 << TOY_LANES) - 1, POISON = 0xe5 };

_Noreturn static void
give_up(const char *what)
{
    fprintf(stderr, "the made-up machine cannot go on: %s\n", what);
    exit(3);
}

/* ---- operands ---- */

/* Where the reference's bytes are. */
static uint8_t *
bytes_of(toy_run *m, ir_ref r, unsigned lane)
{
    if (m->by_register || r.kind == IR_REF_NONE)
        return m->regs[lane] + r.reg;
    return m->values[r.id][lane];
}

static void
read_ref(toy_run *m, ir_ref r, unsigned lane, uint8_t *out)
{
    unsigned n = toy_bytes(r.rc);
    bool torn = false;
    memset(out, 0, n);
    if (r.kind == IR_REF_CONST) {
        for (unsigned b = 0; b < n; b++)
            out[b] = b < 4 ? (uint8_t)(r.id >> 8 * b) : 0;
        return;
    }
    if (r.kind == IR_REF_UNDEF)
        return;
    memcpy(out, bytes_of(m, r, lane), n);
    for (unsigned k = 0; k < TOY_LANES && toy_is_uniform(r.rc); k++)
        torn |= memcmp(out, bytes_of(m, r, k), n) != 0;
    if (torn)
        memset(out, POISON, n);
}

/* Active lanes are written, of uniform values all. */
static void
write_now(toy_run *m, ir_ref d, toy_data data)
{
    unsigned lanes = toy_is_uniform(d.rc) ? ALL : m->exec;
    for (unsigned k = 0; k < TOY_LANES; k++) {
        if (lanes >> k & 1)
            memcpy(bytes_of(m, d, k), data[k], toy_bytes(d.rc));
    }
}

static void
write_def(toy_run *m, ir_ref d, toy_data data)
{
    if (!m->in_bundle) {
        write_now(m, d, data);
        return;
    }
    if (m->n_writes == TOY_MAX_WRITES)
        give_up("a bundle is too large");
    toy_write *w = &m->writes[m->n_writes++];
    w->def = d;
    memcpy(w->data, data, sizeof w->data);
}

/* After an instruction: the bundle ends, or there is none. */
static void
end_of_bundle(toy_run *m)
{
    m->in_bundle = false;
    for (unsigned k = 0; k < m->n_writes; k++)
        write_now(m, m->writes[k].def, m->writes[k].data);
    m->n_writes = 0;
}

static void
read_lanes(toy_run *m, ir_ref r, toy_data out)
{
    for (unsigned k = 0; k < TOY_LANES; k++)
        read_ref(m, r, k, out[k]);
}

static unsigned
first_lane(unsigned exec)
{
    return exec ? base_ctz64(exec) : 0;
}

static unsigned
read_word(toy_run *m, ir_ref r, unsigned lane)
{
    uint8_t data[TOY_MAX_BYTES] = {0};
    read_ref(m, r, lane, data);
    return data[0] | (unsigned)data[1] << 8;
}

/* The lanes in which the predicate is odd. */
static unsigned
read_predicate(toy_run *m, ir_ref r)
{
    unsigned lanes = 0;
    for (unsigned k = 0; k < TOY_LANES; k++)
        lanes |= (read_word(m, r, k) & 1) << k;
    return lanes;
}

/* ---- instructions ---- */

static uint64_t
hash_bytes(uint64_t h, const uint8_t *data, unsigned n)
{
    for (unsigned b = 0; b < n; b++)
        h = base_hash64(h * 31 + data[b]);
    return h;
}

static uint64_t
hash_refs(toy_run *m, const ir_instr *i, unsigned lane)
{
    uint64_t h = i->op, swapped = 0;
    uint8_t data[TOY_MAX_BYTES];
    int tied = toy_tied_ref(i);
    bool commutes = ir_has_flag(i, IR_OP_COMMUTES);
    for (unsigned r = 0; r < i->n_refs; r++) {
        ir_ref ref = i->refs[r];
        if (m->by_register && tied == (int)r)
            ref = i->defs[0]; /* the instruction has no field for it */
        read_ref(m, ref, lane, data);
        if (commutes && r < 2)
            swapped += hash_bytes(0, data, toy_bytes(ref.rc));
        else
            h = hash_bytes(h + r, data, toy_bytes(ref.rc));
    }
    return commutes ? base_hash64(h + swapped) : h;
}

/* Definitions are made of the lanes' numbers. */
static void
define_by(toy_run *m, const ir_instr *i, const uint64_t h[TOY_LANES])
{
    toy_data data;
    for (unsigned d = 0; d < i->n_defs; d++) {
        for (unsigned k = 0; k < TOY_LANES; k++) {
            uint64_t own = h[toy_is_uniform(i->defs[d].rc) ? 0 : k];
            for (unsigned b = 0; b < TOY_MAX_BYTES; b++)
                data[k][b] = (uint8_t)base_hash64(own + d * 64 + b);
        }
        write_def(m, i->defs[d], data);
    }
}

/* All definitions are hashes of the opcode and the operands. */
static void
run_hash(toy_run *m, const ir_instr *i)
{
    uint64_t h[TOY_LANES];
    for (unsigned k = 0; k < TOY_LANES; k++)
        h[k] = i->op == TOY_START ? base_hash64(k + 1) : hash_refs(m, i, k);
    define_by(m, i, h);
}

static uint16_t *
cell_of(toy_run *m, const ir_instr *i, unsigned lane)
{
    return &m->cells[ir_words(i)[0] % TOY_AREAS][read_word(m, i->refs[0], lane) % TOY_CELLS];
}

/* Lanes that write to the same cell do it in their order. */
static void
run_memory(toy_run *m, const ir_instr *i)
{
    uint64_t h[TOY_LANES] = {0};
    for (unsigned k = 0; k < TOY_LANES; k++) {
        if (i->op == TOY_PEEK)
            h[k] = *cell_of(m, i, k);
        else if (i->op == TOY_TICK)
            h[k] = m->ticks;
        else if (m->exec >> k & 1)
            *cell_of(m, i, k) = (uint16_t)read_word(m, i->refs[1], k);
    }
    m->ticks += i->op == TOY_TICK;
    define_by(m, i, h);
}

/* What writes before it has read destroys what lies in its definitions' place. */
static void
run_late(toy_run *m, const ir_instr *i)
{
    toy_data junk;
    memset(junk, POISON, sizeof junk);
    for (unsigned d = 0; d < i->n_defs && m->by_register; d++)
        write_def(m, i->defs[d], junk);
    run_hash(m, i);
}

/* Copies of rows, and their parts: all operands in a row, dealt out to the definitions. What is
 * wider than its operand gets zeros. */
static void
run_copy(toy_run *m, const ir_instr *i)
{
    static uint8_t in[TOY_LANES][4096];
    unsigned n = 0, at = 0;
    for (unsigned r = 0; r < i->n_refs; r++) {
        if (i->op == TOY_PART && r == 1) {
            at = i->refs[1].id * toy_bytes(i->defs[0].rc);
            continue;
        }
        ir_ref ref = i->refs[r];
        if (ref.kind == IR_REF_CONST && (i->op == TOY_COPY || i->op == TOY_MOV))
            ref.rc = i->defs[r].rc;
        for (unsigned k = 0; k < TOY_LANES; k++) {
            read_ref(m, ref, k, in[k] + n);
            memset(in[k] + n + toy_bytes(ref.rc), 0, TOY_MAX_BYTES);
        }
        n += toy_bytes(ref.rc);
        if (n + 2 * TOY_MAX_BYTES > sizeof in[0])
            give_up("a copy is too large");
    }
    for (unsigned d = 0; d < i->n_defs; d++) {
        toy_data data;
        for (unsigned k = 0; k < TOY_LANES; k++)
            memcpy(data[k], in[k] + at, toy_bytes(i->defs[d].rc));
        write_def(m, i->defs[d], data);
        at += toy_bytes(i->defs[d].rc);
    }
}

static void
run_slot(toy_run *m, const ir_instr *i)
{
    bool store = i->op == TOY_SPILL;
    ir_ref r = store ? i->refs[0] : i->defs[0];
    unsigned n = toy_bytes(r.rc), at = ir_words(i)[0];
    unsigned lanes = toy_is_uniform(r.rc) ? ALL : m->exec;
    toy_data data;
    if (at + n > TOY_MEMORY)
        give_up("a slot lies outside of memory");
    if (store)
        read_lanes(m, r, data);
    for (unsigned k = 0; k < TOY_LANES; k++) {
        if (store && (lanes >> k & 1))
            memcpy(m->memory[k] + at, data[k], n);
        else if (!store)
            memcpy(data[k], m->memory[k] + at, n);
    }
    if (!store)
        write_def(m, r, data);
}

static void
run_array(toy_run *m, const ir_instr *i)
{
    toy_data array, value;
    unsigned size = toy_bytes(TOY_V1);
    bool fill = i->op == TOY_AFILL || i->op == TOY_BEGIN;
    if (!fill)
        read_lanes(m, i->op == TOY_AWRITE && m->by_register ? i->defs[0] : i->refs[0], array);
    if (i->op != TOY_AREAD)
        read_lanes(m, i->refs[fill ? 0 : 2], value);
    for (unsigned k = 0; k < TOY_LANES; k++) {
        unsigned at = fill ? 0 : read_word(m, i->refs[1], k) % TOY_ELEMENTS * size;
        for (unsigned e = 0; fill && e < TOY_ELEMENTS; e++)
            memcpy(array[k] + e * size, value[k], size);
        if (i->op == TOY_AREAD)
            memcpy(value[k], array[k] + at, size);
        else if (!fill)
            memcpy(array[k] + at, value[k], size);
    }
    write_def(m, i->defs[0], i->op == TOY_AREAD ? value : array);
}

static void
run_first(toy_run *m, const ir_instr *i)
{
    toy_data data = {{0}};
    for (unsigned k = 0; k < TOY_LANES && m->exec; k++)
        read_ref(m, i->refs[0], first_lane(m->exec), data[k]);
    write_def(m, i->defs[0], data);
}

static void
put_out(toy_run *m, unsigned lane, const uint8_t *data, unsigned n)
{
    m->n_output += n;
    for (unsigned b = 0; b < n; b++)
        m->output = base_hash64(m->output * 31 + data[b] + lane);
    if (m->trace)
        printf("    lane %u:", lane);
    for (unsigned b = 0; b < n && m->trace; b++)
        printf(" %02x", data[b]);
    if (m->trace)
        printf("\n");
}

static void
run_out(toy_run *m, const ir_instr *i)
{
    uint8_t data[TOY_MAX_BYTES];
    for (unsigned r = 0; r < i->n_refs; r++) {
        unsigned lanes = toy_is_uniform(i->refs[r].rc) ? 1 : m->exec;
        for (unsigned k = 0; k < TOY_LANES; k++) {
            if (!(lanes >> k & 1))
                continue;
            read_ref(m, i->refs[r], k, data);
            put_out(m, k, data, toy_bytes(i->refs[r].rc));
        }
    }
}

/* ---- lanes ---- */

static toy_frame *
top_frame(toy_run *m)
{
    if (!m->n_frames)
        give_up("no construct is open");
    return &m->frames[m->n_frames - 1];
}

static void
push_frame(toy_run *m, toy_frame frame)
{
    if (m->n_frames == TOY_FRAMES)
        give_up("constructs are too deep");
    m->frames[m->n_frames++] = frame;
}

/* Gives back the lanes of the innermost if, or loop. */
static void
pop_frames(toy_run *m, bool loop)
{
    while (top_frame(m)->loop != loop)
        m->n_frames--;
    m->exec = top_frame(m)->saved;
    m->n_frames--;
}

/* The active lanes leave the loop; true if nobody is left in it. */
static bool
leave_loop(toy_run *m)
{
    unsigned gone = m->exec, left = 0;
    for (unsigned k = m->n_frames; k-- > 0 && !m->frames[k].loop;)
        left = m->frames[k].saved &= ~gone;
    m->exec = 0;
    return !left;
}

static void
end_logical(toy_run *m, const ir_block *b);
static void
start_logical(toy_run *m, const ir_block *b);

static void
run_instr(toy_run *m, const ir_instr *i)
{
    switch (i->op) {
    case TOY_LOGICAL_START: start_logical(m, i->block); break;
    case TOY_LOGICAL_END: end_logical(m, i->block); break;
    case TOY_COPY:
    case TOY_JOIN:
    case TOY_SPLIT:
    case TOY_PART:
    case TOY_GETP:
    case TOY_SETP:
    case TOY_GETA:
    case TOY_SETA:
    case TOY_MOV:
    case TOY_SWAP: run_copy(m, i); break;
    case TOY_SPILL:
    case TOY_RELOAD: run_slot(m, i); break;
    case TOY_AFILL:
    case TOY_BEGIN:
    case TOY_AREAD:
    case TOY_AWRITE: run_array(m, i); break;
    case TOY_FIRST: run_first(m, i); break;
    case TOY_OUT: run_out(m, i); break;
    case TOY_LOOP: push_frame(m, (toy_frame){.loop = true, .saved = m->exec}); break;
    case TOY_ENDIF: pop_frames(m, false); break;
    case TOY_ENDLOOP: pop_frames(m, true); break;
    case TOY_SHUFFLE: run_late(m, i); break;
    case TOY_PEEK:
    case TOY_POKE:
    case TOY_TICK: run_memory(m, i); break;
    default: run_hash(m, i); break;
    }
}

/* Number of the linear successor that the terminator goes to. */
static unsigned
run_terminator(toy_run *m, const ir_instr *i)
{
    switch (i->op) {
    case TOY_BRANCH: return !(read_word(m, i->refs[0], 0) & 1);
    case TOY_IF:
        push_frame(m, (toy_frame){.saved = m->exec});
        m->exec &= read_predicate(m, i->refs[0]);
        top_frame(m)->then = m->exec;
        return !m->exec;
    case TOY_ELSE: m->exec = top_frame(m)->saved & ~top_frame(m)->then; return !m->exec;
    case TOY_BREAK: return leave_loop(m);
    default: return 0;
    }
}

/* ---- phis ---- */

static bool
is_phi(const ir_instr *i, unsigned list)
{
    return ir_has_flag(i, IR_OP_PHI) && ir_has_flag(i, IR_OP_LINEAR_PHI) == (list == 1);
}

/* What the phis of list `list` of `to` take from `b`. */
static void
take_phis(toy_run *m, const ir_block *b, const ir_block *to, unsigned list)
{
    uint32_t pred = ir_pred_index(to, b, list);
    for (const ir_instr *i = to->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        for (unsigned k = 0; k < TOY_LANES && is_phi(i, list); k++) {
            ir_ref ref = i->refs[pred];
            ref.rc = ref.kind == IR_REF_CONST ? i->defs[0].rc : ref.rc;
            if (list == 1 || (m->exec >> k & 1))
                read_ref(m, ref, k, m->coming[i->defs[0].id][k]);
        }
    }
}

static void
define_phis(toy_run *m, const ir_block *b, unsigned list)
{
    for (const ir_instr *i = b->first; i && ir_has_flag(i, IR_OP_PHI); i = i->next) {
        if (is_phi(i, list))
            write_def(m, i->defs[0], m->coming[i->defs[0].id]);
    }
}

/* A lane takes the logical phis' operands where it leaves the predecessor, since uniform ones may
 * change before it reaches the block. */
static void
end_logical(toy_run *m, const ir_block *b)
{
    for (uint32_t s = 0; s < b->succs[0].count; s++)
        take_phis(m, b, b->succs[0].at[s], 0);
}

static void
start_logical(toy_run *m, const ir_block *b)
{
    define_phis(m, b, 0);
}

/* ---- the walk ---- */

static const ir_block *
run_block(toy_run *m, const ir_block *b)
{
    for (const ir_instr *i = b->first; i; i = i->next) {
        if (ir_has_flag(i, IR_OP_PHI))
            continue;
        if (i->op == TOY_END) {
            m->ended = true;
            return NULL;
        }
        if (ir_has_flag(i, IR_OP_TERMINATOR))
            return b->succs[1].at[run_terminator(m, i)];
        m->in_bundle |= ir_joins_next(i, toy_level.bundles);
        run_instr(m, i);
        if (!ir_joins_next(i, toy_level.bundles))
            end_of_bundle(m);
    }
    give_up("a block has no terminator");
}

void
toy_execute(toy_run *m, const ir_fn *f, bool by_register, arena *a)
{
    bool trace = m->trace;
    memset(m, 0, sizeof *m);
    m->trace = trace;
    m->f = f;
    m->by_register = by_register;
    m->exec = ALL;
    for (unsigned k = 0; k < TOY_CELLS; k++)
        m->cells[TOY_AREAS - 1][k] = (uint16_t)base_hash64(k);
    m->values = arena_array(a, f->n_values, sizeof *m->values);
    m->coming = arena_array(a, f->n_values, sizeof *m->coming);
    const ir_block *b = f->blocks[0];
    for (unsigned steps = 0; b && steps < TOY_STEPS; steps++) {
        if (trace)
            printf("  BB%u, lanes %x\n", b->index, m->exec);
        const ir_block *to = run_block(m, b);
        if (to) {
            take_phis(m, b, to, 1);
            define_phis(m, to, 1);
        }
        b = to;
    }
}
