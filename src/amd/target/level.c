/* The AMD level: opcode rows for the IR container, made from the instruction table and the pseudo
 * instructions; names of register classes and registers in ACO's style; attribute fields by
 * encoding family. */
#include "amd/amd.h"
#include "amd/isa/table/table.h"
#include "amd/target/pair.h"
#include "base/number.h"
#include "ir/bundle.h"

#include <stdio.h>
#include <string.h>

/* ---- attribute fields: {name, word, shift, bits, kind, optional, names} ---- */

#define FLD(name, word, shift, bits, kind)                                                         \
    {                                                                                              \
        name, word, shift, bits, IR_ATTR_##kind, true, NULL                                        \
    }
#define END                                                                                        \
    {                                                                                              \
        NULL, 0, 0, 0, 0, false, NULL                                                              \
    }

static const char *const sync_names[] = {"buffer", "image", "shared",  "scratch",  "spill",  "",
                                         "",       "",      "reorder", "volatile", "atomic", NULL};
static const char *const scope_names[] = {"none",         "invocation", "subgroup", "workgroup",
                                          "queue_family", "device",     NULL};
static const char *const semantics_names[] = {"acquire", "release", "available", "visible", NULL};
static const char *const mode_names[] = {"ssbo", "shared", "image", "atomic_counter", NULL};
static const char *const reduction_names[] = {"iadd", "fadd", "imul", "fmul", "imin",
                                              "umin", "fmin", "imax", "umax", "fmax",
                                              "iand", "ior",  "ixor", NULL};

static const ir_attr_info none_fields[] = {END};
static const ir_attr_info salu_fields[] = {FLD("imm", 0, 0, 32, HEX), END};
static const ir_attr_info valu_fields[] = {
    FLD("neg", 0, AMD_MOD_NEG, 4, HEX),
    FLD("abs", 0, AMD_MOD_ABS, 4, HEX),
    FLD("neg_hi", 0, AMD_MOD_NEG_HI, 4, HEX),
    FLD("op_sel", 0, AMD_MOD_OPSEL, 4, HEX),
    FLD("op_sel_hi", 0, AMD_MOD_OPSEL_HI, 4, HEX),
    FLD("omod", 0, AMD_MOD_OMOD, 2, UINT),
    FLD("clamp", 0, AMD_MOD_CLAMP, 1, BOOL),
    FLD("wait_exp", 0, AMD_MOD_WAIT_EXP, 3, UINT),
    FLD("dpp", 1, 0, 32, HEX),
    FLD("dst_sel", 2, 0, 3, UINT),
    FLD("dst_unused", 2, AMD_SDWA_DST_UNUSED, 2, UINT),
    FLD("src0_sel", 2, AMD_SDWA_SRC0, 3, UINT),
    FLD("src1_sel", 2, AMD_SDWA_SRC1, 3, UINT),
    FLD("sext", 2, AMD_SDWA_SEXT, 2, HEX),
    FLD("attr", 2, AMD_ATTR_SHIFT, 9, UINT),
    END,
};
static const ir_attr_info mem_fields[] = {
    FLD("offset", 0, 0, 32, INT),
    FLD("glc", 1, 0, 1, BOOL),
    FLD("slc", 1, 1, 1, BOOL),
    FLD("dlc", 1, 2, 1, BOOL),
    FLD("lds", 1, 3, 1, BOOL),
    FLD("tfe", 1, 4, 1, BOOL),
    FLD("offen", 1, 5, 1, BOOL),
    FLD("idxen", 1, 6, 1, BOOL),
    FLD("lwe", 1, 7, 1, BOOL),
    FLD("unorm", 1, 8, 1, BOOL),
    FLD("r128", 1, 9, 1, BOOL),
    FLD("a16", 1, 10, 1, BOOL),
    FLD("d16", 1, 11, 1, BOOL),
    FLD("gds", 1, 12, 1, BOOL),
    FLD("nsa", 1, 13, 1, BOOL),
    FLD("scope", 1, AMD_MEM_SCOPE, 2, UINT),
    FLD("dim", 1, AMD_MEM_DIM, 3, UINT),
    FLD("addr64", 1, 19, 1, BOOL),
    FLD("dmask", 1, AMD_MEM_DMASK, 4, HEX),
    FLD("format", 1, AMD_MEM_FORMAT, 7, UINT),
    {"storage", 2, 0, 32, IR_ATTR_FLAGS, true, sync_names},
    END,
};
static const ir_attr_info exp_fields[] = {
    FLD("target", 0, 0, 6, UINT), FLD("en", 0, 8, 4, HEX),   FLD("compr", 0, 12, 1, BOOL),
    FLD("done", 0, 13, 1, BOOL),  FLD("vm", 0, 14, 1, BOOL), END,
};
static const ir_attr_info barrier_fields[] = {
    {"execution_scope", 0, 0, 32, IR_ATTR_ENUM, false, scope_names},
    {"memory_scope", 1, 0, 32, IR_ATTR_ENUM, false, scope_names},
    {"mem_semantics", 2, 0, 32, IR_ATTR_FLAGS, false, semantics_names},
    {"mem_modes", 3, 0, 32, IR_ATTR_FLAGS, false, mode_names},
    END,
};
static const ir_attr_info reduce_fields[] = {
    {"reduction_op", 0, 0, 32, IR_ATTR_ENUM, false, reduction_names},
    FLD("cluster_size", 1, 0, 32, UINT),
    FLD("bits", 2, 0, 32, UINT),
    FLD("full", 3, 0, 1, BOOL), /* all lanes are active */
    END,
};
static const ir_attr_info slot_fields[] = {
    FLD("slot", 0, 0, 32, UINT),
    FLD("agpr", 1, 0, 1, BOOL),
    END,
};
static const ir_attr_info offset_fields[] = {FLD("offset", 0, 0, 32, UINT), END};

/* ---- rows: the family of an encoding, as constant expressions ---- */

#define IS(fmt, x) ((fmt) == AMD_##x)
#define IS_SALU(f) (IS(f, SOP1) || IS(f, SOP2) || IS(f, SOPK) || IS(f, SOPC) || IS(f, SOPP))
#define IS_VALU(f)                                                                                 \
    (IS(f, VOP1) || IS(f, VOP2) || IS(f, VOPC) || IS(f, VOP3) || IS(f, VOP3P) || IS(f, VINTRP) ||  \
     IS(f, VINTERP))
#define IS_IMM(f) (IS_SALU(f) || IS(f, VINTRP) || IS(f, LDSDIR))
#define FIELDS(f)                                                                                  \
    (IS_IMM(f) ? salu_fields : IS_VALU(f) ? valu_fields : IS(f, EXP) ? exp_fields : mem_fields)
#define COUNT(a) (sizeof(a) / sizeof *(a)-1)
#define N_FIELDS(f)                                                                                \
    (IS_IMM(f)    ? COUNT(salu_fields)                                                             \
     : IS_VALU(f) ? COUNT(valu_fields)                                                             \
     : IS(f, EXP) ? COUNT(exp_fields)                                                              \
                  : COUNT(mem_fields))
#define WORDS(f)                                                                                   \
    (IS_IMM(f)    ? AMD_WORDS_SALU                                                                 \
     : IS_VALU(f) ? AMD_WORDS_VALU                                                                 \
     : IS(f, EXP) ? AMD_WORDS_EXP                                                                  \
                  : AMD_WORDS_MEM)
#define N_WORDS(f) (IS_IMM(f) || IS(f, EXP) ? 1 : 3)

enum {
#define FLAG_SHORT(name) F_##name = AMD_F_##name,
    AMD_FLAGS(FLAG_SHORT)
#undef FLAG_SHORT
};

/* The flags for generic passes of a hardware instruction. Instructions without destinations have
 * side effects. */
#define ROW_FLAGS(f, fl)                                                                           \
    (((fl) & (F_STORE | F_ATOMIC | F_BRANCH | F_TERM | F_BARRIER | F_EXEC_W) || IS(f, SOPP) ||     \
              IS(f, EXP) || IS(f, SOPK)                                                            \
          ? IR_OP_EFFECT                                                                           \
          : 0) |                                                                                   \
     ((fl) & (F_LOAD | F_ATOMIC) ? IR_OP_READS : 0) |                                              \
     ((fl) & (F_STORE | F_ATOMIC) ? IR_OP_WRITES : 0) | ((fl)&F_BARRIER ? IR_OP_BARRIER : 0) |     \
     ((fl)&F_COMM ? IR_OP_COMMUTES : 0))

#define words_NONE    none_fields
#define words_BARRIER barrier_fields
#define words_REDUCE  reduce_fields
#define words_SLOT    slot_fields
#define words_OFFSET  offset_fields

static const ir_op_info op_table[AMD_OP_COUNT] = {
    [AMD_OP_INVALID] = {"invalid", IR_ANY, IR_ANY, 0, 0, 0, none_fields, NULL},
#define AMD_OP(id, name, fmt, operands, numbers, flags, memory, reversed)                          \
    [AMD_##id] = {name,                                                                            \
                  IR_ANY,                                                                          \
                  IR_ANY,                                                                          \
                  N_WORDS(AMD_##fmt),                                                              \
                  N_FIELDS(AMD_##fmt),                                                             \
                  ROW_FLAGS(AMD_##fmt, flags),                                                     \
                  FIELDS(AMD_##fmt),                                                               \
                  NULL},
#include "amd/isa/ops.def"
#undef AMD_OP
#define PSEUDO(id, name, n_defs, n_refs, words, flags)                                             \
    [AMD_##id] = {name,  n_defs,        n_refs, COUNT(words_##words), COUNT(words_##words),        \
                  flags, words_##words, NULL},
#include "amd/pseudo.def"
#undef PSEUDO
};

amd_words
amd_words_of(unsigned op)
{
    static const uint8_t words_of[AMD_OP_COUNT] = {
#define AMD_OP(id, name, fmt, operands, numbers, flags, memory, reversed)                          \
    [AMD_##id] = WORDS(AMD_##fmt),
#include "amd/isa/ops.def"
#undef AMD_OP
#define PSEUDO(id, name, n_defs, n_refs, words, flags) [AMD_##id] = AMD_WORDS_##words,
#include "amd/pseudo.def"
#undef PSEUDO
    };
    return (amd_words)words_of[op];
}

/* ---- tied operands ---- */

/* Does a vector instruction keep a half of its result's register (op_sel, or SDWA's PRESERVE)? */
static bool
keeps_half(const ir_instr *i)
{
    if (amd_words_of(i->op) != AMD_WORDS_VALU)
        return false;
    if (amd_form_ext(i) == AMD_EXT_SDWA)
        return (ir_words(i)[2] >> AMD_SDWA_DST_UNUSED & 3) == AMD_SDWA_PRESERVE;
    return ir_words(i)[0] >> (AMD_MOD_OPSEL + 3) & 1;
}

/* Does an access fill registers, some of which it may leave alone? It stores no texel where memory
 * is missing, but says so (tfe). */
static bool
keeps_texel(const ir_instr *i)
{
    return amd_words_of(i->op) == AMD_WORDS_MEM && ir_words(i)[1] & AMD_MEM_TFE;
}

ir_tied
amd_tied(const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    ir_tied tied = {-1, -1};
    if (!row)
        return tied;
    int n_src = (int)amd_op_src_count(row);
    if (n_src >= i->n_refs) /* nearly all */
        return tied;
    int both = amd_op_both(row);
    if (both < 0 && amd_op_dst_count(row) && (keeps_half(i) || keeps_texel(i)))
        both = 0;
    if (both >= 0)
        tied = (ir_tied){.ref = n_src, .def = both < i->n_defs ? both : -1};
    return tied;
}

bool
amd_reads_params(unsigned op)
{
    const amd_op_info *row = amd_op_row((amd_op)op);
    if (!row || !amd_op_shape(row)->n_imm)
        return false;
    for (unsigned k = 0; k < AMD_MAX_OPERANDS && row->operands[k].role; k++) {
        if (row->operands[k].kind == AMD_K_ATTR)
            return true;
    }
    return false;
}

bool
amd_needs_exec(const ir_instr *i)
{
    const amd_op_info *row = amd_op_row((amd_op)i->op);
    if (row)
        return !IS_SALU(row->fmt) && row->fmt != AMD_SMEM && i->op != AMD_V_READLANE_B32 &&
               i->op != AMD_V_WRITELANE_B32;
    for (unsigned d = 0; d < i->n_defs; d++) {
        if (!amd_rc_is_linear(i->defs[d].rc))
            return true;
    }
    if (i->op == AMD_P_SPILL)
        return !amd_rc_is_linear(i->refs[0].rc);
    return i->op == AMD_P_AS_UNIFORM || i->op == AMD_P_REDUCE || i->op == AMD_P_INCLUSIVE_SCAN ||
           i->op == AMD_P_EXCLUSIVE_SCAN || i->op == AMD_P_BPERMUTE;
}

/* ---- names ---- */

static void
type_name(ir_type t, char out[16])
{
    snprintf(out, 16, "%s%c%u%s", t & AMD_RC_LINEAR ? "l" : "", t & AMD_RC_VGPR ? 'v' : 's',
             (unsigned)(t & AMD_RC_SIZE), t & AMD_RC_BYTES ? "b" : "");
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool
parse_type(const char *text, size_t len, ir_type *out)
{
    const char *end = text + len;
    unsigned rc = 0, size = 0;
    if (text < end && *text == 'l') {
        rc |= AMD_RC_LINEAR;
        text++;
    }
    if (text == end || (*text != 's' && *text != 'v'))
        return false;
    rc |= *text++ == 'v' ? AMD_RC_VGPR : 0u;
    while (text < end && is_digit(*text) && size <= AMD_RC_SIZE)
        size = size * 10 + (unsigned)(*text++ - '0');
    if (text < end && *text == 'b') {
        rc |= AMD_RC_BYTES;
        text++;
    }
    *out = (ir_type)(rc | size);
    bool plain_sgpr = (rc & AMD_RC_VGPR) || !(rc & (AMD_RC_BYTES | AMD_RC_LINEAR));
    return text == end && size >= 1 && size <= AMD_RC_SIZE && plain_sgpr;
}

typedef struct reg_word {
    const char *name;
    uint16_t reg;
} reg_word;

static const reg_word reg_words[] = {
    {"scc", AMD_SCC},   {"vcc", AMD_VCC},          {"vcc_hi", AMD_VCC + 4}, {"m0", AMD_M0},
    {"exec", AMD_EXEC}, {"exec_hi", AMD_EXEC + 4}, {"null", AMD_NULL},
};

/* The register files' letters and first codes, from the highest one on. */
static const struct reg_file {
    char letter;
    uint16_t first, last_number;
} reg_files[] = {{'a', AMD_REG_AGPR0, 255}, {'v', AMD_REG_VGPR0, 255}, {'s', 0, 127}, {0, 0, 0}};

/* s[2], s[4-7], v[3], v[3][16:32] for the upper half: ACO's notation. */
static void
reg_name(unsigned reg, ir_type t, char out[16])
{
    for (unsigned i = 0; i < sizeof reg_words / sizeof *reg_words; i++) {
        if (reg_words[i].reg == reg) {
            snprintf(out, 16, "%s", reg_words[i].name);
            return;
        }
    }
    const struct reg_file *file = reg_files;
    unsigned code = reg / 4, byte = reg % 4, size = amd_rc_bytes(t);
    while (code < file->first)
        file++;
    unsigned n = (code - file->first) & 255, last = n + (byte + size + 3) / 4 - 1;
    char text[40];
    if (byte)
        snprintf(text, sizeof text, "%c[%u].%u", file->letter, n, byte);
    else if (last > n && size)
        snprintf(text, sizeof text, "%c[%u-%u]", file->letter, n, last);
    else
        snprintf(text, sizeof text, "%c[%u]", file->letter, n);
    snprintf(out, 16, "%.15s", text);
}

/* A number of one to three digits up to `most`. */
static bool
take_number(const char **at, unsigned most, unsigned *out)
{
    uint64_t v;
    size_t n = base_integer_read(*at, 3, 10, &v);
    *at += n;
    *out = (unsigned)v;
    return n && v <= most;
}

/* Parses the part after the register file's letter: "v[3]", "v[3].2", "v[3-4]". */
static bool
parse_place(const char *at, unsigned *n, unsigned *last, unsigned *byte)
{
    bool ok = *at++ == '[' && take_number(&at, 255, n);
    if (ok && *at == '-')
        return at++, take_number(&at, 999, last) && strcmp(at, "]") == 0;
    if (!ok || *at++ != ']')
        return false;
    if (*at == '.')
        return at++, take_number(&at, 3, byte) && !*at;
    return !*at;
}

/* The class that a name implies: vcc and exec mean the pairs. */
static bool
parse_reg(const char *text, size_t len, unsigned *out, ir_type *type)
{
    char word[16];
    unsigned n = 0, last = 0, byte = 0;
    if (len >= sizeof word)
        return false;
    memcpy(word, text, len);
    word[len] = '\0';
    for (unsigned i = 0; i < sizeof reg_words / sizeof *reg_words; i++) {
        if (strcmp(reg_words[i].name, word) == 0) {
            *out = reg_words[i].reg;
            *type = *out == AMD_VCC || *out == AMD_EXEC ? AMD_S2 : AMD_S1;
            return true;
        }
    }
    const struct reg_file *file = reg_files;
    while (file->letter && file->letter != word[0])
        file++;
    if (!file->letter || !parse_place(word + 1, &n, &last, &byte) || n > file->last_number)
        return false;
    *out = (file->first + n) * 4 + byte;
    *type = (ir_type)(amd_rc(file->first > 0, (last > n ? last - n + 1 : 1) * 4));
    return true;
}

/* The encoding and its extension: amd_form. */
static const ir_attr_info form[] = {{.name = "fmt", .bits = 7, .kind = IR_ATTR_UINT}, END};

#define LEVEL(which)                                                                               \
    {                                                                                              \
        .name = "amd", .ops = op_table, .n_ops = AMD_OP_COUNT, .machine = &(which),                \
        .type_name = type_name, .reg_name = reg_name, .parse_type = parse_type,                    \
        .parse_reg = parse_reg, .const_type = AMD_S1, .form = form, .bundles = amd_bundles,        \
        .program = amd_program_fields, .program_size = sizeof(amd_program),                        \
    }

const ir_level amd_level = LEVEL(amd_machine), amd_half_level = LEVEL(amd_half_machine);
static const ir_level paired_level = LEVEL(amd_paired_machine);

const ir_level *
amd_level_of(const amd_target *t)
{
    return amd_has(t, aligned_vgprs) ? &paired_level : &amd_level;
}
