/* The IR container: functions, blocks, instructions, references. All levels share one set of
 * structures.
 *
 * HIR, the shared SSA level, and the machine IRs of the backends differ only in their opcode table
 * (`ir_level`). An instruction has an opcode, definitions, references (its operands) and attribute
 * words; the opcode's row defines their meaning, so printing, parsing, hashing, comparison and
 * verification are one loop each.
 *
 * Values are numbered: `f->values[id]` holds the type, the defining instruction and flags. A value
 * has one definition (SSA) as long as `f->ssa` is true. References are small structs stored in the
 * instruction. There are no use lists: passes that need uses count them (ir_count_uses), and passes
 * that replace values record `old -> new` and rewrite once (replace.h).
 *
 * Types. At the HIR level a value has 1 to 16 components of 1, 8, 16, 32 or 64 bits (1-bit
 * components are booleans). ALU opcodes are scalar: each result has one component, and a reference
 * names the component of its value that it reads (`%4.z`). Whole vectors appear as memory data,
 * coordinates, texture results, and as operands of `vec`. At a machine level a type is the
 * backend's register class.
 *
 * Control flow of HIR is structured. A block ends with one of four terminators:
 * - jump: one successor.
 * - if %c then else: two distinct successors, each with this block as its only predecessor, and
 *   `merge`, the block where both arms join (an arm may also leave by break or continue).
 * - loop: one successor, the loop's header; `merge` is the target of breaks, `cont` of continues.
 * - return: no successor; only the last block of a function returns.
 *
 * A block opens an if or a loop, or jumps: to its construct's merge block, to the innermost loop's
 * `merge` (break), or to the innermost loop's `cont` (continue). The continue region starts at
 * `cont`, which is not the header, and ends with a jump to the header, the only back edge. It may
 * break, but not continue. A header's predecessors are the block that opens the loop and the end of
 * the continue region. A merge block's predecessors are the ends of its construct's arms, or the
 * breaks. An unreachable merge or continue block has no predecessors.
 *
 * `f->blocks` is in structured order: a construct's blocks are contiguous (then, else; body,
 * continue region), followed by the merge block. Definitions come before uses, except for loop
 * header phis.
 *
 * Edges: list 0 holds the logical edges, the control flow of the program as written; list 1 holds
 * the linear edges, the paths that the machine takes. HIR has list 0 only. A phi's references are
 * in the order of its block's predecessors (list 0, or list 1 for linear phis).
 */
#ifndef IR_IR_H
#define IR_IR_H

#include "base/arena.h"
#include "base/bits.h"
#include "base/diag.h"
#include "base/map.h"

#include <string.h>

typedef struct ir_fn ir_fn;
typedef struct ir_block ir_block;
typedef struct ir_instr ir_instr;

/* HIR: bits | components << 8. Machine levels: the backend's register class. */
typedef uint16_t ir_type;

#define IR_TYPE(bits, comps) ((ir_type)((bits) | (comps) << 8))
#define IR_BOOL              IR_TYPE(1, 1)
#define IR_I8                IR_TYPE(8, 1)
#define IR_I16               IR_TYPE(16, 1)
#define IR_I32               IR_TYPE(32, 1)
#define IR_I64               IR_TYPE(64, 1)

static inline unsigned
ir_type_bits(ir_type t)
{
    return t & 0xff;
}

static inline unsigned
ir_type_comps(ir_type t)
{
    return t >> 8;
}

typedef enum ir_ref_kind {
    IR_REF_NONE,  /* an absent optional operand */
    IR_REF_VALUE, /* `id` is a value */
    IR_REF_CONST, /* machine levels: `id` holds the 32-bit constant; HIR has load_const */
    IR_REF_UNDEF, /* machine levels: any value; HIR has undef */
} ir_ref_kind;

enum {
    IR_WHOLE = 0xff, /* `comp`: the whole value */
    IR_REG_NONE = 0xffff,
    IR_MAX_COMPS = 16,
};

/* Flags of a reference; machine levels only. */
enum {
    IR_FIXED = 1,    /* `reg` is required by the instruction (before allocation) */
    IR_ASSIGNED = 2, /* `reg` was chosen by register allocation */
    /* last use of the value on this path; on a definition: the value is never used */
    IR_KILL = 4,
    IR_FIRST_KILL = 8, /* the first of several killed references to one value in an instruction */
    IR_LATE_KILL =
        16, /* the operand's register may not be reused for a definition of the same instruction */
    IR_CONST64 = 32, /* IR_REF_CONST: a 64-bit constant, `id` sign-extended (integers) */
    /* IR_REF_VALUE, IR_REF_UNDEF: a mark of the code that makes machine IR, which removes it */
    IR_MAKERS_MARK = 32,
};

/* A reference to a value, or a definition of one: eight bytes, which are passed in one register. */
typedef struct ir_ref {
    uint32_t id;
    uint16_t reg; /* machine levels: physical register in bytes (register number * 4 + byte), or
                   * IR_REG_NONE */
    union {
        uint8_t comp; /* HIR: component read, or IR_WHOLE */
        uint8_t rc;   /* machine levels: register class of the value or constant */
    };
    uint8_t kind : 2; /* ir_ref_kind */
    uint8_t flags : 6;
} ir_ref;
_Static_assert(sizeof(ir_ref) == sizeof(uint64_t), "a reference is one word");

/* A reference with these fields; `part` is the component or class. It is made of one word where the
 * host's bytes have the order of the fields: compilers that join bytes in memory would read them
 * back while they are being written. */
static inline ir_ref
ir_pack_ref(unsigned kind, uint32_t id, unsigned reg, unsigned part, unsigned flags)
{
    ir_ref r = {.kind = 1}, one = {.id = 1};
    uint64_t word = id | (uint64_t)reg << 32 | (uint64_t)part << 48 |
                    (uint64_t)(kind | flags << 2) << 56;
    uint64_t first, last;
    memcpy(&first, &one, sizeof first);
    memcpy(&last, &r, sizeof last);
    if (first == 1 && last == UINT64_C(1) << 56)
        memcpy(&r, &word, sizeof r);
    else
        r = (ir_ref){.id = id,
                     .reg = (uint16_t)reg,
                     .comp = (uint8_t)part,
                     .kind = (uint8_t)(kind & 3),
                     .flags = (uint8_t)(flags & 0x3f)};
    return r;
}

static inline ir_ref
ir_none(void)
{
    return ir_pack_ref(IR_REF_NONE, 0, IR_REG_NONE, 0, 0);
}

static inline bool
ir_is_value(ir_ref r)
{
    return r.kind == IR_REF_VALUE;
}

/* The meaning of an attribute's word (or words), which determines how it is printed and parsed. */
typedef enum ir_attr_kind {
    IR_ATTR_UINT,
    IR_ATTR_INT,
    IR_ATTR_HEX,
    IR_ATTR_BOOL,
    IR_ATTR_ENUM,  /* `names` maps the number to a word */
    IR_ATTR_FLAGS, /* `names` maps bit i to a word; printed joined by '|', 0 as "none" */
    IR_ATTR_MASK,  /* component mask, printed as NIR's write masks: xyzw */
    IR_ATTR_WORDS, /* all remaining words (load_const's payload) */
    IR_ATTR_MARK,  /* of ir_level.form: one bit; `name`, a punctuation mark, after the opcode */
} ir_attr_kind;

/* A field of an instruction's attribute words. A field that is 0, as in a new instruction, is not
 * printed if `optional`. */
typedef struct ir_attr_info {
    const char *name;
    uint8_t word, shift, bits; /* its position */
    uint8_t kind;              /* ir_attr_kind */
    bool optional;
    const char *const *names; /* ends with NULL */
    uint8_t id;               /* HIR: ir_attr */
} ir_attr_info;

/* Properties of opcodes that generic passes query. */
enum {
    IR_OP_PHI = 1u << 0,
    IR_OP_TERMINATOR = 1u << 1,
    IR_OP_ALU = 1u << 2,    /* HIR: pure, scalar, has an executable meaning */
    IR_OP_EFFECT = 1u << 3, /* must not be removed even if its results are unused */
    IR_OP_READS = 1u << 4,  /* reads memory that other invocations or instructions may write */
    IR_OP_WRITES = 1u << 5, /* writes memory */
    IR_OP_CONVERGENT =
        1u << 6, /* depends on the set of active lanes: never moved across control flow */
    IR_OP_COMMUTES = 1u << 7,    /* references 0 and 1 may be swapped */
    IR_OP_DIVERGENT = 1u << 8,   /* result differs between lanes, with any operands */
    IR_OP_UNIFORM = 1u << 9,     /* result is equal in all lanes, with any operands */
    IR_OP_INTRINSIC = 1u << 10,  /* printed as NIR prints intrinsics: @name (...) (...) */
    IR_OP_LINEAR_PHI = 1u << 11, /* with IR_OP_PHI: along the linear edges */
    IR_OP_BARRIER = 1u << 12,    /* orders memory instructions around it */
    IR_OP_TEX = 1u << 13,
    IR_OP_EXCHANGE = 1u << 14, /* the result is reference 0 read from another lane */
    /* The result names a resource, that which the last reference (an index or offset) selects: it
     * exists wherever the function runs if the reference is a constant, else only where the program
     * executes the instruction. */
    IR_OP_HANDLE = 1u << 15,
    /* Reads memory that never changes at an offset, the last reference, which is valid wherever the
     * function runs if it is a constant. */
    IR_OP_INDEXED = 1u << 16,
};

enum {
    IR_ANY = 0xff
}; /* the number of definitions or references varies between instructions of the opcode */

/* A row of an opcode table. */
typedef struct ir_op_info {
    const char *name;
    uint8_t n_defs, n_refs; /* or IR_ANY */
    uint8_t n_words;        /* attribute words; IR_ANY if the last field is IR_ATTR_WORDS */
    uint8_t n_attrs;
    uint32_t flags; /* IR_OP_* */
    const ir_attr_info *attrs;
    const char *types; /* HIR's intrinsics: the rule of their types (ops.def); else NULL */
} ir_op_info;

/* A level: an opcode table and the text form of its types and registers. */
typedef struct ir_level {
    const char *name;
    const ir_op_info *ops;
    unsigned n_ops;
    const struct ir_machine *machine; /* see machine.h; NULL at the HIR level */
    /* Writes the name of a type ("32x4", "s2") or physical register ("v3", "scc") into `out` (16
     * bytes). */
    void (*type_name)(ir_type t, char out[16]);
    void (*reg_name)(unsigned reg, ir_type t, char out[16]);
    /* The reverse. Returns false if `text` (with length) is not a name. */
    bool (*parse_type)(const char *text, size_t len, ir_type *out);
    /* `*type` receives the class implied by the name: s2 for s[2-3]. */
    bool (*parse_reg)(const char *text, size_t len, unsigned *out, ir_type *type);
    /* Class of constants whose text does not name one; 0 at the HIR level. */
    ir_type const_type;
    /* The parts of ir_instr.form that text shows if they are not 0, and their names; ends with a
     * NULL name. NULL: there are none. A part of kind IR_ATTR_MARK is printed directly after the
     * opcode (fadd!), others after the attributes (fmt:5; machine levels only). */
    const ir_attr_info *form;
    /* Returns true if instructions of the opcode may have this `form` (without the bits that join
     * bundles). NULL: any. */
    bool (*has_form)(unsigned op, unsigned form);
    /* Kinds of bundles (bundle.h); NULL: there are none. */
    const struct ir_bundle_kind *bundles;
    /* The fields of f->backend in the text's header (text.h), and its size; the parser makes one.
     * NULL: f->backend is not in the text. */
    const struct ir_text_field *program;
    uint32_t program_size;
} ir_level;

extern const ir_level ir_hir_level;

/* The fields that a walk over a function reads are together at the end, next to the definitions. */
struct ir_instr {
    ir_instr *prev;
    ir_block *block;
    uint32_t loc; /* index into f->locs; 0 is "unknown" */
    /* Position in the function after liveness (cg/live.h), or scratch space for the running pass.
     * A pass that marks instructions ends the numbering. */
    union {
        uint32_t index, mark;
    };
    ir_instr *next;
    ir_ref *refs;
    uint16_t op;
    uint16_t n_refs;
    uint16_t n_words;
    uint8_t n_defs;
    uint8_t form;  /* a byte of the level's own (ir_level.form), 0 in a new instruction */
    ir_ref defs[]; /* followed by the attribute words: see ir_words */
};

/* The attribute words. */
static inline uint32_t *
ir_words(const ir_instr *i)
{
    return (uint32_t *)(i->defs + i->n_defs);
}

/* Takes away the definitions behind the first `n`; the attribute words, which follow, stay. */
static inline void
ir_drop_defs(ir_instr *i, unsigned n)
{
    const uint32_t *words = ir_words(i);
    i->n_defs = (uint8_t)n;
    memmove(ir_words(i), words, i->n_words * sizeof *words);
}

enum { IR_FEW_EDGES = 2 };

/* Up to two edges, as nearly all blocks have, are stored in the block itself. A plain copy of the
 * struct would still point there: use ir_move_succs. */
typedef struct ir_edges {
    ir_block **at; /* `few`, or an array; NULL while `cap` is 0 */
    uint32_t count, cap;
    ir_block *few[IR_FEW_EDGES];
} ir_edges;

/* Kinds of blocks of machine levels, for machines that execute divergent control flow with masks of
 * lanes, as ACO has them. Others leave them out. */
enum {
    IR_BLOCK_UNIFORM = 1u << 0,
    IR_BLOCK_TOP_LEVEL = 1u << 1,
    IR_BLOCK_LOOP_PREHEADER = 1u << 2,
    IR_BLOCK_LOOP_HEADER = 1u << 3,
    IR_BLOCK_LOOP_EXIT = 1u << 4,
    IR_BLOCK_CONTINUE = 1u << 5, /* ends with a jump to the loop's continue */
    IR_BLOCK_BREAK = 1u << 6,    /* ends with a jump to the loop's exit */
    IR_BLOCK_BRANCH = 1u << 7,   /* opens a divergent if */
    IR_BLOCK_MERGE = 1u << 8,    /* closes a divergent if */
    IR_BLOCK_INVERT = 1u << 9,   /* between the arms of a divergent if: the other lanes go on */
    IR_BLOCK_LOOP_CONTINUE =
        1u << 10,                /* head of the continue region: lanes that continued rejoin here */
    IR_BLOCK_LOGICAL = 1u << 11, /* part of the logical CFG */
};

/* A cache line each: what a walk over all instructions reads, the edges to the block, those from
 * it. Blocks begin at multiples of a line. */
struct ir_block {
    ir_fn *fn;
    uint32_t index; /* position in f->blocks */
    uint32_t kind;  /* IR_BLOCK_* */
    ir_instr *first, *last;
    ir_block *merge, *cont;      /* set if the terminator opens an if or a loop */
    ir_block *loop_header;       /* analysis "loops": header of the innermost loop, or NULL */
    uint32_t loop_depth;         /* analysis "loops" */
    uint32_t offset;             /* emit: offset in bytes from the start of the code */
    ir_edges preds[2], succs[2]; /* logical, linear */
};

typedef struct ir_value {
    ir_instr *def;
    ir_type type;
    bool divergent; /* analysis "divergence" */
} ir_value;

/* A source line, from OpLine or debug info. `file` is a string number of f->strings. */
typedef struct ir_loc {
    uint32_t file, line, column;
} ir_loc;

typedef enum ir_stage {
    IR_STAGE_COMPUTE,
    IR_STAGE_VERTEX,
    IR_STAGE_FRAGMENT,
    IR_STAGE_COUNT
} ir_stage;

/* Floating-point behaviour that the shader requests (SPV_KHR_float_controls), one bit per width: 1
 * f16, 2 f32, 4 f64. */
typedef struct ir_float_controls {
    uint8_t denorm_preserve, denorm_flush, round_even, round_zero, preserve_nan_inf;
} ir_float_controls;

/* The shader's declarations other than its code. Sizes in bytes. */
/* What a fragment shader promises of the depth that it stores. */
typedef enum ir_depth_bound {
    IR_DEPTH_ANY,
    IR_DEPTH_GREATER, /* than the primitive's, or equal */
    IR_DEPTH_LESS,
    IR_DEPTH_UNCHANGED,
} ir_depth_bound;

/* Between begin_interlock and end_interlock: of fragments that cover the same pixel, or sample. */
typedef enum ir_interlock {
    IR_INTERLOCK_NONE,
    IR_INTERLOCK_PIXEL,
    IR_INTERLOCK_PIXEL_UNORDERED,
    IR_INTERLOCK_SAMPLE,
    IR_INTERLOCK_SAMPLE_UNORDERED,
} ir_interlock;

/* Fragment shaders: execution modes of SPIR-V (3.6), and what follows from the inputs used. */
typedef struct ir_fragment {
    bool early_tests, post_depth_coverage;
    bool sample_shading; /* it runs once for each sample */
    uint8_t depth_bound; /* ir_depth_bound */
    uint8_t interlock;   /* ir_interlock */
} ir_fragment;

typedef struct ir_shader {
    ir_stage stage;
    ir_fragment fragment;
    bool captures; /* transform feedback: there may be store_xfb */
    uint32_t workgroup_size[3];
    uint32_t shared_size;
    bool shared_zero;      /* zero-initialised workgroup memory; informational, the reader emits the
                       * stores */
    uint32_t scratch_size; /* per invocation */
    uint32_t push_constant_size;
    uint32_t wave_size;          /* 0 until chosen */
    uint32_t required_wave_size; /* 0: no requirement */
    bool uses_subgroups;         /* the wave size is visible to the shader */
    bool full_subgroups;
    ir_float_controls fp;
    const uint8_t *constant_data; /* read by load_constant */
    uint32_t constant_size;
} ir_shader;

/* State shared by all functions of a compile. */
typedef struct ir_ctx {
    diag *diag;
    arena *arena;   /* lives as long as the compile */
    arena *scratch; /* marked and released by passes */
    /* The machine computes what is the same for a whole dispatch once, before it. */
    bool computes_once;
    /* Uniform buffers are read through addresses, without a check of bounds. */
    bool unchecked_uniforms;
    bool has_arrays; /* the machine's registers are picked by a number, too */
    /* For bisection (ir/pass.h): changes that the running pass has asked for, and 1 + the number
     * that it may make; 0: all. */
    uint64_t n_changes, change_limit;
} ir_ctx;

/* Asked by a pass that may be left out before each of its changes; if it returns false, the pass
 * does not make that change. A change is the smallest one that leaves a right program. */
static inline bool
ir_may_change(ir_ctx *c)
{
    return !c->change_limit || ++c->n_changes < c->change_limit;
}

/* Space in a function's arena for the next objects of one kind, so that these are adjacent. */
typedef struct ir_room {
    unsigned char *next, *end;
} ir_room;

struct ir_fn {
    ir_ctx *ctx;
    const ir_level *level;
    const char *name;
    arena *arena;
    ir_room instr_room, block_room;
    ir_block **blocks;
    size_t n_blocks, cap_blocks;
    ir_value *values; /* id 0 is never used */
    size_t n_values, cap_values;
    ir_loc *locs; /* 0 is "unknown" */
    size_t n_locs, cap_locs;
    base_strings strings;
    ir_shader shader;
    const void *target; /* machine levels: the backend's target row */
    void *backend;      /* machine levels: the backend's program state */
    bool ssa;
    /* machine levels: registers are assigned (in text, a bare register is an assigned one) */
    bool allocated;
    uint32_t valid; /* analyses that are up to date: IR_HAS_* */
    /* analysis "dominance", by block index (dominance.h): logical, linear */
    struct ir_dom_node *dom[2];
    size_t cap_dom[2];
    /* Opcodes and sizes that have ever been created, so that a pass that looks for some of them can
     * skip its search. Bit op % 256 is set if the opcode was ever made; bit n of `made_bits` if a
     * value of n bits (HIR) was. */
    uint64_t made_ops[4], made_bits[2];
    /* shared by builders: see numbering.h; NULL until one is made */
    struct ir_constants *constants;
    uint32_t changes; /* number of passes that changed the function since it was read */
    /* HIR: value numbering finds nothing in the function as it was read, but where a pass has
     * changed it (opt/infer_access.c). */
    bool numbered;
};

/* Analyses. A pass's row lists those it needs and those it keeps. */
enum {
    IR_HAS_DOMINANCE = 1,
    IR_HAS_LOOPS = 2,
    IR_HAS_DIVERGENCE = 4,
    IR_HAS_LIVENESS = 8,
    IR_HAS_KILLS = 16, /* machine levels: the kill flags of references (cg/live.h) */
};

/* Makes the source line of instructions with `loc` the place of the next error. */
void
ir_locate(const ir_fn *f, uint32_t loc);

/* ---- making ---- */

ir_fn *
ir_fn_new(ir_ctx *ctx, const ir_level *level, const char *name);

/* The same for what selection makes of `f`: with its name, what it says of the shader, its strings
 * and lines, its back end's program and target. */
ir_fn *
ir_fn_new_from(const ir_fn *f, const ir_level *level);

/* Makes a new block that is not yet in f->blocks. */
ir_block *
ir_block_new(ir_fn *f);

/* Appends `b` to f->blocks; puts it before the block that has the index. */
void
ir_append_block(ir_fn *f, ir_block *b);
void
ir_insert_block(ir_fn *f, ir_block *b, size_t index);

/* Removes the blocks whose `index` is UINT32_MAX from f->blocks, and renumbers the others. */
void
ir_compact_blocks(ir_fn *f);

/* Adds the edge from -> to in list `list` (0 logical, 1 linear), at the end of both blocks' lists.
 */
void
ir_add_edge(ir_block *from, ir_block *to, unsigned list);

/* Removes the edge and the corresponding reference in `to`'s phis of that list. */
void
ir_remove_edge(ir_block *from, ir_block *to, unsigned list);

/* Gives the successors of `from` to `to`, which has none; the successors' phis stay as they are. */
void
ir_move_succs(ir_block *from, ir_block *to);

/* Index of `pred` among `b`'s predecessors, or UINT32_MAX. */
uint32_t
ir_pred_index(const ir_block *b, const ir_block *pred, unsigned list);

/* Sets the type of a value. */
static inline void
ir_set_type(ir_fn *f, uint32_t id, ir_type type)
{
    f->values[id].type = type;
    f->made_bits[type >> 6 & 1] |= UINT64_C(1) << (type & 63);
}

/* Makes a new value that has no definition yet. */
static inline uint32_t
ir_new_value(ir_fn *f, ir_type type)
{
    f->values = (ir_value *)arena_grow(f->arena, f->values, &f->cap_values, f->n_values + 1,
                                       sizeof *f->values);
    f->values[f->n_values] = (ir_value){0};
    ir_set_type(f, (uint32_t)f->n_values, type);
    return (uint32_t)f->n_values++;
}

/* Returns true if an instruction of the opcode, or a value of this many bits, may exist. */
static inline bool
ir_made_op(const ir_fn *f, unsigned op)
{
    return f->made_ops[op / 64 % 4] >> op % 64 & 1;
}

static inline bool
ir_made_bits(const ir_fn *f, unsigned bits)
{
    return f->made_bits[bits / 64 & 1] >> bits % 64 & 1;
}

/* Records that the opcode is used, when an instruction is made or becomes another. */
static inline void
ir_note_op(ir_fn *f, unsigned op)
{
    f->made_ops[op / 64 % 4] |= UINT64_C(1) << op % 64;
}

/* Makes a new instruction that is not yet in a block. References are IR_REF_NONE, definitions are
 * empty, and words are 0. */
ir_instr *
ir_new_instr(ir_fn *f, unsigned op, unsigned n_defs, unsigned n_refs);

/* The same for opcodes with a variable number of attribute words (load_const). */
ir_instr *
ir_new_instr_words(ir_fn *f, unsigned op, unsigned n_defs, unsigned n_refs, unsigned n_words);

/* A reference to all of value `id` (component 0 if it has one component). */
static inline ir_ref
ir_use(const ir_fn *f, uint32_t id)
{
    ir_type t = f->values[id].type;
    bool machine = f->level->machine;
    bool scalar = !machine && ir_type_comps(t) == 1;
    return ir_pack_ref(IR_REF_VALUE, id, IR_REG_NONE,
                       machine  ? (uint8_t)t
                       : scalar ? 0
                                : IR_WHOLE,
                       0);
}

/* Makes a new value of `type` and sets it as definition `d` of `i`. Returns a whole reference to it
 * (for scalars, component 0). */
static inline ir_ref
ir_define(ir_fn *f, ir_instr *i, unsigned d, ir_type type)
{
    uint32_t id = ir_new_value(f, type);
    f->values[id].def = i;
    i->defs[d] = ir_use(f, id);
    return i->defs[d];
}

/* A reference to component `comp` of the value that `r` refers to. HIR only. */
static inline ir_ref
ir_comp(ir_ref r, unsigned comp)
{
    return ir_pack_ref(r.kind, r.id, r.reg, comp, r.flags);
}

/* The instruction that defines what `r` refers to; NULL: it is no value, or none defines it yet. */
static inline ir_instr *
ir_def_of(const ir_fn *f, ir_ref r)
{
    return ir_is_value(r) ? f->values[r.id].def : NULL;
}

/* The type that a reference reads: the component's if it names a component. HIR only. */
static inline ir_type
ir_ref_type(const ir_fn *f, ir_ref r)
{
    ir_type t = f->values[r.id].type;
    return r.comp == IR_WHOLE ? t : IR_TYPE(ir_type_bits(t), 1);
}

/* Returns true if value, component, constant and register are the same. */
static inline bool
ir_same_ref(ir_ref a, ir_ref b)
{
    return a.id == b.id && a.reg == b.reg && a.comp == b.comp && a.kind == b.kind;
}

/* ---- placing ---- */

static inline void
ir_append(ir_block *b, ir_instr *i)
{
    i->block = b;
    i->prev = b->last;
    i->next = NULL;
    *(b->last ? &b->last->next : &b->first) = i;
    b->last = i;
}

static inline void
ir_insert_before(ir_instr *at, ir_instr *i)
{
    i->block = at->block;
    i->prev = at->prev;
    i->next = at;
    *(at->prev ? &at->prev->next : &at->block->first) = i;
    at->prev = i;
}

/* Makes an instruction before `at`, and of its source line. */
static inline ir_instr *
ir_insert_new(ir_instr *at, unsigned op, unsigned n_defs, unsigned n_refs)
{
    ir_instr *i = ir_new_instr(at->block->fn, op, n_defs, n_refs);
    i->loc = at->loc;
    ir_insert_before(at, i);
    return i;
}

static inline void
ir_insert_after(ir_instr *at, ir_instr *i)
{
    if (at->next)
        ir_insert_before(at->next, i);
    else
        ir_append(at->block, i);
}

static inline void
ir_prepend(ir_block *b, ir_instr *i)
{
    if (b->first)
        ir_insert_before(b->first, i);
    else
        ir_append(b, i);
}

static inline void
ir_unlink(ir_instr *i)
{
    *(i->prev ? &i->prev->next : &i->block->first) = i->next;
    *(i->next ? &i->next->prev : &i->block->last) = i->prev;
    i->prev = i->next = NULL;
}

/* Copies `i`. The copy is not in a block, and its definitions are still those of `i`: the caller
 * replaces them. */
ir_instr *
ir_clone_instr(ir_fn *f, const ir_instr *i);

/* Replaces `i` by a copy with room for more definitions and references, which are of kind NONE and
 * behind those of `i`. Returns the copy, which now defines the values. */
ir_instr *
ir_extend_instr(ir_instr *i, unsigned more_defs, unsigned more_refs);

/* ---- attributes ---- */

static inline const ir_op_info *
ir_op_of(const ir_fn *f, const ir_instr *i)
{
    return &f->level->ops[i->op];
}

static inline bool
ir_has_flag(const ir_instr *i, uint32_t flag)
{
    return (i->block->fn->level->ops[i->op].flags & flag) != 0;
}

/* The block's terminator, or NULL if it has none yet. */
static inline ir_instr *
ir_terminator(const ir_block *b)
{
    return b->last && ir_has_flag(b->last, IR_OP_TERMINATOR) ? b->last : NULL;
}

/* The first instruction after the phis, or NULL. */
static inline ir_instr *
ir_first_non_phi(const ir_block *b)
{
    ir_instr *i = b->first;
    while (i && ir_has_flag(i, IR_OP_PHI))
        i = i->next;
    return i;
}

/* Returns field `a` of the words. The caller sign-extends IR_ATTR_INT. */
uint32_t
ir_get_attr(const ir_instr *i, const ir_attr_info *a);

/* ---- rewriting ---- */

/* Splits the block of `at` before it: `at` and the instructions after it move to a new block, with
 * the terminator's edges and construct. The old block is left without a terminator.
 * Returns the new block, which is not yet in f->blocks. */
ir_block *
ir_split_block(ir_instr *at);

/* The first instruction of the opcode in the order of the blocks, or NULL. */
ir_instr *
ir_find_op(const ir_fn *f, unsigned op);

/* uses[id] is the number of references to the value; an array of f->n_values in `a`. */
uint32_t *
ir_count_uses(const ir_fn *f, arena *a);

#define IR_FOREACH_BLOCK(b, f)                                                                     \
    for (ir_block **b##_at = (f)->blocks, *b = NULL;                                               \
         b##_at < (f)->blocks + (f)->n_blocks && (b = *b##_at, true); b##_at++)

/* The loop body may unlink the instruction. */
#define IR_FOREACH_INSTR(i, b)                                                                     \
    for (ir_instr *i = (b)->first, *i##_next = NULL; i && (i##_next = i->next, true); i = i##_next)

/* The first instruction of the blocks from number `block` on; the one behind `i`, in its block or a
 * later one. NULL: there is none. */
static inline ir_instr *
ir_first_from(const ir_fn *f, size_t block)
{
    while (block < f->n_blocks && !f->blocks[block]->first)
        block++;
    return block < f->n_blocks ? f->blocks[block]->first : NULL;
}

static inline ir_instr *
ir_instr_behind(const ir_instr *i)
{
    return i->next ? i->next : ir_first_from(i->block->fn, i->block->index + 1u);
}

/* All instructions, block after block. The loop body may unlink the instruction, but not the one
 * behind it. */
#define IR_FOREACH_INSTR_OF(i, f)                                                                  \
    for (ir_instr *i = ir_first_from(f, 0), *i##_next = NULL;                                      \
         i && (i##_next = ir_instr_behind(i), true); i = i##_next)

#define IR_FOREACH_INSTR_REVERSE(i, b)                                                             \
    for (ir_instr *i = (b)->last, *i##_prev = NULL; i && (i##_prev = i->prev, true); i = i##_prev)

#endif
