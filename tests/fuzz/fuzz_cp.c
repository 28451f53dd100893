/* Arbitrary command streams on the command processor and on the copy engine, on all generations: a stream ends, waits, or is a fault with a
 * message; it never reads or writes outside the GPU's memory, and dispatches and draws run.
 *
 * The input: the number of a chip, from COPIES on for its copy engine, what the memory holds, and dwords: the stream, which lies at STREAM. More ranges are mapped where RADV's
 * buffers lie, so that streams which were recorded from it run on. They hold code that draws a triangle and ends, addresses of themselves, small numbers or garbage.
 */
#include "fuzz.h"

#include "amd/isa/isa.h"
#include "base/diag.h"
#include "gpu/chip/chip.h"
#include "gpu/cp/launch.h"
#include "gpu/sdma/sdma.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HIGH   UINT64_C(0xffff800000000000) /* code and command streams */
#define FAR    UINT64_C(0xffff800100000000) /* the application's memory; up to gfx8 at NEAR */
#define NEAR   UINT64_C(0x100000000)
#define LOW    UINT64_C(0x200000)
#define STREAM UINT64_C(0x100000)

enum {
    RANGE = 0x40000,
    LARGE = 0x200000,
    CODE = 64,
    MAX_STREAM = 0x40000,
    PACKETS = 2000,
    INSTRUCTIONS = 20000,
    POLLS = 4,
    COPIES = 128
};

typedef struct cp_head {
    uint8_t chip, contents, checks, seed;
} cp_head;

typedef struct fuzz_run {
    gpu_launch_options options;
    gpu_order order;
    gpu_order_ring ring;
    mach_memory *memory;
    uint64_t time;
    uint32_t copies; /* the version of the copy engine; 0: it is the command processor */
} fuzz_run;

static void
out_of_memory(void *user)
{
    (void)user;
    abort();
}

static bool
run_dispatch(void *user, const gpu_dispatch *d, mach_memory *m, gpu_fault *fault)
{
    fuzz_run *f = user;
    gpu_run run = {0};
    const gpu_launch_place place = {{gpu_follows_order(&f->options) ? &f->order : NULL, &f->ring},
                                    m};
    bool ok = gpu_launch(&f->options, &run, d, &place, fault);
    if (!ok && !fault->message[0])
        abort();
    return ok;
}

static bool
run_draw(void *user, const gpu_draw *d, mach_memory *m, gpu_fault *fault)
{
    fuzz_run *f = user;
    gpu_run run = {0};
    const gpu_launch_place place = {{gpu_follows_order(&f->options) ? &f->order : NULL, &f->ring},
                                    m};
    bool ok = gpu_launch_draw(&f->options, &run, d, &place, fault);
    if (!ok && !fault->message[0])
        abort();
    return ok;
}

static void
see_conflict(void *user, const gpu_conflict *c, const mach_memory *m)
{
    (void)user, (void)m;
    if (!c->bytes)
        abort();
}

static void
see_access(void *user, const gpu_packet_access *a)
{
    fuzz_run *f = user;
    const gpu_launch_order order = {&f->order, &f->ring};
    gpu_launch_access(&f->options, &order, f->memory, a);
}

static void
see_points(void *user, uint32_t points)
{
    fuzz_run *f = user;
    gpu_order_pass(&f->order, &f->ring, points);
}

static uint64_t
tell_time(void *user)
{
    return ++((fuzz_run *)user)->time;
}

/* A program for all stages: vertices lie on a parabola, pixels are shaded. From gfx10 on it is a
 * primitive shader, too. */
static void
assemble(arena *a, amd_gen gen, uint8_t code[CODE])
{
    bool primitives = gen >= AMD_GFX10;
    const char *text = arena_printf(
        a,
        "%s\nv_cvt_f32_u32 v2, v%u\nv_mul_f32 v3, v2, v2\n"
        "v_mov_b32 v1, 1.0\n%s\nexp pos0 v2, v3, v1, v1 done\n"
        "exp mrt0 v2, v3, v1, v1 done%s\ns_endpgm\n",
        primitives ? "s_mov_b32 m0, 0x1003\ns_sendmsg 9" : "", primitives ? 5u : 0u,
        primitives ? "exp prim v0, off, off, off done" : "", gen < AMD_GFX11 ? " vm" : "");
    base_buf words = buf_make(a);
    diag d;
    diag_init(&d);
    if (!DIAG_TRY(&d))
        abort();
    amd_assemble(&d, a, gen, true, text, strlen(text), &words);
    if (words.size > CODE)
        abort();
    memset(code, 0, CODE);
    memcpy(code, words.data, words.size);
}

/* Fills memory so that wherever a stream leads, something can be done. */
static void
fill(uint8_t *to, const cp_head *h, const uint8_t code[CODE])
{
    enum { KINDS = 4 };
    uint32_t state = h->seed + 1u;
    for (uint32_t k = 0; k < RANGE; k += 4) {
        uint32_t kind = h->contents >> k / CODE % KINDS * 2 & 3, v;
        memcpy(&v, code + k % CODE, 4);
        state = state * 1664525 + 1013904223;
        if (kind == 1)
            v = k / 4 % 2 ? 0xffff8000 : state >> 8 & (RANGE - 1);
        else if (kind == 2)
            v = state >> 28;
        else if (kind == 3)
            v = state;
        memcpy(to + k, &v, 4);
    }
}

/* Maps ranges filled so; the application's memory has RANGE again and again. Returns what is to be freed. */
static uint8_t *
map_ranges(mach_memory *m, arena *a, const cp_head *h, const gpu_chip *chip)
{
    enum { SIZE = RANGE + 2 * LARGE };
    uint8_t code[CODE], *bytes = malloc(SIZE), *high = bytes + RANGE, *far = high + LARGE;
    if (!bytes)
        abort();
    assemble(a, chip->gen, code);
    fill(bytes, h, code);
    for (uint32_t k = RANGE; k < SIZE; k += RANGE)
        memcpy(bytes + k, bytes, RANGE);
    mach_memory_map(m, LOW, RANGE, bytes, "low");
    mach_memory_map(m, HIGH, LARGE, high, "high");
    mach_memory_map(m, chip->gen < AMD_GFX9 ? NEAR : FAR, LARGE, far, "far");
    return bytes;
}

static void
run_stream(const fuzz_run *f, gpu_cp *cp, mach_memory *m, uint32_t dwords)
{
    const gpu_ib ib = {STREAM, dwords};
    gpu_cp_status status = GPU_CP_WAITING;
    cp->max_packets = PACKETS;
    gpu_cp_start(cp, m, &ib, 1);
    for (unsigned k = 0; k < POLLS && status == GPU_CP_WAITING; k++)
        status = f->copies ? gpu_sdma_run(cp, f->copies) : gpu_cp_run(cp);
    if (status == GPU_CP_DONE)
        return;
    if (!cp->fault.message[0] || !memchr(cp->fault.message, 0, sizeof cp->fault.message))
        abort();
}

static void
run(arena *a, const cp_head *h, const uint8_t *stream, size_t size)
{
    unsigned n = 0;
    while (gpu_chip_at(n))
        n++;
    const gpu_chip *chip = gpu_chip_at(h->chip % COPIES % n);
    mach_memory m;
    fuzz_run f = {.options = {.checks = h->checks & MACH_CHECK_ALL,
                              .seed = h->seed,
                              .limit = INSTRUCTIONS,
                              .conflict = see_conflict},
                  .memory = &m,
                  .copies = h->chip >= COPIES ? chip->sdma_version : 0};
    bool follows = gpu_follows_order(&f.options);
    const gpu_cp_hooks hooks = {.dispatch = run_dispatch,
                                .draw = run_draw,
                                .clock = tell_time,
                                .accesses = follows ? see_access : NULL,
                                .passes = follows ? see_points : NULL,
                                .user = &f};
    gpu_cp cp;
    uint8_t *bytes = malloc(size);
    if (!bytes || !gpu_cp_init(&cp, chip->processor, &hooks, a))
        abort();
    memcpy(bytes, stream, size);
    mach_memory_init(&m, a);
    mach_memory_map(&m, STREAM, size, bytes, "stream");
    uint8_t *ranges = map_ranges(&m, a, h, chip);
    gpu_order_init(&f.order, out_of_memory, NULL);
    run_stream(&f, &cp, &m, (uint32_t)size / 4);
    gpu_order_free(&f.order);
    free(bytes);
    free(ranges);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    arena a;
    cp_head h;
    if (size < sizeof h + 4 || size > sizeof h + MAX_STREAM)
        return 0;
    memcpy(&h, data, sizeof h);
    arena_init(&a, &base_malloc_allocator, out_of_memory, NULL);
    run(&a, &h, data + sizeof h, (size - sizeof h) & ~(size_t)3);
    arena_free(&a);
    return 0;
}

/* ---- initial inputs ---- */

/* Random numbers that make an address, a register's number or a small one likely. */
static uint32_t
word(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    uint32_t v = (uint32_t)(*state >> 32);
    switch (v & 7) {
    case 0: return 0;
    case 1: return (uint32_t)(v & 16 ? LOW : STREAM) + (v >> 8 & (RANGE - 1) & ~3u);
    case 2: return (uint32_t)(HIGH >> 32);
    case 3: return v >> 28;
    case 4: return v >> 8 & (RANGE - 1);
    case 5: return 1u << (v >> 8 & 31);
    case 6: return 0x200 + (v >> 8 & 0x7f);
    default: return v;
    }
}

/* The header of one of the copy engine's packets; `*left` becomes the number of words behind it. */
static uint32_t
copy_header(uint64_t *state, uint32_t *left)
{
    static const struct {
        uint32_t header, words;
    } all[] = {{0, 0},
               {1, 6},
               {0x401 | 2u << 29, 12},
               {0x501, 13},
               {0x501 | 1u << 31, 13},
               {0x601, 14},
               {2, 4},
               {5, 3},
               {11 | 2u << 30, 4},
               {0x20d, 2},
               {17, 4}};
    uint32_t k = (uint32_t)(*state >> 40) % (sizeof all / sizeof *all);
    *left = all[k].words;
    return all[k].header | (word(state) & 0x1000 ? 1u << 19 : 0);
}

/* Each packet of the generation, in random order, with random words. */
uint8_t *
fuzz_seed(int index, size_t *size)
{
    enum { SEEDS = 60, DWORDS = 400, MOST_WORDS = 10 };
    uint64_t state = UINT64_C(0x2545f4914f6cdd1d) * (uint64_t)(index + 5);
    *size = sizeof(cp_head) + 4 * DWORDS;
    uint8_t *data = index < SEEDS ? malloc(*size) : NULL;
    bool copies = index % 4 == 3;
    const cp_head h = {(uint8_t)(index + (copies ? COPIES : 0)), (uint8_t)(index * 0x39 + 0x1b),
                       (uint8_t)(index % 2 ? 255 : 0), 1};
    if (!data)
        return NULL;
    memcpy(data, &h, sizeof h);
    for (uint32_t at = 0, left = 0; at < DWORDS; at++) {
        uint32_t v = word(&state);
        if (!left) {
            left = 1 + (v >> 3) % MOST_WORDS;
            v = copies ? copy_header(&state, &left)
                       : 3u << 30 | (left - 1) << 16 | (word(&state) & 0xff) << 8 | 2;
            if (!copies && left > 4 &&
                state >> 60 < 6) /* registers of dispatches, and dispatches */
                v = (v & ~0xff00u) | (state >> 60 < 3 ? 0x76u : 0x15u) << 8;
            left++;
        }
        left--;
        memcpy(data + sizeof h + 4ul * at, &v, 4);
    }
    return data;
}
