/* The machine IR of TeraScale: a program as a tree of regions.
 *
 * Control flow is structured. A list of nodes is executed in order. `region` holds a list; `depart
 * R` leaves the region R, `repeat R` begins it again; `if` executes its list in the lanes where its
 * comparison holds. The list of an `if` always ends with a depart or a repeat, and so does that of
 * a region: control meets again only behind a region. So `if a then b else c` is
 *
 *     region 1 {
 *         if PRED_SETNE_INT %1, 0 {
 *             b
 *             depart 1
 *         }
 *         c
 *         depart 1
 *     }
 *
 * and a loop is a region with a `repeat`. (C. McConnell, Tree-Based Code Optimization; r600-sb has
 * the same tree.)
 *
 * Values are single components of 32 bits. Before renaming operands name registers, and nodes are
 * joined to groups, in which all sources are read before anything is written. In SSA form each
 * value has one definition; phis stand behind a region, with an operand a depart, and loop phis at
 * its beginning, with one for what enters and one for each repeat. Behind opt/leave_ssa.c values
 * are variables, which may be written several times.
 *
 * ALU nodes have one operation, or a pack of up to four in fixed slots, which the machine executes
 * together (DOT4, CUBE, INTERP_XY). Fetches have one instruction, with those before it that set its
 * gradients. Flow nodes are instructions of control flow that transfer data: exports, memory.
 *
 * An array is a run of registers of one channel, of which an index chooses one. Only moves read or
 * write such an element (tree_access). They name all elements: `use` has what the elements are
 * before, `def` what they may be behind a write. So elements are values like others, and which of
 * them are in which register matters only when SSA form is left (opt/arrays.c). */
#ifndef R600_TREE_TREE_H
#define R600_TREE_TREE_H

#include "base/diag.h"
#include "r600/isa/table/table.h"
#include "r600/isa/text/text.h"

enum {
    TREE_MAX_SLOTS = 4,   /* of a pack */
    TREE_MAX_FETCHES = 4, /* of a fetch node */
    TREE_REGISTERS = 128 * 4,
    TREE_ALL_REGISTERS = TREE_REGISTERS + 6, /* with those of read/read.h */
    TREE_MAX_DEPTH = 60,                     /* of regions and ifs */
    TREE_MAX_ARRAYS = 32,
};

typedef enum tree_operand_kind {
    TREE_NONE,
    TREE_VALUE,   /* id: the value */
    TREE_REG,     /* before renaming; id: register * 4 + component */
    TREE_PREV,    /* before renaming; id: the slot whose result PV or PS is */
    TREE_CONST,   /* id: the bits */
    TREE_KCACHE,  /* id: the constant's number * 4 + component, of `buffer` */
    TREE_SPECIAL, /* id: the select * 4 + component */
    TREE_ELEMENT, /* of array `buffer`; before renaming id: the element at 0 * 4 + AR's component */
    TREE_UNDEF,
} tree_operand_kind;

enum { TREE_NEG = 1, TREE_ABS = 2 };

typedef struct tree_operand {
    uint8_t kind, mods, buffer;
    uint32_t id;
} tree_operand;

/* An operation of an ALU node. */
typedef struct tree_slot {
    uint16_t op;
    uint8_t slot; /* R600_SLOT_*; of single operations only before renaming */
    uint8_t clamp, omod;
    uint8_t offset; /* of LDS operations */
    uint8_t bank;   /* the bank swizzle, when scheduled */
    uint8_t pred;   /* before renaming: 2 and 3: where the predicate is 0 or not 0 */
    bool writes;    /* before renaming: its register */
    uint8_t array;  /* before renaming: 1 + the array to which it writes; 0: a register */
    uint8_t ar;     /* then: AR's component */
    uint32_t def;   /* before renaming: the register; else the value; 0: none */
    tree_operand src[3];
} tree_slot;

typedef struct tree_phi {
    struct tree_phi *next;
    uint32_t def;
    uint32_t reg;      /* 1 + that for which it stands while values are renamed; 0: none */
    uint32_t n;        /* of a phi that was read from text: its operands */
    tree_operand *src; /* by depart; of loop phis 0: what enters, then by repeat */
} tree_phi;

typedef enum tree_kind {
    TREE_ALU,
    TREE_FETCH,
    TREE_FLOW,
    TREE_REGION,
    TREE_IF,
    TREE_DEPART,
    TREE_REPEAT,
} tree_kind;

typedef struct tree_node tree_node;

typedef struct tree_list {
    tree_node *first, *last;
    tree_node *owner; /* a region or an if; NULL: the program's */
} tree_list;

/* Data of a fetch or a flow node: components in the order of its instruction's fields. */
typedef struct tree_vector {
    r600_inst inst;
    tree_operand src[4];   /* coordinates, or the data of a store or an export */
    tree_operand index[4]; /* of a store; of a fetch for valid pixels: what helpers keep */
    uint32_t def[4];       /* as tree_slot.def, plus `writes` before renaming */
    uint8_t writes;
} tree_vector;

typedef struct tree_array {
    uint32_t n;        /* elements */
    uint32_t reg;      /* of element 0: before renaming it is there; a wish of the channel */
    uint32_t *element; /* their variables, when SSA form is left */
} tree_array;

/* What a move with an index reads, as its source is TREE_ELEMENT, or writes. */
typedef struct tree_access {
    uint8_t array;
    bool is_write;
    uint32_t n;         /* elements of the array */
    uint32_t base;      /* the element that index 0 names */
    tree_operand index; /* an integer */
    tree_operand *use;  /* by element; NULL: renaming has not come yet */
    uint32_t *def;      /* by element, of a write */
} tree_access;

struct tree_node {
    tree_node *prev, *next;
    tree_list *list;
    uint8_t kind;
    uint8_t n;        /* operations of ALU nodes, instructions of fetches */
    bool is_pack;     /* ALU: slots are fixed */
    bool ends_group;  /* ALU, before renaming and when scheduled */
    bool ends_clause; /* the same, and fetches: PV and PS end here */
    bool is_loop;     /* region, when code is made: it is left by breaks, or repeats */
    uint8_t bank;     /* ALU: 1 + the bank swizzle that it must have; fetch: of valid pixels only */
    uint32_t mark;    /* of the running pass */
    union {
        tree_slot *slots;     /* ALU; if: its comparison */
        tree_vector *vectors; /* fetch, flow */
    };
    tree_access *access;               /* ALU; NULL: no element of an array */
    tree_list body;                    /* region, if */
    tree_phi *phis, *loop_phis;        /* region */
    uint32_t id, n_departs, n_repeats; /* region; the id also of departs and repeats: their index */
    tree_node *target;                 /* depart, repeat */
    tree_node *prev_region;            /* of the running pass: a list of regions */
};

typedef struct tree_value {
    tree_node *def; /* in SSA form; NULL: an input, or a phi */
    bool is_input;  /* a register that has its value when the program starts */
    uint32_t reg;   /* of an input; else the register that it came from, as a wish */
    uint8_t array;  /* 1 + the array whose element the variable is; 0: none */
} tree_value;

typedef struct tree_program {
    arena *arena;
    diag *diag;
    const r600_isa *isa;
    const r600_chip *chip;
    tree_list body;
    tree_value *values; /* 0 is none */
    uint32_t n_values;
    size_t cap_values;
    uint32_t n_regions;
    tree_array arrays[TREE_MAX_ARRAYS];
    uint32_t n_arrays;
    bool has_elements; /* of arrays, which are not renamed */
    bool is_ssa, is_renamed, is_scheduled;
    bool has_fetch_shader; /* which loads inputs */
    uint32_t input_gprs;   /* one more than the highest register of an input */
    /* Spilling: components of registers to get by with (0: all that exist), the first element of
     * scratch memory that is free, and one behind the last that is used. */
    uint32_t budget, first_scratch, end_scratch;
    arena *scratch; /* of a phase, when there is a budget */
    /* For bisection, as in ir_ctx: changes that the phase has asked for, and 1 + the number that it
     * may make; 0: all. */
    uint64_t n_changes, change_limit;
} tree_program;

/* Asked before a change of an optional phase; if it returns false, the change is not made. */
static inline bool
r600_tree_may_change(tree_program *p)
{
    return !p->change_limit || ++p->n_changes < p->change_limit;
}

/* ---- making ---- */

/* A program without nodes. */
tree_program *
r600_tree_open(diag *d, arena *a, const r600_chip *chip);

/* A copy of a program behind SSA form: without phis. */
tree_program *
r600_tree_copy(const tree_program *p);

tree_node *
r600_tree_new(tree_program *p, tree_kind kind);

/* An ALU node of one operation. */
tree_node *
r600_tree_alu(tree_program *p, unsigned op);

/* A move of an element of an array, which is not renamed yet. */
tree_node *
r600_tree_element(tree_program *p, unsigned array, tree_operand index, bool is_write);

/* TYPE of MEM_SCRATCH on R600: the element is read. */
enum { TREE_SCRATCH_READ = 2 };

/* Nodes that are in no list yet: a read of a component of an element of scratch memory, whose value
 * r600_tree_take_scratch sets; a write, whose vectors->src[component] the caller sets; the wait
 * between them. `last` is the last element, if `element` is not known. */
tree_node *
r600_tree_read_scratch(tree_program *p, tree_operand element, uint32_t last, unsigned component);
tree_node *
r600_tree_write_scratch(tree_program *p, tree_operand element, uint32_t last, unsigned component);
void
r600_tree_take_scratch(tree_program *p, tree_node *read, unsigned component, uint32_t value);
tree_node *
r600_tree_wait(tree_program *p);

void
r600_tree_append(tree_list *list, tree_node *n);
void
r600_tree_insert_before(tree_node *at, tree_node *n);
void
r600_tree_remove(tree_node *n);

uint32_t
r600_tree_value(tree_program *p);

static inline tree_operand
r600_tree_use(uint32_t value)
{
    return (tree_operand){.kind = TREE_VALUE, .id = value};
}

static inline tree_operand
r600_tree_const(uint32_t bits)
{
    return (tree_operand){.kind = TREE_CONST, .id = bits};
}

static inline bool
r600_tree_same(const tree_operand *a, const tree_operand *b)
{
    return a->kind == b->kind && a->mods == b->mods && a->buffer == b->buffer && a->id == b->id;
}

/* ---- walking ---- */

/* The node behind `n` in a walk over the whole tree: into lists first, then on. NULL: the end. */
tree_node *
r600_tree_next(const tree_node *n);

/* The same in the subtree of `root`: from root->body.first on. */
tree_node *
r600_tree_next_in(const tree_node *root, const tree_node *n);

#define TREE_FOREACH(n, p) for (tree_node *n = (p)->body.first; n; n = r600_tree_next(n))

/* Calls `f` for each operand, or definition, of a node; phis are not of it. */
void
r600_tree_operands(tree_node *n, void (*f)(void *user, tree_node *n, tree_operand *o), void *user);
void
r600_tree_defs(tree_node *n, void (*f)(void *user, tree_node *n, uint32_t *def), void *user);

/* Does the node do more than to compute its definitions? */
bool
r600_tree_has_effect(const tree_node *n);

/* Are the sources floats, whose signs an operand can change? */
bool
r600_tree_is_float(unsigned op);

/* The number of sources of an operation. */
static inline unsigned
r600_tree_sources(unsigned op)
{
    return r600_op_row((r600_op)op)->properties & R600_P_SOURCES;
}

/* Does the instruction wait for, store or order memory? */
bool
r600_tree_is_memory(const tree_node *n);

/* ---- text ---- */

void
r600_tree_print(const tree_program *p, base_buf *out);

/* Reads the text of a program that is not scheduled. Fails with R600_TREE_TEXT at the line. */
tree_program *
r600_tree_parse(diag *d, arena *a, const r600_chip *chip, const char *text);

#endif
