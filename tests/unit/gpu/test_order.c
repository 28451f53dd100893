/* The order of work: which accesses of dispatches and packets conflict. Each case is a list of
 * steps, as command streams make them, and the number of conflicts that all of them have. */
#include "gpu/order/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef enum step_kind {
    END,       /* of the steps */
    DISPATCH,  /* one with a single access of kind `what` to `bytes` bytes at `at` */
    COPY,      /* the DMA engine writes there (what: 1) or reads */
    PACKET,    /* the command processor does */
    DRAW,      /* one: a part accesses `bytes` bytes at `at`; what: kind | part << PART_SHIFT */
    PASS,      /* a packet with points `what` */
    JOB,       /* the ring's submission ends, and another begins, which waits for nothing */
    SEMAPHORE, /* the ring begins a submission that waits for all that ring `what` has done */
} step_kind;

typedef struct step {
    step_kind kind;
    uint32_t ring, what, at, bytes;
} step;

enum {
    LOAD = AMD_EMU_READS,
    SCALAR = AMD_EMU_READS | AMD_EMU_SCALAR,
    COHERENT = AMD_EMU_READS | AMD_EMU_COHERENT,
    STORE = AMD_EMU_WRITES,
    ATOMIC = AMD_EMU_READS | AMD_EMU_WRITES | AMD_EMU_ATOMIC,
    ALL = GPU_POINT_SHADERS | GPU_POINT_VECTOR | GPU_POINT_SCALAR,
    /* of draws */
    PART_SHIFT = 8,
    VERTICES = AMD_DRAW_VERTICES << PART_SHIFT,
    PIXELS = AMD_DRAW_PIXELS << PART_SHIFT,
    RESULTS = AMD_DRAW_RESULTS << PART_SHIFT,
    DRAWN = GPU_POINT_DRAWS | GPU_POINT_VECTOR | GPU_POINT_SCALAR,
};

typedef struct order_case {
    const char *what;
    uint32_t conflicts, cached;
    step steps[6];
} order_case;

static const order_case cases[] = {
    {"store, load", 1, 0, {{DISPATCH, 0, STORE, 64, 64}, {DISPATCH, 0, LOAD, 64, 64}}},
    {"load, store", 1, 0, {{DISPATCH, 0, LOAD, 64, 64}, {DISPATCH, 0, STORE, 64, 64}}},
    {"store, store", 1, 0, {{DISPATCH, 0, STORE, 64, 64}, {DISPATCH, 0, STORE, 124, 8}}},
    {"load, load", 0, 0, {{DISPATCH, 0, LOAD, 64, 64}, {DISPATCH, 0, LOAD, 64, 64}}},
    {"other bytes", 0, 0, {{DISPATCH, 0, STORE, 64, 64}, {DISPATCH, 0, LOAD, 128, 64}}},
    {"bytes of one dword", 0, 0, {{DISPATCH, 0, STORE, 64, 1}, {DISPATCH, 0, LOAD, 65, 3}}},
    {"a byte of a dword", 1, 0, {{DISPATCH, 0, STORE, 64, 4}, {DISPATCH, 0, LOAD, 65, 1}}},
    {"over pages", 1, 0, {{DISPATCH, 0, STORE, 0, 20000}, {DISPATCH, 0, LOAD, 19996, 4}}},
    {"waited for",
     0,
     0,
     {{DISPATCH, 0, STORE, 64, 64}, {PASS, 0, ALL, 0, 0}, {DISPATCH, 0, LOAD, 64, 64}}},
    {"waited for, vector cache",
     0,
     1,
     {{DISPATCH, 0, STORE, 64, 64},
      {PASS, 0, GPU_POINT_SHADERS | GPU_POINT_SCALAR, 0, 0},
      {DISPATCH, 0, LOAD, 64, 64}}},
    {"waited for, scalar cache",
     0,
     1,
     {{DISPATCH, 0, STORE, 64, 64},
      {PASS, 0, GPU_POINT_SHADERS | GPU_POINT_VECTOR, 0, 0},
      {DISPATCH, 0, SCALAR, 64, 64}}},
    {"caches, then the wait",
     0,
     1,
     {{DISPATCH, 0, STORE, 64, 64},
      {PASS, 0, GPU_POINT_VECTOR, 0, 0},
      {PASS, 0, GPU_POINT_SHADERS, 0, 0},
      {DISPATCH, 0, LOAD, 64, 64}}},
    {"load, wait, store: no cache matters",
     0,
     0,
     {{DISPATCH, 0, LOAD, 64, 64},
      {PASS, 0, GPU_POINT_SHADERS, 0, 0},
      {DISPATCH, 0, STORE, 64, 64}}},
    {"released caches and a wait for memory",
     0,
     0,
     {{DISPATCH, 0, STORE, 64, 64},
      {PASS, 0, GPU_POINT_RELEASE, 0, 0},
      {PASS, 0, GPU_POINT_MEMORY, 0, 0},
      {DISPATCH, 0, LOAD, 64, 64}}},
    {"the wait is for the first alone",
     1,
     0,
     {{DISPATCH, 0, STORE, 64, 64},
      {PASS, 0, ALL, 0, 0},
      {DISPATCH, 0, STORE, 128, 64},
      {DISPATCH, 0, LOAD, 64, 128}}},
    {"atomics", 0, 0, {{DISPATCH, 0, ATOMIC, 64, 4}, {DISPATCH, 0, ATOMIC, 64, 4}}},
    {"store, atomic", 1, 0, {{DISPATCH, 0, STORE, 64, 4}, {DISPATCH, 0, ATOMIC, 64, 4}}},
    {"atomic, load", 1, 0, {{DISPATCH, 0, ATOMIC, 64, 4}, {DISPATCH, 0, LOAD, 64, 4}}},
    {"a flag", 0, 0, {{DISPATCH, 0, STORE, 64, 4}, {DISPATCH, 0, COHERENT, 64, 4}}},
    {"a job behind another", 1, 0, {{DISPATCH, 0, STORE, 0, 4}, {JOB}, {DISPATCH, 0, LOAD, 0, 4}}},
    {"a job that waits for another",
     0,
     0,
     {{DISPATCH, 0, STORE, 0, 4}, {SEMAPHORE, 0, 0, 0, 0}, {DISPATCH, 0, LOAD, 0, 4}}},
    {"two rings", 1, 0, {{DISPATCH, 0, STORE, 0, 4}, {DISPATCH, 1, LOAD, 0, 4}}},
    {"two rings, a wait on one",
     1,
     0,
     {{DISPATCH, 0, STORE, 0, 4}, {PASS, 0, ALL, 0, 0}, {DISPATCH, 1, LOAD, 0, 4}}},
    {"two rings, a semaphore",
     0,
     0,
     {{DISPATCH, 0, STORE, 0, 4}, {SEMAPHORE, 1, 0, 0, 0}, {DISPATCH, 1, LOAD, 0, 4}}},
    {"store, vertex shader's load",
     1,
     0,
     {{DISPATCH, 0, STORE, 64, 64}, {DRAW, 0, VERTICES | LOAD, 64, 64}}},
    {"the same with a wait",
     0,
     0,
     {{DISPATCH, 0, STORE, 64, 64}, {PASS, 0, ALL, 0, 0}, {DRAW, 0, VERTICES | LOAD, 64, 64}}},
    {"the same with a wait, vector cache",
     0,
     1,
     {{DISPATCH, 0, STORE, 64, 64},
      {PASS, 0, GPU_POINT_SHADERS, 0, 0},
      {DRAW, 0, PIXELS | LOAD, 64, 64}}},
    {"a wait for shaders is not for draws",
     1,
     0,
     {{DRAW, 0, PIXELS | STORE, 64, 64}, {PASS, 0, ALL, 0, 0}, {DISPATCH, 0, LOAD, 64, 64}}},
    {"a wait for vertices is not for pixels",
     1,
     0,
     {{DRAW, 0, PIXELS | STORE, 64, 64},
      {PASS, 0, ALL | GPU_POINT_VERTICES, 0, 0},
      {DISPATCH, 0, LOAD, 64, 64}}},
    {"a wait for pixels is not for what they store in attachments",
     1,
     0,
     {{DRAW, 0, RESULTS | STORE, 64, 64},
      {PASS, 0, ALL | GPU_POINT_VERTICES | GPU_POINT_PIXELS, 0, 0},
      {DISPATCH, 0, LOAD, 64, 64}}},
    {"attachments, waited for",
     0,
     0,
     {{DRAW, 0, RESULTS | STORE, 64, 64}, {PASS, 0, DRAWN, 0, 0}, {DISPATCH, 0, LOAD, 64, 64}}},
    {"results of draws are in order",
     0,
     0,
     {{DRAW, 0, RESULTS | STORE, 64, 64}, {DRAW, 0, RESULTS | STORE, 64, 64}}},
    {"results, then a pixel shader's load",
     1,
     0,
     {{DRAW, 0, RESULTS | STORE, 64, 64}, {DRAW, 0, PIXELS | LOAD, 64, 64}}},
    {"shaders of two draws",
     1,
     0,
     {{DRAW, 0, PIXELS | STORE, 64, 64}, {DRAW, 0, VERTICES | LOAD, 64, 64}}},
    {"results of two rings",
     1,
     0,
     {{DRAW, 0, RESULTS | STORE, 64, 64}, {DRAW, 1, RESULTS | STORE, 64, 64}}},
    {"indices, then their change",
     1,
     0,
     {{DRAW, 0, VERTICES | LOAD, 64, 64}, {COPY, 0, 1, 64, 64}}},
    {"semaphores lead on",
     0,
     0,
     {{DISPATCH, 0, STORE, 0, 4},
      {SEMAPHORE, 1, 0, 0, 0},
      {SEMAPHORE, 2, 1, 0, 0},
      {DISPATCH, 2, LOAD, 0, 4}}},
    {"dispatch, copy from there", 1, 0, {{DISPATCH, 0, STORE, 0, 4}, {COPY, 0, 0, 0, 64}}},
    {"copy, dispatch", 1, 0, {{COPY, 0, 1, 0, 64}, {DISPATCH, 0, LOAD, 0, 4}}},
    {"copy, a wait for shaders",
     1,
     0,
     {{COPY, 0, 1, 0, 64}, {PASS, 0, ALL}, {DISPATCH, 0, LOAD, 0, 4}}},
    {"copy, a wait for it",
     0,
     0,
     {{COPY, 0, 1, 0, 64},
      {PASS, 0, GPU_POINT_DMA | GPU_POINT_VECTOR, 0, 0},
      {DISPATCH, 0, LOAD, 0, 4}}},
    {"packets are in order", 0, 0, {{PACKET, 0, 1, 0, 4}, {PACKET, 0, 1, 0, 4}}},
    {"a packet's write, a load's cache", 0, 1, {{PACKET, 0, 1, 0, 4}, {DISPATCH, 0, LOAD, 0, 4}}},
    {"a packet's write, a store", 0, 0, {{PACKET, 0, 1, 0, 4}, {DISPATCH, 0, STORE, 0, 4}}},
    {"a store, a packet's read", 1, 0, {{DISPATCH, 0, STORE, 0, 4}, {PACKET, 0, 0, 0, 4}}},
};

enum { RINGS = 3, PLACE = 0x10000 };

typedef struct bench {
    gpu_order order;
    gpu_order_ring rings[RINGS];
    gpu_clock ended[RINGS];
    uint32_t conflicts, cached;
} bench;

static void
count(bench *b)
{
    gpu_conflict *all;
    uint32_t n = gpu_order_conflicts(&b->order, &all);
    for (uint32_t k = 0; k < n; k++) {
        b->conflicts += !all[k].is_cached;
        b->cached += all[k].is_cached;
    }
}

static void
dispatch(bench *b, const step *s)
{
    const amd_emu_access access = {.pc = 0x1000 + 4 * s->what, .kind = s->what};
    amd_emu_touch t = {.address = PLACE + s->at, .size = s->bytes};
    *(s->what & AMD_EMU_WRITES ? &t.writer : &t.reader) = access;
    gpu_order_dispatch(&b->order, &b->rings[s->ring], &(gpu_work){.entry = 0x1000});
    gpu_order_touched(&b->order, &t);
    count(b);
}

/* Fixed functions have no pc. */
static void
draw(bench *b, const step *s)
{
    static const gpu_work parts[AMD_DRAW_PARTS] = {{.is_draw = true}, {.is_draw = true}};
    amd_draw_part part = (amd_draw_part)(s->what >> PART_SHIFT);
    uint32_t kind = s->what & 0xff;
    const amd_emu_access access = {.pc = part == AMD_DRAW_RESULTS ? 0 : 0x2000 + 4 * kind,
                                   .kind = kind};
    amd_emu_touch t = {.address = PLACE + s->at, .size = s->bytes};
    *(kind & AMD_EMU_WRITES ? &t.writer : &t.reader) = access;
    gpu_order_draw(&b->order, &b->rings[s->ring], parts);
    gpu_order_drawn(&b->order, part, &t);
    count(b);
}

static void
packet(bench *b, const step *s)
{
    const gpu_packet_access a = {.packet = "PACKET",
                                 .agent = s->kind == COPY ? GPU_AGENT_DMA : GPU_AGENT_CP,
                                 .address = PLACE + s->at,
                                 .size = s->bytes,
                                 .writes = s->what};
    gpu_order_packet(&b->order, &b->rings[s->ring], &a);
    count(b);
}

static void
take(bench *b, const step *s)
{
    const gpu_clock nothing = {0};
    gpu_order_ring *r = &b->rings[s->ring];
    switch (s->kind) {
    case DISPATCH: dispatch(b, s); break;
    case DRAW: draw(b, s); break;
    case COPY:
    case PACKET: packet(b, s); break;
    case PASS: gpu_order_pass(&b->order, r, s->what); break;
    case JOB:
        gpu_order_end(&b->order, r, &b->ended[s->ring]);
        gpu_order_begin(r, &nothing, r->submission + 1);
        break;
    case SEMAPHORE:
        gpu_order_end(&b->order, &b->rings[s->what], &b->ended[s->what]);
        gpu_order_begin(r, &b->ended[s->what], r->submission + 1);
        break;
    default: break;
    }
}

static void
begin(bench *b)
{
    memset(b, 0, sizeof *b);
    gpu_order_init(&b->order, NULL, NULL);
    for (uint32_t k = 0; k < RINGS; k++)
        b->rings[k].index = k;
}

static void
test_cases(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        bench b;
        begin(&b);
        for (const step *s = cases[k].steps; s->kind != END; s++)
            take(&b, s);
        if (b.conflicts != cases[k].conflicts || b.cached != cases[k].cached)
            fail_msg("%s: %u conflicts, %u of caches", cases[k].what, (unsigned)b.conflicts,
                     (unsigned)b.cached);
        gpu_order_free(&b.order);
    }
}

/* Conflicts of one pair of instructions are one, with the bytes of all. */
static void
test_joined(void **state)
{
    (void)state;
    bench b;
    gpu_conflict *all;
    begin(&b);
    take(&b, &(step){DISPATCH, 0, STORE, 64, 1024});
    take(&b, &(step){DISPATCH, 0, LOAD, 128, 512});
    assert_int_equal(gpu_order_conflicts(&b.order, &all), 1);
    assert_int_equal(all->address, PLACE + 128);
    assert_int_equal(all->bytes, 512);
    assert_int_equal(all->earlier.work.serial, 1);
    assert_int_equal(all->later.work.serial, 2);
    gpu_order_free(&b.order);
}

/* The parts of one draw do not conflict, whatever they access. */
static void
test_parts(void **state)
{
    (void)state;
    bench b;
    gpu_conflict *all;
    const amd_emu_access store = {.pc = 0x100, .kind = STORE}, load = {.pc = 0x104, .kind = LOAD};
    const gpu_work parts[AMD_DRAW_PARTS] = {{.is_draw = true}, {.is_draw = true}};
    begin(&b);
    gpu_order_draw(&b.order, &b.rings[0], parts);
    gpu_order_drawn(&b.order, AMD_DRAW_VERTICES, &(amd_emu_touch){PLACE, 64, store, {0}});
    gpu_order_drawn(&b.order, AMD_DRAW_PIXELS, &(amd_emu_touch){PLACE, 64, {0}, load});
    gpu_order_drawn(&b.order, AMD_DRAW_RESULTS, &(amd_emu_touch){PLACE, 64, store, load});
    assert_int_equal(gpu_order_conflicts(&b.order, &all), 0);
    take(&b, &(step){DISPATCH, 0, LOAD, 0, 64});
    assert_int_equal(b.conflicts, 1);
    gpu_order_free(&b.order);
}

/* A dispatch whose atomic may tell it that another is over has no conflict with that. */
static void
test_learnt(void **state)
{
    (void)state;
    bench b;
    gpu_conflict *all;
    begin(&b);
    const amd_emu_access store = {.pc = 0x100, .kind = STORE}, load = {.pc = 0x104, .kind = LOAD};
    const amd_emu_access atomic = {.pc = 0x108, .kind = ATOMIC};
    const amd_emu_touch flag = {.address = PLACE, .size = 4, .writer = atomic};
    gpu_order_dispatch(&b.order, &b.rings[0], &(gpu_work){.entry = 0x100});
    gpu_order_touched(&b.order, &(amd_emu_touch){PLACE + 64, 4, store, {0}});
    gpu_order_touched(&b.order, &flag);
    gpu_order_dispatch(&b.order, &b.rings[1], &(gpu_work){.entry = 0x100});
    gpu_order_touched(&b.order, &(amd_emu_touch){PLACE + 64, 4, {0}, load});
    assert_int_equal(gpu_order_conflicts(&b.order, &all), 1);
    gpu_order_touched(&b.order, &flag);
    assert_int_equal(gpu_order_conflicts(&b.order, &all), 0);
    gpu_order_free(&b.order);
}

/* Memory is bounded: a history that is too long is dropped. */
static void
test_long(void **state)
{
    (void)state;
    bench b;
    begin(&b);
    for (uint32_t k = 0; k < 64; k++)
        take(&b, &(step){COPY, 0, 1, k << 20, 1 << 20});
    assert_true(arena_peak(&b.order.a) < 256u << 20);
    assert_int_equal(b.conflicts, 0);
    take(&b, &(step){COPY, 0, 1, 0, UINT32_MAX});
    assert_int_equal(b.order.n_records, 0);
    gpu_order_free(&b.order);
}

/* ---- what packets mean ---- */

static uint32_t
points(amd_gen gen, uint32_t opcode, const uint32_t *words, uint32_t n)
{
    uint32_t dwords[16] = {3u << 30 | (n - 1) << 16 | opcode << 8};
    gpu_stream s = {.dwords = dwords, .count = n + 1, .gen = gen};
    gpu_packet p;
    memcpy(dwords + 1, words, n * sizeof *words);
    assert_int_equal(gpu_stream_next(&s, &p), GPU_STREAM_PACKET);
    return gpu_points_of(&p);
}

#define POINTS(gen, opcode, ...)                                                                   \
    points(gen, opcode, (const uint32_t[]){__VA_ARGS__},                                           \
           sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

static void
test_points(void **state)
{
    (void)state;
    enum { WAIT_REG_MEM = 0x3c, SURFACE_SYNC = 0x43, EVENT_WRITE = 0x46, ACQUIRE_MEM = 0x58 };
    enum { RELEASE_MEM = 0x49, DMA_DATA = 0x50, VECTOR = GPU_POINT_VECTOR };
    const uint32_t caches = 1u << 22 | 1u << 27, both = VECTOR | GPU_POINT_SCALAR;
    assert_int_equal(POINTS(AMD_GFX6, EVENT_WRITE, 0x407), GPU_POINT_SHADERS);
    assert_int_equal(POINTS(AMD_GFX12, EVENT_WRITE, 0x407), GPU_POINT_SHADERS);
    assert_int_equal(POINTS(AMD_GFX10, EVENT_WRITE, 0x40f), GPU_POINT_VERTICES);
    assert_int_equal(POINTS(AMD_GFX10, EVENT_WRITE, 0x410), GPU_POINT_VERTICES | GPU_POINT_PIXELS);
    assert_int_equal(POINTS(AMD_GFX10, EVENT_WRITE, 0x02e), 0);
    assert_int_equal(POINTS(AMD_GFX6, SURFACE_SYNC, 0, 0, 0, 0), VECTOR);
    assert_int_equal(POINTS(AMD_GFX8, SURFACE_SYNC, 0, 0, 0, 0), 0);
    assert_int_equal(POINTS(AMD_GFX8, SURFACE_SYNC, caches, 0, 0, 0), both);
    assert_int_equal(POINTS(AMD_GFX8, SURFACE_SYNC, 1 << 6, 0, 0, 0), GPU_POINT_DRAWS);
    assert_int_equal(POINTS(AMD_GFX7, ACQUIRE_MEM, 1 << 14, 0, 0, 0, 0, 0), GPU_POINT_DRAWS);
    assert_int_equal(POINTS(AMD_GFX9, ACQUIRE_MEM, caches, 0, 0, 0, 0, 0), both);
    assert_int_equal(POINTS(AMD_GFX10, ACQUIRE_MEM, caches, 0, 0, 0, 0, 0, 0), 0);
    assert_int_equal(POINTS(AMD_GFX10, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0, 1 << 8), VECTOR);
    assert_int_equal(POINTS(AMD_GFX12, ACQUIRE_MEM, 0, 0, 0, 0, 0, 0, 1 << 7), GPU_POINT_SCALAR);
    assert_int_equal(POINTS(AMD_GFX11, ACQUIRE_MEM, 0, 0, 0, 0, 0, 1u << 31, 0),
                     GPU_POINT_SHADERS | GPU_POINT_DRAWS);
    assert_int_equal(POINTS(AMD_GFX10, WAIT_REG_MEM, 0x13, 0, 0, 0, 0, 0), GPU_POINT_MEMORY);
    assert_int_equal(POINTS(AMD_GFX10, WAIT_REG_MEM, 0x03, 0, 0, 0, 0, 0), 0);
    assert_int_equal(POINTS(AMD_GFX10, RELEASE_MEM, 0x528, 0, 0, 0, 0, 0), 0);
    assert_int_equal(POINTS(AMD_GFX10, RELEASE_MEM, 0x528 | 1 << 14, 0, 0, 0, 0, 0),
                     GPU_POINT_RELEASE);
    assert_int_equal(POINTS(AMD_GFX9, DMA_DATA, 1u << 31, 0, 0, 0, 0, 0), GPU_POINT_DMA);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases), cmocka_unit_test(test_joined), cmocka_unit_test(test_learnt),
        cmocka_unit_test(test_parts), cmocka_unit_test(test_long),   cmocka_unit_test(test_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
