/* The state of ir_parse, shared by its two source files. Private to them. */
#ifndef IR_PARSE_H
#define IR_PARSE_H

#include "ir/hir.h"
#include "ir/lex.h"
#include "ir/text_names.h"

/* Limits that prevent a short text from allocating much memory. */
enum {
    IR_PARSE_MAX_VALUE = 1 << 22,
    IR_PARSE_MAX_BLOCK = 1 << 20,
    IR_PARSE_MAX_REFS = 4096,
};

/* A list of blocks stated in the text: edges of a block in one direction, or a phi's blocks. */
typedef struct ir_stated {
    ir_block **at;
    size_t count, cap;
    bool given;
} ir_stated;

/* The text's statements about a block, other than its instructions. */
typedef struct ir_parse_block {
    ir_block *block;
    ir_tok tok; /* its first mention */
    uint32_t number;
    ir_stated preds[2], succs[2];
    ir_stated
        /* of a machine terminator: the linear successors if the text does not state them
         * elsewhere */
        targets;
} ir_parse_block;

typedef struct ir_parse_phi {
    ir_instr *instr;
    ir_stated blocks;
} ir_parse_phi;

typedef struct ir_parser {
    ir_lexer lex;
    ir_ctx *ctx;
    ir_fn *f;
    const ir_level *level;
    const ir_text_part *parts; /* of the header, from the caller */
    uint32_t valid;            /* IR_HAS_*: what the text states */
    base_strings ops;          /* maps opcode names to numbers */
    uint16_t *op_of;           /* maps such a number to the opcode */
    base_strings locs;         /* maps the text of a source line to its number in f->locs, less 1 */
    base_map block_of;         /* block number in the text -> index into `blocks` */
    ir_parse_block **blocks;
    size_t n_blocks, cap_blocks;
    ir_parse_phi *phis;
    size_t n_phis, cap_phis;
    ir_parse_block *current; /* the block that receives instructions, or NULL */
    uint8_t open_bundles;    /* the bits `joins` of the kinds whose braces are open ... */
    uint8_t begun_bundles;   /* ... and of those that have an instruction already */
} ir_parser;

/* Consumes the block name at the current token ("b3", "BB3") and returns its block, which is made
 * if it is new.
 */
ir_parse_block *
ir_parse_block_name(ir_parser *p);

/* Returns true if the current token is a block name. */
bool
ir_parse_at_block_name(const ir_parser *p);

/* Consumes a string; returns it without its escapes, in `a`. Fails if there is none: expected
 * `what`. */
const char *
ir_parse_string(ir_parser *p, arena *a, const char *what);

void
ir_parse_state_block(ir_parser *p, ir_stated *list, ir_block *b);

/* Reads the instruction at the current token into the current block and stores its line in
 * `i->mark`. */
void
ir_parse_instr(ir_parser *p);

#endif
