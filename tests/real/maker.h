/* Declarations that the files for making a case share (internal to case.c, resource.c, pool.c,
 * spec.c). */
#ifndef REAL_MAKER_H
#define REAL_MAKER_H

#include "case.h"
#include "fill.h"

/* The memory for pointers to one type. */
typedef struct real_pool {
    struct real_pool *next;
    uint32_t target; /* id of that type */
    size_t first;    /* index of the first of REAL_POOL consecutive buffers */
} real_pool;

enum {
    REAL_POOL = 3,
    REAL_MAX_BLOCK = 1 << 24,
    REAL_ROOM = 64 * 1024, /* bytes of a runtime array */
    REAL_ARRAY_ROOM = 4096 /* the same in buffers of a descriptor array, and in pools */
};

typedef struct real_maker {
    ir_ctx *ctx;
    real_case *c;
    real_draw draw;
    bool has_depth;
    bool too_large; /* the constants made a block too large */
    real_pool *pools;
} real_maker;

/* Adds a buffer of one byte called `name`, still without a type. */
real_buffer *
real_add_buffer(real_maker *m, const char *name);

/* Gives the buffer the type of a block, with about `room` bytes for its runtime array. */
void
real_make_block(real_maker *m, real_buffer *b, const spirv_type *block, uint32_t room);

/* Does an instruction of the module pass the test, which gets its first word and the number of words
 * to the module's end? */
bool
real_any_instruction(const real_case *c, bool (*test)(const uint32_t *w, size_t n));

void
real_set_type(real_maker *m, amber_buffer *b, amber_type type);

/* Makes all bindings that the module declares; false (with c->skip) if one cannot be made. */
bool
real_make_bindings(real_maker *m);

/* The function for real_draw.address; `user` is the maker. New buffers of pools are appended to the
 * case's buffers and not filled yet. */
uint64_t
real_pool_address(void *user, const spirv_type *pointer);

/* Reads the module's declarations with the specialisation constants of the case. */
spirv_info *
real_reflect(real_maker *m);

/* The size of a workgroup of the case's entry point. */
void
real_local_size(const real_case *c, const spirv_info *info, uint32_t size[3]);

/* Chooses the case's specialisation constants, as bold as its plan. */
void
real_choose_specs(real_maker *m);

#endif
