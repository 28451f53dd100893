/* Arenas: memory that is freed all at once.
 *
 * Three lifetimes exist in a compile: the context's (one compile), the function's, and scratch
 * (marked and released within a pass). Allocation never returns NULL: when memory runs out the
 * arena calls its failure handler, which leaves by the call's error exit (see diag.h). Nothing is
 * freed one by one.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Under the address sanitizer 16 bytes behind each allocation, and all that is released, are
 * forbidden, so that what runs over an end within a block is seen too. */
#if defined(__SANITIZE_ADDRESS__)
#define ARENA_GUARDED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_GUARDED 1
#endif
#endif
#ifndef ARENA_GUARDED
#define ARENA_GUARDED 0
#endif

/* Where an arena takes its blocks from. `alloc` returns NULL when memory is exhausted. Both may be
 * called on any thread that compiles. `size` given to `release` is the size that was asked for. */
typedef struct base_allocator {
    void *(*alloc)(void *user, size_t size);
    void (*release)(void *user, void *block, size_t size);
    void *user;
} base_allocator;

/* malloc and free. */
extern const base_allocator base_malloc_allocator;

struct arena_block;

typedef struct arena {
    struct arena_block *block; /* newest block; older ones are chained behind it */
    unsigned char *next;       /* first free byte of the newest block */
    unsigned char *end;        /* end of the newest block */
    const base_allocator *allocator;
    void (*fail)(void *user); /* called when memory runs out; must not return */
    void *fail_user;
    struct arena_block *spare; /* the largest block given back by arena_release, or NULL */
    size_t first;              /* size of the first block; later ones double */
    size_t full;               /* bytes of the blocks behind the newest */
    size_t peak;               /* see arena_peak */
} arena;

/* A point in an arena's life to go back to. */
typedef struct arena_mark {
    struct arena_block *block;
    unsigned char *next;
} arena_mark;

/* Makes an empty arena; takes no memory yet. `fail` must leave by longjmp (or end the program, in
 * tools). */
void
arena_init(arena *a, const base_allocator *allocator, void (*fail)(void *user), void *fail_user);

/* The most bytes that have been in use at once: all of the blocks behind the newest, and that one
 * up to `next`. */
size_t
arena_peak(const arena *a);

/* Gives all memory back. The arena is empty and usable afterwards. */
void
arena_free(arena *a);

/* arena_alloc where the newest block has no room; also for size 0. */
void *
arena_alloc_more(arena *a, size_t size);

/* `size` bytes, aligned to 16, uninitialised. Size 0 gives a valid unique pointer. */
static inline void *
arena_alloc(arena *a, size_t size)
{
    if (ARENA_GUARDED || size - 1 >= (size_t)(a->end - a->next)) /* a multiple of 16 is left */
        return arena_alloc_more(a, size);
    void *p = a->next;
    a->next += (size + 15) & ~(size_t)15;
    return p;
}

/* The same, zeroed. */
static inline void *
arena_zalloc(arena *a, size_t size)
{
    return memset(arena_alloc(a, size), 0, size);
}

/* Zeroed room for `count` elements of `size` bytes; the product is checked for overflow. */
void *
arena_array(arena *a, size_t count, size_t size);

/* arena_grow where there is no room. */
void *
arena_grow_more(arena *a, void *old, size_t *cap, size_t need, size_t elem);

/* Grows an array of `elem`-byte elements from `*cap` to at least `need` elements and copies its
 * contents; the old memory stays behind in the arena. Updates `*cap`. */
static inline void *
arena_grow(arena *a, void *old, size_t *cap, size_t need, size_t elem)
{
    return need <= *cap ? old : arena_grow_more(a, old, cap, need, elem);
}

/* Copies `size` bytes, or a string. */
void *
arena_copy(arena *a, const void *data, size_t size);
char *
arena_strdup(arena *a, const char *text);

/* printf into the arena. */
char *
arena_printf(arena *a, const char *format, ...);

arena_mark
arena_save(const arena *a);

/* Frees all that was allocated since `mark` was saved. */
void
arena_release(arena *a, arena_mark mark);

#define ARENA_NEW(a, type)          ((type *)arena_zalloc((a), sizeof(type)))
#define ARENA_ARRAY(a, count, type) ((type *)arena_array((a), (count), sizeof(type)))

#endif
