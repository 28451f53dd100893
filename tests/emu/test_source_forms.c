/* Checks every source of every ALU opcode, in every form, against the rule of source_rule.h.
 *
 *     test_source_forms PROCESSOR... [--draws=N] [--only=NAME]
 *
 * Instructions are drawn from the tables, in each encoding, with their modifiers. Each source that
 * is not restricted to registers is replaced by every form in turn: SGPRs, inline integers and
 * floats, the literal, vcc, exec, m0, null, scc, vccz, execz, the apertures. The effect must be the
 * same as with a register that holds the word that the rule gives for the form. So the test needs
 * no knowledge of the operation; test_alu_reference checks operations on registers.
 */
#include "amd/emu/run/code.h"
#include "one_wave.h"
#include "opcode_draw.h"
#include "source_rule.h"

enum { REGISTERS = 40, VECTOR = 32, SCALAR = 90 };

typedef struct tester {
    one_wave one;
    mach_region *code;
    opcode_draw draw;
    uint64_t random;
    const char *name, *only; /* processor; opcode */
    unsigned draws;
    uint64_t tried, failed;
    /* the initial state for the current instruction */
    uint32_t vgpr[REGISTERS][EMU_LANES], sgpr[EMU_SREGS];
    bool scc;
} tester;

/* The state after an instruction. */
typedef struct outcome {
    uint32_t vgpr[REGISTERS][EMU_LANES], sgpr[EMU_SREGS], mode;
    uint64_t pc;
    bool scc;
} outcome;

static uint64_t
bits(tester *t)
{
    uint64_t z = t->random += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

/* A random dword, or one that is interesting in several formats: small integers, floats, halves. */
static uint32_t
number(tester *t)
{
    static const uint32_t some[] = {0,          1,          0xffffffff, 0x3c00c000,
                                    0x40003800, 0x3f800000, 0xc0200000, 0x7f800000,
                                    0x00050003, 0x80000000, 0xfffe0007, 0x4049000f};
    uint64_t b = bits(t);
    return b & 1 ? (uint32_t)(b >> 32) : some[(b >> 8) % (sizeof some / sizeof *some)];
}

static void
draw_state(tester *t)
{
    for (uint32_t r = 0; r < REGISTERS; r++)
        for (uint32_t l = 0; l < EMU_LANES; l++)
            t->vgpr[r][l] = number(t);
    for (uint32_t r = 0; r < EMU_SREGS; r++)
        t->sgpr[r] = number(t);
    t->sgpr[AMD_REG_M0] = 0;
    if (t->draw.gen >= AMD_GFX10) /* never written, so that it holds 0 in every wave */
        t->sgpr[AMD_REG_NULL] = 0;
    if (bits(t) & 1)
        t->sgpr[AMD_REG_VCC_LO] = t->sgpr[AMD_REG_VCC_HI] = 0;
    t->sgpr[AMD_REG_EXEC_LO] = bits(t) & 3 ? (uint32_t)bits(t) : UINT32_MAX;
    t->sgpr[AMD_REG_EXEC_HI] = t->one.w.lanes > 32 ? (uint32_t)bits(t) : 0;
    t->scc = bits(t) & 1;
}

/* Encodes `want` and runs it on the state that was drawn; false if it has no encoding. */
static bool
run(tester *t, const amd_inst *want, outcome *o)
{
    emu_wave *w = &t->one.w;
    arena_mark mark = arena_save(&t->one.a);
    base_buf bytes = buf_make(&t->one.a);
    amd_inst in = *want, again;
    bool ok = amd_encode(t->draw.gen, &in, &bytes) &&
              amd_decode(t->draw.gen, bytes.data, bytes.size, &again) && again.op == in.op;
    if (ok) {
        memset(t->code->host, 0, 32);
        memcpy(t->code->host, bytes.data, bytes.size);
        one_wave_forget_code(&t->one);
        one_wave_reset(&t->one);
        w->lanes = t->one.d.wave_size;
        memcpy(w->vgpr, t->vgpr, sizeof t->vgpr);
        memcpy(w->sgpr, t->sgpr, sizeof t->sgpr);
        w->scc = t->scc;
        w->exec_spread = ~amd_emu_exec(w);
        w->pc = t->code->base;
        emu_inst *i = amd_emu_fetch(w, w->pc);
        ok = i && !t->one.m.stop;
        if (ok) {
            w->at = i;
            w->pc = i->next;
            i->run(w, i);
            ok = !t->one.m.stop;
            memcpy(o->vgpr, w->vgpr, sizeof o->vgpr);
            memcpy(o->sgpr, w->sgpr, sizeof o->sgpr);
            o->scc = w->scc;
            o->mode = w->mode;
            o->pc = w->pc - i->next;
        }
    }
    arena_release(&t->one.a, mark);
    return ok;
}

static uint64_t
pair(const tester *t, unsigned code)
{
    return t->sgpr[code] | (uint64_t)t->sgpr[code + 1] << 32;
}

/* The word of form `code` for an operand of rule `r`; false if the generation has no such form. */
static bool
word_of(const tester *t, const source_rule *r, unsigned code, uint32_t literal, uint64_t *word)
{
    amd_gen gen = t->draw.gen;
    bool wide = r->ints != RULE_INT32, wave64 = t->one.w.lanes > 32;
    uint64_t vcc = pair(t, AMD_REG_VCC_LO), exec = pair(t, AMD_REG_EXEC_LO);
    if ((code >= 128 && code <= 208) || (code >= 240 && code <= 248)) {
        *word = source_rule_constant(r, code);
        return code != 248 || gen >= AMD_GFX8;
    }
    switch (code) {
    case SCALAR: *word = pair(t, code); return true;
    case AMD_REG_VCC_LO: *word = vcc; return true;
    case AMD_REG_EXEC_LO: *word = exec; return true;
    case AMD_REG_VCC_HI: *word = t->sgpr[code]; return !wide;
    case AMD_REG_EXEC_HI: *word = t->sgpr[code]; return !wide;
    case AMD_REG_M0: *word = t->sgpr[code]; return !wide;
    case AMD_REG_NULL: *word = 0; return gen >= AMD_GFX10;
    case AMD_SRC_SCC: *word = t->scc; return r->ints != RULE_INT_TWICE;
    case AMD_SRC_VCCZ:
        *word = (wave64 ? vcc : (uint32_t)vcc) == 0;
        return r->ints != RULE_INT_TWICE;
    case AMD_SRC_EXECZ:
        *word = (wave64 ? exec : (uint32_t)exec) == 0;
        return r->ints != RULE_INT_TWICE;
    case AMD_SRC_SHARED_BASE: *word = AMD_EMU_SHARED_BASE; return r->ints != RULE_INT_TWICE;
    case AMD_SRC_PRIVATE_BASE: *word = AMD_EMU_PRIVATE_BASE; return r->ints != RULE_INT_TWICE;
    case AMD_SRC_LITERAL:
        *word = source_rule_literal(r, literal);
        return r->literals != RULE_NO_LITERAL;
    default: return false;
    }
}

/* Puts `word` into a register that replaces the source: a VGPR, or an SGPR if the operand cannot be
 * a VGPR. Returns the register. */
static unsigned
put_word(tester *t, const amd_operand *o, uint64_t word)
{
    if (o->kind == AMD_K_VSRC) {
        for (uint32_t l = 0; l < EMU_LANES; l++) {
            t->vgpr[VECTOR][l] = (uint32_t)word;
            t->vgpr[VECTOR + 1][l] = (uint32_t)(word >> 32);
        }
        return AMD_REG_VGPR0 + VECTOR;
    }
    t->sgpr[SCALAR + 2] = (uint32_t)word;
    t->sgpr[SCALAR + 3] = (uint32_t)(word >> 32);
    return SCALAR + 2;
}

static void
tell(tester *t, const amd_inst *in, unsigned k, uint64_t word, const outcome *got,
     const outcome *want)
{
    base_buf text = buf_make(&t->one.a);
    if (t->failed++ >= 40)
        return;
    amd_print(t->draw.gen, in, t->one.w.lanes > 32, &text);
    printf("# %s wave%u: %s: source %u is not 0x%llx:", t->name, t->one.w.lanes, buf_text(&text), k,
           (unsigned long long)word);
    for (uint32_t r = 0; r < REGISTERS; r++)
        for (uint32_t l = 0; l < t->one.w.lanes; l++)
            if (got->vgpr[r][l] != want->vgpr[r][l]) {
                printf(" v%u[%u] is 0x%x, not 0x%x\n", r, l, got->vgpr[r][l], want->vgpr[r][l]);
                return;
            }
    for (uint32_t r = 0; r < EMU_SREGS; r++)
        if (got->sgpr[r] != want->sgpr[r]) {
            printf(" s%u is 0x%x, not 0x%x\n", r, got->sgpr[r], want->sgpr[r]);
            return;
        }
    printf(" scc %d, not %d; mode 0x%x, not 0x%x\n", got->scc, want->scc, got->mode, want->mode);
}

/* Is `code` also read by a source other than `k`? */
static bool
is_taken(const amd_inst *in, unsigned k, unsigned code)
{
    for (unsigned s = 0; s < in->n_src; s++)
        if (s != k && in->src[s] == code)
            return true;
    return false;
}

static void
try_form(tester *t, const amd_inst *drawn, const amd_op_info *row, unsigned k, const source_rule *r,
         unsigned code)
{
    static outcome got, want;
    amd_inst form = *drawn, plain = *drawn;
    uint64_t word;
    if (code == AMD_SRC_LITERAL && !is_taken(drawn, k, code))
        form.literal = number(t) | 0x10000; /* not an inline constant */
    if (!word_of(t, r, code, form.literal, &word))
        return;
    form.src[k] = (uint16_t)code;
    plain.src[k] = (uint16_t)put_word(t, amd_op_src(row, k), word);
    if (!run(t, &form, &got) || !run(t, &plain, &want))
        return;
    t->tried++;
    if (memcmp(got.vgpr, want.vgpr, sizeof got.vgpr) ||
        memcmp(got.sgpr, want.sgpr, sizeof got.sgpr) || got.scc != want.scc ||
        got.mode != want.mode || got.pc != want.pc)
        tell(t, &form, k, word, &got, &want);
}

/* Opcodes whose source is not read as a value. */
static const char *
excuse(amd_op op, const amd_op_info *row)
{
    if (row->flags & (AMD_F_BRANCH | AMD_F_BARRIER | AMD_F_TERM))
        return "changes the flow";
    switch (op) {
    case AMD_V_MOVRELS_B32:
    case AMD_V_MOVRELD_B32:
    case AMD_V_MOVRELSD_B32:
    case AMD_V_MOVRELSD_2_B32:
    case AMD_S_MOVRELS_B32:
    case AMD_S_MOVRELS_B64:
    case AMD_S_MOVRELD_B32:
    case AMD_S_MOVRELD_B64: return "the register is indexed";
    default: return NULL;
    }
}

static void
try_sources(tester *t, const amd_inst *in, const amd_op_info *row, amd_op op)
{
    static const uint16_t named[] = {SCALAR,
                                     AMD_REG_VCC_LO,
                                     AMD_REG_VCC_HI,
                                     AMD_REG_EXEC_LO,
                                     AMD_REG_EXEC_HI,
                                     AMD_REG_M0,
                                     AMD_REG_NULL,
                                     AMD_SRC_SCC,
                                     AMD_SRC_VCCZ,
                                     AMD_SRC_EXECZ,
                                     AMD_SRC_SHARED_BASE,
                                     AMD_SRC_PRIVATE_BASE,
                                     AMD_SRC_LITERAL,
                                     AMD_SRC_LITERAL,
                                     128,
                                     129,
                                     192,
                                     193,
                                     208};
    for (unsigned k = 0; k < in->n_src; k++) {
        const amd_operand *o = amd_op_src(row, k);
        const source_rule *r = o ? source_rule_of(row, op, o->type) : NULL;
        if (!r || (o->kind != AMD_K_VSRC && o->kind != AMD_K_SSRC))
            continue;
        draw_state(t);
        for (size_t f = 0; f < sizeof named / sizeof *named; f++)
            try_form(t, in, row, k, r, named[f]);
        try_form(t, in, row, k, r, 128 + (unsigned)(bits(t) % 81));
        for (unsigned code = AMD_SRC_F_0_5; code <= AMD_SRC_F_INV_2PI; code++)
            try_form(t, in, row, k, r, code);
    }
}

static void
try_all(tester *t)
{
    for (amd_op op = 1; op < AMD_OP_HW_COUNT; op++) {
        const amd_op_info *row = amd_op_row(op);
        if (excuse(op, row) || (t->only && strcmp(t->only, amd_op_name(op, t->draw.gen)) != 0))
            continue;
        for (amd_fmt fmt = AMD_SOP1; fmt <= AMD_VOP3P; fmt++)
            for (amd_ext ext = AMD_EXT_NONE; ext <= AMD_EXT_DPP8; ext++)
                for (unsigned n = 0; n < t->draws && opcode_draw_has(t->draw.gen, op, fmt, ext);
                     n++) {
                    uint32_t words[OPCODE_WORDS];
                    amd_inst in;
                    if (opcode_draw_words(&t->draw, op, fmt, ext, words) &&
                        amd_decode(t->draw.gen, (const uint8_t *)words, sizeof words, &in))
                        try_sources(t, &in, row, op);
                }
    }
}

int
main(int argc, char **argv)
{
    static tester t;
    unsigned n = 0, failed = 0;
    t.draws = 2;
    for (int k = 1; k < argc; k++)
        if (strncmp(argv[k], "--draws=", 8) == 0)
            t.draws = (unsigned)strtoul(argv[k] + 8, NULL, 10);
        else if (strncmp(argv[k], "--only=", 7) == 0)
            t.only = argv[k] + 7;
    for (int k = 1; k < argc; k++) {
        if (!amd_gen_find(argv[k], &t.draw.gen))
            continue;
        for (uint32_t lanes = t.draw.gen < AMD_GFX10 ? 64 : 32; lanes <= 64; lanes += 32) {
            one_wave_open(&t.one, &(amd_emu_dispatch){
                                      .gen = t.draw.gen, .wave_size = lanes, .lds_bytes = 4096});
            t.code = mach_memory_alloc(&t.one.memory, MACH_HEAP_LOW, 64, 0, "code");
            t.name = argv[k];
            t.random = t.draw.random = 1;
            t.tried = t.failed = 0;
            try_all(&t);
            one_wave_close(&t.one);
            failed += t.failed != 0;
            printf("%sok %u - %s wave%u: %llu of %llu sources differ from the rule\n",
                   t.failed ? "not " : "", ++n, t.name, lanes, (unsigned long long)t.failed,
                   (unsigned long long)t.tried);
        }
    }
    printf("1..%u\n", n);
    return failed != 0;
}
