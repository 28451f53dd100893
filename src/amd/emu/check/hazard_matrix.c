/* Wait states of matrix instructions and dot products. They depend on the duration of the first
 * instruction and on the kind of the second.
 *
 * Sources: "CDNA3" ISA reference guide, 7.5, table "VOP3P-Matrix Opcodes Required NOPs" (an XDL
 * instruction of n passes: n + 1 for C, n + 3 otherwise; one on f32: n, n + 2). For gfx908 and
 * gfx90a, whose guides have the same tables without numbers for every case: the wait states of LLVM
 * 19's hazard recogniser; for gfx950, whose guide adds one where an XDL instruction has more than
 * two passes: LLVM 22's, measured with llc. The passes are those of LLVM 19's scheduling model
 * (SISchedule.td), read from llvm-mca.
 */
#include "amd/emu/check/hazards.h"
#include "base/number.h"

#define IS(i, name) amd_emu_hazard_is(i, HAZARD_C(name))

/* M, N and K of v_mfma_f32_16x16x4f32 and the like. */
static void
dimensions(const char *name, unsigned d[3])
{
    const char *at = name;
    d[0] = d[1] = d[2] = 0;
    for (; *at && !(at[0] == '_' && at[1] >= '0' && at[1] <= '9'); at++)
        continue;
    for (unsigned k = 0; k < 3 && *at; k++) {
        uint64_t v;
        at += 1 + base_integer_read(at + 1, strlen(at + 1), 10, &v);
        d[k] = (unsigned)v;
    }
}

static bool
has(const emu_inst *i, const char *part)
{
    return strstr(i->row->name, part) != NULL;
}

/* Is it a matrix instruction on real f32? "f32" occurs twice in its name, and the factors are not
 * xf32. */
static bool
is_sgemm(const emu_inst *i)
{
    size_t n = strlen(i->row->name);
    return n > 3 && !strcmp(i->row->name + n - 3, "f32") && !has(i, "xf32");
}

/* Does the instruction run in the XDL unit of gfx942? */
static bool
is_xdl(const emu_inst *i)
{
    return IS(i, MFMA) && !IS(i, DGEMM) && !is_sgemm(i);
}

/* The passes (four cycles each) of a matrix instruction. */
static uint32_t
passes_of(const emu_inst *i, amd_gen gen)
{
    unsigned d[3];
    dimensions(i->row->name, d);
    if (IS(i, DGEMM))
        return d[0] == 4 ? 4 : gen == AMD_GFX950 ? 16 : 8;
    if (d[0] == 4)
        return 2;
    bool big = d[0] == 32;
    if (!(HAZARD_IS_GFX942(gen)))
        return big ? 16 : 8;
    /* instructions on f32 or on several blocks (with a small K) take twice as long */
    bool slow = is_sgemm(i) || (d[2] <= 4 && !has(i, "xf32"));
    if (amd_has_factor_formats(i->row)) /* elements of 8 bits in any factor */
        slow = i->in.cbsz < AMD_FACTOR_FP6 || i->in.blgp < AMD_FACTOR_FP6;
    return (big ? 8u : 4u) * (slow ? 2 : 1);
}

static bool
same(const hazard_use *a, const hazard_use *b)
{
    return a->code == b->code && a->count == b->count;
}

/* Selects by the number of passes: 2, 8, 16. */
static uint32_t
by_passes(const emu_inst *i, amd_gen gen, uint32_t two, uint32_t eight, uint32_t sixteen)
{
    uint32_t n = passes_of(i, gen);
    return n <= 2 ? two : n <= 8 ? eight : sixteen;
}

uint32_t
amd_emu_hazard_need_c_908(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                          const hazard_use *b, amd_gen gen)
{
    (void)first;
    (void)second;
    (void)gen;
    return same(a, b) ? 0 : 2;
}

uint32_t
amd_emu_hazard_need_read_908(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                             const hazard_use *b, amd_gen gen)
{
    (void)a;
    (void)second;
    (void)b;
    return by_passes(first, gen, 4, 10, 18);
}

uint32_t
amd_emu_hazard_need_write_908(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                              const hazard_use *b, amd_gen gen)
{
    (void)a;
    (void)second;
    (void)b;
    return by_passes(first, gen, 1, 7, 15);
}

uint32_t
amd_emu_hazard_need_over_908(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                             const hazard_use *b, amd_gen gen)
{
    (void)a;
    (void)second;
    (void)b;
    return by_passes(first, gen, 0, 5, 13);
}

uint32_t
amd_emu_hazard_need_not_dot(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                            const hazard_use *b, amd_gen gen)
{
    (void)a;
    (void)second;
    (void)b;
    (void)gen;
    return IS(first, DOT) ? 0 : 2;
}

/* Wait states if C is exactly the first one's result: it is forwarded, except in the shortest
 * instructions. */
static uint32_t
need_same_c(const emu_inst *first, const emu_inst *second, amd_gen gen)
{
    if (IS(first, DGEMM) && IS(second, DGEMM) && passes_of(first, gen) == 4 &&
        passes_of(second, gen) == 4)
        return 4;
    return HAZARD_IS_GFX942(gen) && passes_of(first, gen) == 2 ? 2 : 0;
}

uint32_t
amd_emu_hazard_need_mfma_c(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                           const hazard_use *b, amd_gen gen)
{
    uint32_t passes = passes_of(first, gen);
    bool gfx942 = HAZARD_IS_GFX942(gen);
    if (IS(first, DGEMM) && !gfx942 && !IS(second, DGEMM))
        return 0;
    if (same(a, b))
        return need_same_c(first, second, gen);
    if (IS(first, DGEMM)) {
        bool xdl = gfx942 ? is_xdl(second) : !IS(second, DGEMM);
        return xdl ? 0 : passes == 4 ? 4 : passes + 1;
    }
    if (gfx942)
        return is_xdl(second) && !is_xdl(first) ? 0
               : is_xdl(first)                  ? passes + (gen == AMD_GFX950 ? 2 : 1)
                                                : passes;
    return by_passes(first, gen, 2, 8, 16) + (IS(second, DGEMM) ? 1 : 0);
}

/* The wait states before the first instruction's result may be read from the registers. */
static uint32_t
need_result(const emu_inst *first, amd_gen gen, uint32_t dgemm4, uint32_t dgemm16)
{
    uint32_t passes = passes_of(first, gen);
    if (IS(first, DGEMM))
        return passes == 4 ? dgemm4 : dgemm16;
    if (HAZARD_IS_GFX942(gen))
        return passes + (!is_xdl(first) ? 2 : gen == AMD_GFX950 && passes > 2 ? 4 : 3);
    return by_passes(first, gen, 5, 11, 19);
}

uint32_t
amd_emu_hazard_need_mfma_result(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                                const hazard_use *b, amd_gen gen)
{
    bool overwritten = b->how & HAZARD_WRITE;
    (void)a;
    (void)second;
    return need_result(first, gen, 6, gen == AMD_GFX950 && !overwritten ? 19 : 11);
}

uint32_t
amd_emu_hazard_need_mfma_memory(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                                const hazard_use *b, amd_gen gen)
{
    (void)a;
    (void)second;
    (void)b;
    return need_result(first, gen, 9, 18);
}

uint32_t
amd_emu_hazard_need_mfma_over(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                              const hazard_use *b, amd_gen gen)
{
    uint32_t passes = passes_of(first, gen);
    (void)a;
    (void)second;
    (void)b;
    if (IS(first, DGEMM) || (HAZARD_IS_GFX942(gen) && !is_xdl(first)))
        return 0;
    return passes - 1;
}

uint32_t
amd_emu_hazard_need_dot(const emu_inst *first, const hazard_use *a, const emu_inst *second,
                        const hazard_use *b, amd_gen gen)
{
    (void)a;
    (void)gen;
    if (first->in.op != second->in.op)
        return 3;
    return b->how & HAZARD_AB ? 3 : 0; /* same opcode: C and the result are forwarded */
}
