/* The data model of the SPIR-V reader: types, ids, variables, pointers, functions, SSA variables.
 *
 * Values. A SPIR-V value is a flat array of leaves, its scalar components in order. Pointers are
 * descriptions (spirv_ptr). Only a pointer that becomes data (phi, select, memory) has leaves too:
 * an address (physical), a descriptor and an offset (buffers), or an offset (workgroup).
 *
 * All data is allocated in the compile's scratch arena and released when the function is finished.
 */
#ifndef SPIRV_MODEL_H
#define SPIRV_MODEL_H

#include "base/buf.h"
#include "ir/builder.h"
#include "spirv/enums.h"
#include "spirv/spirv.h"

/* Opcodes: SPIRV_OpLoad ... */
typedef enum spirv_opcode {
#define OP(number, name, layout) SPIRV_Op##name = number,
#include "spirv/opcodes.def"
#undef OP
} spirv_opcode;

/* Limits in addition to those implied by the module's size. */
enum {
    SPIRV_MAX_BOUND = 0x3fffff, /* ids; SPIR-V 1.6, 2.17 */
    SPIRV_MAX_TYPE_DEPTH = 255, /* 2.17 */
    /* constructs and inlined calls; 2.17 allows 1023 per function */
    SPIRV_MAX_NESTING = 1024,
    SPIRV_MAX_SHARED = 1 << 20,     /* bytes of workgroup memory */
    SPIRV_MAX_SCRATCH = 1 << 22,    /* bytes of memory per invocation */
    SPIRV_MAX_CONST_DATA = 1 << 24, /* bytes */
    SPIRV_MAX_SSA_LEAVES = 4096,    /* per variable; larger arrays are kept in memory */
};

typedef struct spirv_reader spirv_reader;
typedef struct spirv_type spirv_type;
typedef struct spirv_var spirv_var;
typedef struct spirv_func spirv_func;
typedef struct spirv_block spirv_block;

/* An instruction: `w[0]` is its first word, `n` its length in words, and `at` its word offset. */
typedef struct spirv_insn {
    const uint32_t *w;
    uint32_t at;
    uint16_t op, n;
} spirv_insn;

/* A row of the opcode table. Of the layout's operands, the first `fixed` are required and have one
 * word each. */
typedef struct spirv_op_row {
    const char *name;
    const char *layout;
    uint8_t fixed;
    uint8_t ids;    /* bit k: operand k of these is an id */
    uint8_t result; /* word of the result id, or 0 */
    bool is_type;   /* declares a type */
} spirv_op_row;

enum { SPIRV_OP_NUMBERS = 8192 }; /* opcodes are below this */

/* Row 0 has unspecified operands and stands for opcodes without a row. The second table maps an
 * opcode to its row. */
extern const spirv_op_row spirv_op_rows[];
extern const uint16_t spirv_op_row_at[SPIRV_OP_NUMBERS];

/* The row of an opcode, or NULL. */
static inline const spirv_op_row *
spirv_op_find(unsigned opcode)
{
    unsigned row = opcode < SPIRV_OP_NUMBERS ? spirv_op_row_at[opcode] : 0;
    return row ? &spirv_op_rows[row] : NULL;
}

/* The same, but row 0 for an opcode without a row. */
static inline const spirv_op_row *
spirv_op_row_of(unsigned opcode)
{
    return &spirv_op_rows[opcode < SPIRV_OP_NUMBERS ? spirv_op_row_at[opcode] : 0];
}

/* ---- types ---- */

typedef enum spirv_kind {
    SPIRV_VOID,
    SPIRV_BOOL,
    SPIRV_INT,
    SPIRV_FLOAT,
    SPIRV_VECTOR,
    SPIRV_MATRIX,
    SPIRV_ARRAY,
    SPIRV_RUNTIME_ARRAY,
    SPIRV_STRUCT,
    SPIRV_POINTER,
    SPIRV_FUNCTION,
    SPIRV_IMAGE,
    SPIRV_SAMPLER,
    SPIRV_SAMPLED_IMAGE,
    SPIRV_ACCEL, /* acceleration structure: as a value, its address */
    SPIRV_OTHER, /* declared, but no supported instruction uses it */
} spirv_kind;

/* A member of a struct, placed by its decorations. */
typedef struct spirv_member {
    const spirv_type *type;
    uint32_t offset, matrix_stride;
    uint32_t access;     /* IR_ACCESS_* */
    uint32_t first_leaf; /* index among the struct's leaves */
    uint32_t builtin;    /* BuiltIn, or UINT32_MAX */
    uint64_t natural;    /* offset in the reader's own layout */
    bool row_major, has_offset;
} spirv_member;

struct spirv_type {
    uint8_t kind; /* spirv_kind */
    uint8_t bits; /* of scalars and of vector components; booleans have 1 */
    uint8_t depth;
    bool is_signed;
    uint32_t id;
    const spirv_type *elem;  /* vector, matrix (the column), array: element; pointer: pointee;
                              * sampled image: image; image: sampled type; function: result */
    uint32_t count;          /* components, columns, elements, members, parameters */
    spirv_member *members;   /* struct */
    const spirv_type **args; /* function */
    uint32_t stride;         /* ArrayStride of an array or pointer; 0: none */
    uint32_t leaves;         /* number of scalar components; UINT32_MAX: too many for a value */
    uint32_t storage;        /* pointer: storage class */
    bool is_block, is_buffer_block;
    bool is_query;          /* a ray query: a struct of the reader's own (ray_query.c) */
    uint64_t explicit_size; /* struct: bytes to the end of the last member as decorated */
    uint64_t size;          /* natural layout: bytes, without padding at the end */
    uint32_t align;         /* natural layout: bytes, a power of two */
    /* images */
    uint8_t dim, format, sampled;
    bool arrayed, multisampled, depth_image;
};

/* ---- ids ---- */

typedef struct spirv_decor {
    struct spirv_decor *next;
    uint32_t what, member; /* member UINT32_MAX: the whole id */
    const uint32_t *args;
    uint32_t n_args;
} spirv_decor;

typedef enum spirv_id_kind {
    SPIRV_ID_NONE,
    SPIRV_ID_TYPE,
    SPIRV_ID_CONST,
    SPIRV_ID_UNDEF,
    SPIRV_ID_VAR,   /* OpVariable outside functions */
    SPIRV_ID_VALUE, /* result in a function */
    SPIRV_ID_FUNC,
    SPIRV_ID_LABEL,
    SPIRV_ID_SET,    /* OpExtInstImport */
    SPIRV_ID_STRING, /* OpString */
    SPIRV_ID_GROUP,  /* OpDecorationGroup */
} spirv_id_kind;

typedef enum spirv_set {
    SPIRV_SET_GLSL450,
    SPIRV_SET_NON_SEMANTIC, /* ignored */
    SPIRV_SET_DEBUG_INFO,   /* NonSemantic.Shader.DebugInfo.100 */
    SPIRV_SET_OTHER,
} spirv_set;

/* What scan.c learns about a pointer inside functions. */
typedef struct spirv_scan spirv_scan;
struct spirv_ptr;

/* A constant: an instruction whose leaves are computed on first use. */
typedef struct spirv_const {
    uint64_t *leaf; /* bit patterns, zero-extended; NULL until first use */
} spirv_const;

typedef struct spirv_id {
    uint8_t kind; /* spirv_id_kind */
    uint8_t set;  /* spirv_set */
    bool non_uniform;
    uint16_t op;
    uint32_t access; /* images: IR_ACCESS_* of the descriptor */
    uint32_t number; /* the id */
    uint32_t at;     /* word offset of the defining instruction, 0 if not defined yet */
    const char *name;
    spirv_decor *decor;
    spirv_type *type; /* the type itself, or the result's */
    /* by kind */
    spirv_const *constant;
    spirv_var *var;
    spirv_func *func;
    spirv_block *label;
    spirv_scan *scan;
    /* values in the function instance being emitted */
    ir_ref *leaf;
    struct spirv_ptr *ptr;
    ir_block *block;    /* the block that defines the leaves; NULL: not emitted */
    uint32_t first_var; /* SSA variables that carry the leaves where `block` does not dominate; 0:
                         * none yet */
    uint32_t phi_var;   /* OpPhi: SSA variables written on the edges */
} spirv_id;

/* ---- variables and pointers ---- */

enum { SPIRV_MAX_RANGES = 8 };

/* A run of leaves. */
typedef struct spirv_range {
    uint32_t from, to;
} spirv_range;

struct spirv_scan {
    uint32_t root;         /* id of the variable or parameter; 0: none */
    uint32_t first, count; /* leaves of the root that the pointer covers */
    bool dynamic;          /* some index before the last was not constant */
    bool component;        /* ends with a dynamic component of a vector */
    /* of root pointers */
    spirv_range memory[SPIRV_MAX_RANGES]; /* leaves that are indexed dynamically */
    uint8_t n_memory;
    bool written;      /* written in part, or with more than one constant */
    uint32_t constant; /* id of the only constant that is stored to the whole root; 0: none */
};

/* A scalar or vector of a variable that is an input or output of a graphics stage. */
typedef struct spirv_piece spirv_piece;

/* A variable. Each inlined call makes its own Function variables. */
struct spirv_var {
    uint32_t id, storage;
    const spirv_type *type; /* pointee */
    spirv_id *info;
    spirv_scan *scan;
    uint32_t access;  /* IR_ACCESS_* of its decorations */
    uint32_t ssa;     /* first SSA variable, one per leaf (Function, Private) */
    uint32_t opened;  /* index of the HIR block that made it */
    uint32_t offset;  /* in scratch, workgroup memory or constant data */
    uint32_t initial; /* id of the initializer, or 0 */
    bool in_constant; /* holds only one constant, which is in constant data too */
    bool used;        /* by a function that is reachable from the entry point */
    bool is_descriptor;
    spirv_range memory[SPIRV_MAX_RANGES]; /* leaves in scratch, at `offset` */
    unsigned n_memory;
    spirv_piece *pieces; /* Input, Output of graphics stages: stage_io.c */
    size_t n_pieces;
    uint32_t builtin; /* Input: BuiltIn, or UINT32_MAX */
    ir_ref *input;    /* Input: the built-in's leaves */
    /* descriptors */
    uint32_t set, binding;
    ir_desc_type desc_type;
    uint32_t desc_count;    /* elements of the descriptor array (all dimensions), 0: runtime */
    const spirv_type *desc; /* type of one descriptor's contents */
    ir_ref handle;          /* of element 0, in the entry block; not a value until made */
};

typedef enum spirv_place {
    /* Function, Private: leaves of `var` from `leaf` on; some may be in memory */
    SPIRV_PLACE_SSA,
    SPIRV_PLACE_INPUT,    /* `leaf` of a built-in */
    SPIRV_PLACE_DESC,     /* a descriptor or an array of them, not the contents */
    SPIRV_PLACE_BUFFER,   /* handle and offset; `is_ubo` */
    SPIRV_PLACE_PUSH,     /* offset in push constants */
    SPIRV_PLACE_SHARED,   /* offset in workgroup memory */
    SPIRV_PLACE_SCRATCH,  /* offset in the invocation's memory: Function, Private */
    SPIRV_PLACE_CONSTANT, /* offset in constant data */
    SPIRV_PLACE_PHYSICAL, /* 64-bit address */
    SPIRV_PLACE_TEXEL,    /* OpImageTexelPointer */
} spirv_place;

/* A pointer, described by what is known about its target when it is made. */
typedef struct spirv_ptr {
    uint8_t place; /* spirv_place */
    bool is_ubo, explicit_layout;
    bool row_major;         /* of the matrix pointed to, or pointed into */
    uint32_t matrix_stride; /* 0: none */
    uint32_t comp_stride;   /* bytes between a vector's components; 0: natural */
    uint32_t access;        /* IR_ACCESS_* */
    uint32_t storage;
    const spirv_type *type; /* pointee */
    uint32_t stride;        /* ArrayStride of the pointer's type */
    spirv_var *var;
    uint32_t leaf;       /* SSA, INPUT: first leaf of the variable */
    ir_ref component;    /* a dynamic component of the vector at `leaf`, or NONE */
    uint8_t vector_size; /* of that vector */
    ir_ref handle;       /* BUFFER, TEXEL; DESC: array index or NONE */
    ir_ref offset;       /* non-constant bytes: 32 bits (PHYSICAL: 64), or NONE */
    uint64_t base;       /* constant bytes to add */
    /* `offset` is a multiple of this (limited by the memory's own alignment) */
    uint32_t align;
    /* TEXEL */
    const spirv_type *image;
    ir_ref coord, sample;
} spirv_ptr;

/* ---- functions ---- */

/* A place that control flow can reach from inside the constructs that are open around it. */
typedef struct spirv_target {
    spirv_block *block; /* NULL: the end of the function */
    ir_block *opened;   /* HIR block where it was opened; its flag is false there */
    /* SSA variable: true for lanes on their way to the target; 0: not needed so far */
    uint32_t flag;
    uint32_t depth;   /* number of HIR loops around it */
    uint32_t reached; /* number of edges emitted */
    uint32_t stamp;   /* last walk over raised flags that visited it */
} spirv_target;

struct spirv_block {
    uint32_t label;    /* id */
    uint32_t first;    /* word offset just after OpLabel */
    uint32_t end;      /* word offset of the terminator */
    uint32_t merge_at; /* word offset of the merge instruction, or 0 */
    uint16_t term, merge_op;
    uint32_t merge, cont; /* indices of blocks, or UINT32_MAX */
    uint32_t *succs;      /* indices, distinct, in their order */
    uint32_t n_succs;
    uint32_t n_preds; /* number of distinct reachable blocks that branch here */
    bool reachable, is_join, emitted;
    uint32_t rpo, idom;      /* structural */
    uint32_t pre, post;      /* in the structural dominator tree: descendants are pre .. post - 1 */
    uint32_t child, sibling; /* in the tree, in reverse post-order; UINT32_MAX ends the list */
    uint32_t index;
    spirv_func *func;
    spirv_target *target; /* while open */
};

/* A store to a root, by the position of its block in the dominator tree. */
typedef struct spirv_store_note {
    uint32_t root, pre;
} spirv_store_note;

struct spirv_func {
    uint32_t id, at;
    const spirv_type *type;
    uint32_t *params; /* ids */
    uint32_t n_params;
    spirv_block *blocks;
    uint32_t n_blocks;
    uint32_t *pred_at, *preds; /* predecessors of block b: preds[pred_at[b] .. pred_at[b + 1]] */
    uint32_t *by_rpo, *by_pre; /* blocks in reverse post-order; in pre-order of the tree */
    uint32_t n_reachable, n_returns;
    spirv_store_note *stores; /* sorted */
    size_t n_stores, cap_stores;
    uint32_t *calls; /* `pre` of blocks with calls that may write Private variables, sorted */
    size_t n_calls, cap_calls;
    uint8_t state; /* in the call graph walk: 0 new, 1 open, 2 done */
    bool has_calls, writes_private, active;
    uint32_t result; /* SSA variables of the result of the current instance */
};

/* ---- SSA construction ---- */

typedef struct spirv_ssa_var {
    ir_type type;
    bool is_temp;         /* carried around a loop only by phis made explicitly for it */
    const spirv_var *var; /* otherwise: the variable whose leaf it is */
    uint32_t *writes;     /* HIR block indices, ascending */
    uint32_t n_writes, cap_writes;
    uint32_t at;  /* index of the block in which it was last written or looked up, plus 1 */
    ir_ref value; /* there */
} spirv_ssa_var;

/* What SSA construction knows about a HIR block, by index. */
typedef struct spirv_hir_block {
    ir_block *head;          /* arms and merge blocks: the block that opened the construct; loop
                              * headers: the block before */
    ir_block *jump;          /* a more distant head, for long strides; NULL at loop headers */
    uint32_t depth;          /* number of heads above it, up to a loop header */
    bool is_header, sealed;  /* sealed: all predecessors are known */
    bool open;               /* by nesting, it dominates the code being emitted */
    struct spirv_loop *loop; /* of loop headers */
} spirv_hir_block;

/* A phi of a loop header whose references are set at the end of the loop. */
typedef struct spirv_open_phi {
    struct spirv_open_phi *next;
    ir_instr *phi;
    uint32_t var;
} spirv_open_phi;

/* A HIR loop. */
typedef struct spirv_loop {
    spirv_target *brk, *cont; /* targets that a jump reaches directly, or NULL */
    ir_block *header, *merge, *next;
    struct spirv_loop *outer;
    const spirv_block *source; /* SPIR-V header, or NULL: a loop of one iteration */
    struct spirv_frame *frame;
    spirv_open_phi *open_phis;
    spirv_target **leaving; /* more distant targets whose lanes break out of this loop */
    size_t n_leaving, cap_leaving;
    size_t open_mark, body_mark; /* r->n_open before the loop, and after its header */
} spirv_loop;

/* An inlined call. */
typedef struct spirv_frame {
    struct spirv_frame *outer;
    spirv_func *func;
    spirv_target ret;
    spirv_loop *loop_at_entry;
} spirv_frame;

#endif
