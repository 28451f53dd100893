/* Loads and stores of every component size, count and alignment, in every kind of memory, compiled
 * for gfx1030 and run on the emulator in both wave sizes, against a copy of the bytes on the host.
 *
 * A lane has RECORD bytes of input and of output. A program loads a vector from the first half of
 * its record, adds constants to the components (an overflow must not reach memory) and stores it,
 * or constants, to the second half. Workgroup and scratch memory are filled before, and copied to
 * the output afterwards, by dwords. */
#include "../ir/ir_env.h"
#include "amd_run.h"

#include "base/bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { LANES = 64, RECORD = 128 };

typedef enum space { BUFFER, GLOBAL, SHARED, SCRATCH, UNIFORM, N_SPACES } space;

/* The access of a program. */
typedef struct access {
    space where; /* UNIFORM: a buffer, at the same place for all lanes: values in SGPRs */
    unsigned bits, count;
    uint32_t mul, off; /* the place is off modulo mul */
    uint32_t at;       /* the place */
    uint32_t mask;     /* components that are stored */
    bool constants;    /* are stored in place of what was loaded */
    unsigned wave;
} access;

static uint8_t in[LANES * RECORD], got[LANES * RECORD], want[LANES * RECORD];

/* The constant that is added to component `c`, or stored. */
static uint64_t
constant(const access *a, unsigned c)
{
    static const uint64_t k[] = {0xff, 0x81, 0x17, 0x9c};
    return (k[c] * UINT64_C(0x0101010101010101)) & base_mask64(a->bits);
}

/* ---- the program ---- */

typedef struct writer {
    base_buf text;
    const access *a;
    unsigned n; /* values */
} writer;

static unsigned
new_const(writer *w, unsigned bits, uint64_t v)
{
    buf_printf(&w->text, "%u %%%u = load_const (0x%llx)\n", bits, ++w->n, (unsigned long long)v);
    return w->n;
}

static unsigned
add(writer *w, unsigned bits, unsigned a, uint64_t v)
{
    unsigned k = new_const(w, bits, v);
    buf_printf(&w->text, "%u %%%u = iadd %%%u, %%%u\n", bits, ++w->n, a, k);
    return w->n;
}

/* The type of a vector, and of values without swizzles. */
static void
put_type(writer *w, unsigned bits, unsigned count)
{
    buf_printf(&w->text, count > 1 ? "%ux%u " : "%u ", bits, count);
}

/* The operands of an access to `where`, at the byte offset %at (global: from `base`). */
static void
put_address(writer *w, space where, unsigned binding, unsigned at)
{
    if (where == BUFFER || where == UNIFORM)
        buf_printf(&w->text, "%%%u, ", 1 + binding);
    buf_printf(&w->text, "%%%u", at);
}

static unsigned
global_address(writer *w, unsigned binding, unsigned at)
{
    unsigned base = new_const(w, 64, UINT64_C(0x200000000) + binding * UINT64_C(0x10000000));
    buf_printf(&w->text, "64 %%%u = u2u %%%u\n", w->n + 1, at);
    buf_printf(&w->text, "64 %%%u = iadd %%%u, %%%u\n", w->n + 2, base, w->n + 1);
    w->n += 2;
    return w->n;
}

static unsigned
put_load(writer *w, space where, unsigned at, unsigned bits, unsigned count, uint32_t mul,
         uint32_t off)
{
    static const char *const names[] = {"ssbo", "global", "shared", "scratch", "ssbo"};
    if (where == GLOBAL)
        at = global_address(w, 0, at);
    put_type(w, bits, count);
    buf_printf(&w->text, "%%%u = @load_%s (", ++w->n, names[where]);
    unsigned made = w->n;
    put_address(w, where, 0, at);
    buf_printf(&w->text, ") (%salign_mul=%u, align_offset=%u)\n",
               where == UNIFORM                      ? "access=readonly|can_reorder, "
               : where == SHARED || where == SCRATCH ? ""
                                                     : "access=none, ",
               mul, off);
    return made;
}

static void
put_store(writer *w, space where, unsigned value, unsigned at, uint32_t mask, uint32_t mul,
          uint32_t off)
{
    static const char *const names[] = {"ssbo", "global", "shared", "scratch", "ssbo"};
    if (where == GLOBAL)
        at = global_address(w, 1, at);
    buf_printf(&w->text, "@store_%s (%%%u, ", names[where], value);
    put_address(w, where, 1, at);
    buf_puts(&w->text, ") (wrmask=");
    for (unsigned c = 0; c < 4; c++) {
        if (mask >> c & 1)
            buf_put_u8(&w->text, (uint8_t) "xyzw"[c]);
    }
    buf_printf(&w->text, "%s, align_mul=%u, align_offset=%u)\n",
               where == SHARED || where == SCRATCH ? "" : ", access=none", mul, off);
}

/* The vector to store, of loaded components or of constants. */
static unsigned
changed_value(writer *w, unsigned loaded)
{
    const access *a = w->a;
    unsigned parts[4];
    for (unsigned c = 0; c < a->count; c++) {
        parts[c] = new_const(w, a->bits, constant(a, c));
        if (a->constants)
            continue;
        buf_printf(&w->text, "%u %%%u = iadd %%%u", a->bits, ++w->n, loaded);
        if (a->count > 1)
            buf_printf(&w->text, ".%c", "xyzw"[c]);
        buf_printf(&w->text, ", %%%u\n", parts[c]);
        parts[c] = w->n;
    }
    if (a->count == 1)
        return parts[0];
    put_type(w, a->bits, a->count);
    buf_printf(&w->text, "%%%u = vec", ++w->n);
    for (unsigned c = 0; c < a->count; c++)
        buf_printf(&w->text, "%s %%%u", c ? "," : "", parts[c]);
    buf_puts(&w->text, "\n");
    return w->n;
}

static const char *
write_program(ir_env *e, const access *a)
{
    writer w = {.text = buf_make(&e->a), .a = a, .n = 6};
    bool local = a->where == SHARED || a->where == SCRATCH;
    buf_printf(&w.text,
               "shader: compute\nworkgroup_size: %u, 1, 1\nshared_size: %u\nscratch_size: %u\n"
               "impl \"main\" {\nblock b0:\n32 %%4 = load_const (0)\n"
               "32 %%1 = @vulkan_resource_index (%%4) (desc_set=0, binding=0, desc_type=ssbo)\n"
               "32 %%2 = @vulkan_resource_index (%%4) (desc_set=0, binding=1, desc_type=ssbo)\n"
               "32 %%3 = @load_local_invocation_index\n32 %%5 = load_const (%u)\n"
               "32 %%6 = imul %%3, %%5\n",
               LANES, a->where == SHARED ? LANES * RECORD : 0, a->where == SCRATCH ? 2 * RECORD : 0,
               RECORD);
    unsigned record = 6, place = 6;
    if (a->where == SCRATCH) { /* one of two records: which is not known */
        buf_printf(&w.text, "32 %%%u = load_const (%u)\n32 %%%u = iand %%6, %%%u\n", w.n + 1,
                   RECORD, w.n + 2, w.n + 1);
        place = w.n += 2;
    }
    for (unsigned d = 0; local && d < RECORD; d += 4) {
        unsigned value = put_load(&w, BUFFER, add(&w, 32, record, d), 32, 1, 4, 0);
        put_store(&w, a->where, value, add(&w, 32, place, d), 1, 4, 0);
    }
    unsigned from = a->where == UNIFORM ? new_const(&w, 32, a->at) : add(&w, 32, place, a->at);
    unsigned value = put_load(&w, a->where, from, a->bits, a->count, a->mul, a->off);
    value = changed_value(&w, value);
    put_store(&w, a->where, value, add(&w, 32, place, RECORD / 2 + a->at), a->mask, a->mul, a->off);
    for (unsigned d = 0; local && d < RECORD; d += 4) {
        value = put_load(&w, a->where, add(&w, 32, place, d), 32, 1, 4, 0);
        put_store(&w, BUFFER, value, add(&w, 32, record, d), 1, 4, 0);
    }
    buf_puts(&w.text, "return\n}\n");
    return buf_text(&w.text);
}

/* ---- expected results ---- */

static void
expect(const access *a)
{
    bool local = a->where == SHARED || a->where == SCRATCH;
    if (local)
        memcpy(want, in, sizeof want);
    else
        memset(want, 0x5a, sizeof want);
    for (unsigned l = 0; l < LANES; l++) {
        const uint8_t *from = in + (a->where == UNIFORM ? 0 : l * RECORD) + a->at;
        uint8_t *to = want + l * RECORD + RECORD / 2 + a->at;
        unsigned bytes = a->bits / 8;
        for (unsigned c = 0; c < a->count; c++) {
            uint64_t v = 0;
            memcpy(&v, from + c * bytes, bytes); /* needs a little-endian host, like the emulator */
            v = a->constants ? constant(a, c) : v + constant(a, c);
            if (a->mask >> c & 1)
                memcpy(to + c * bytes, &v, bytes);
        }
    }
}

static void
check(const access *a)
{
    ir_env e;
    env_open(&e);
    memset(got, 0x5a, sizeof got);
    amd_run r = {.wave_size = a->wave,
                 .groups = {1, 1, 1},
                 .buffers = {in, got},
                 .sizes = {sizeof in, sizeof got},
                 .n_buffers = 2,
                 .bisect_limit = -1};
    bool ran = false;
    const char *text = "";
    if (DIAG_TRY(&e.d)) {
        text = write_program(&e, a);
        ran = amd_run_hir(env_parse(&e, &ir_hir_level, text), &r);
    }
    expect(a);
    if (!ran || memcmp(got, want, sizeof want) != 0) {
        unsigned k = 0;
        while (k < sizeof want && got[k] == want[k])
            k++;
        fail_msg("%s\n%u components of %u bits, align_mul=%u, align_offset=%u, wave%u: %s, byte %u "
                 "is %02x, not %02x",
                 text, a->count, a->bits, (unsigned)a->mul, (unsigned)a->off, a->wave,
                 ran ? "wrong" : e.d.message, k, got[k % sizeof got], want[k % sizeof want]);
    }
    env_close(&e);
}

/* All accesses to a kind of memory. */
static void
check_space(space where)
{
    uint64_t state = where;
    for (unsigned k = 0; k < sizeof in; k++)
        in[k] = (uint8_t)(base_hash64(state++) >> 20);
    for (unsigned k = 0; k < 4 * 4 * 31 * 2; k++) {
        unsigned place = k / 32 + 1, mul = 1;
        while (place >= 2 * mul)
            mul *= 2;
        uint64_t r = base_hash64(k);
        access a = {.where = where, .bits = 8u << (k / 2 % 4), .count = k / 8 % 4 + 1, .mul = mul};
        a.off = place - mul;
        a.at = a.off + mul * (uint32_t)(r % (16 / mul));
        a.mask = r % 3 ? 15 : (uint32_t)(r >> 8) | 1u;
        a.mask &= (1u << a.count) - 1;
        a.constants = r >> 16 & 1;
        a.wave = k & 1 ? 64 : 32;
        if (amd_run_has_wave(a.wave))
            check(&a);
    }
}

static void
test_buffers(void **state)
{
    (void)state;
    check_space(BUFFER);
}

static void
test_global(void **state)
{
    (void)state;
    check_space(GLOBAL);
}

static void
test_shared(void **state)
{
    (void)state;
    check_space(SHARED);
}

static void
test_scratch(void **state)
{
    (void)state;
    check_space(SCRATCH);
}

static void
test_uniform(void **state)
{
    (void)state;
    check_space(UNIFORM);
}

int
main(int argc, char **argv)
{
    if (!amd_run_choose(argc, argv))
        return 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_buffers),
                                       cmocka_unit_test(test_global), cmocka_unit_test(test_shared),
                                       cmocka_unit_test(test_scratch),
                                       cmocka_unit_test(test_uniform)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
