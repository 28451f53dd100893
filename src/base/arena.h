/* Arenas: memory that is freed all at once.
 *
 * A compile uses three lifetimes: context (one compile), function, and scratch (marked and released
 * within a pass). Allocation never returns NULL: when memory runs out, the arena calls its failure
 * handler, which leaves through the call's error exit (see diag.h). Nothing is freed one by one.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Under the address sanitizer, the 16 bytes after each allocation and all released memory are
 * poisoned, so that overruns within a block are detected too. */
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

/* The source of an arena's blocks. `alloc` returns NULL when memory is exhausted. The functions may
 * be called on any thread that compiles. The `size` passed to `release` is the size that was
 * requested. */
typedef struct base_allocator {
    void *(*alloc)(void *user, size_t size);
    void (*release)(void *user, void *block, size_t size);
    void *user;
    /* The same as `alloc`, zeroed; for large blocks, whose pages cost nothing until they are
     * touched. NULL: there is none. */
    void *(*zalloc)(void *user, size_t size);
} base_allocator;

/* malloc and free. */
extern const base_allocator base_malloc_allocator;

struct arena_block;

typedef struct arena {
    struct arena_block *block; /* newest block; it links to the older ones */
    unsigned char *next;       /* first free byte of the newest block */
    unsigned char *end;        /* end of the newest block */
    const base_allocator *allocator;
    void (*fail)(void *user); /* called when memory runs out; must not return */
    void *fail_user;
    struct arena_block *spare; /* the largest block given back by arena_release, or NULL */
    size_t first;              /* size of the first block; later ones double */
    size_t full;               /* total size in bytes of all blocks but the newest */
    size_t peak;               /* see arena_peak */
} arena;

/* A position in an arena to release back to. */
typedef struct arena_mark {
    struct arena_block *block;
    unsigned char *next;
} arena_mark;

/* Makes an empty arena; takes no memory yet. `fail` must leave by longjmp (or end the program, in
 * tools). */
void
arena_init(arena *a, const base_allocator *allocator, void (*fail)(void *user), void *fail_user);

/* Peak memory in use, in bytes: all blocks but the newest in full, and the newest up to `next`. */
static inline size_t
arena_peak(const arena *a)
{
    size_t now = a->block ? a->full + (size_t)(a->next - (const unsigned char *)a->block) : 0;
    return now > a->peak ? now : a->peak;
}

/* Frees all memory. The arena is empty and can be used again. */
void
arena_free(arena *a);

/* Slow path of arena_alloc: the newest block has no room, or `size` is 0. */
void *
arena_alloc_more(arena *a, size_t size);

/* `size` bytes, aligned to 16, uninitialised. Size 0 gives a valid unique pointer. */
static inline void *
arena_alloc(arena *a, size_t size)
{
    /* what is left is a multiple of 16 */
    if (ARENA_GUARDED || size - 1 >= (size_t)(a->end - a->next))
        return arena_alloc_more(a, size);
    void *p = a->next;
    a->next += (size + 15) & ~(size_t)15;
    return p;
}

/* Clears memory that an arena gave. A call of memset would cost more than the few words that most
 * arrays of small functions have. */
static inline void
arena_clear(void *at, size_t size)
{
    unsigned char *p = at;
    if (ARENA_GUARDED || size > 48) {
        memset(p, 0, size);
        return;
    }
    /* as arena_alloc rounds up */
    if (size)
        memset(p, 0, 16);
    if (size > 16)
        memset(p + 16, 0, 16);
    if (size > 32)
        memset(p + 32, 0, 16);
}

/* The same, zeroed. */
static inline void *
arena_zalloc(arena *a, size_t size)
{
    void *p = arena_alloc(a, size);
    arena_clear(p, size);
    return p;
}

/* The same for memory that may be large and of which little may be touched: from ARENA_LARGE bytes
 * on it is a block of base_allocator.zalloc, whose pages cost nothing until then. */
enum { ARENA_LARGE = 4 * 1024 * 1024 };

void *
arena_zalloc_sparse(arena *a, size_t size);

/* Zeroed room for `count` elements of `size` bytes; the product is checked for overflow. */
static inline void *
arena_array(arena *a, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        a->fail(a->fail_user);
    return arena_zalloc(a, count * size);
}

/* Slow path of arena_grow: the array has no room. */
void *
arena_grow_more(arena *a, void *old, size_t *cap, size_t need, size_t elem);

/* Grows an array of `elem`-byte elements from `*cap` to at least `need` elements and copies its
 * contents; the old memory stays allocated in the arena. Updates `*cap`. */
static inline void *
arena_grow(arena *a, void *old, size_t *cap, size_t need, size_t elem)
{
    return need <= *cap ? old : arena_grow_more(a, old, cap, need, elem);
}

/* The same for arrays of which all elements are used: the new ones are zero. */
static inline void *
arena_grow_zeroed(arena *a, void *old, size_t *cap, size_t need, size_t elem)
{
    size_t had = *cap;
    unsigned char *p = (unsigned char *)arena_grow(a, old, cap, need, elem);
    if (*cap > had)
        memset(p + had * elem, 0, (*cap - had) * elem);
    return p;
}

/* Copies `size` bytes, or a string. */
void *
arena_copy(arena *a, const void *data, size_t size);
char *
arena_strdup(arena *a, const char *text);

/* printf into the arena. */
char *
arena_printf(arena *a, const char *format, ...);

static inline arena_mark
arena_save(const arena *a)
{
    return (arena_mark){a->block, a->next};
}

/* Slow path of arena_release: there are blocks that are newer than the mark. */
void
arena_release_more(arena *a, arena_mark mark);

/* Frees everything allocated since `mark` was saved; the oldest block stays for what comes next. */
static inline void
arena_release(arena *a, arena_mark mark)
{
    a->peak = arena_peak(a);
    if (ARENA_GUARDED || a->block != mark.block)
        arena_release_more(a, mark);
    else
        a->next = mark.next;
}

#define ARENA_NEW(a, type)          ((type *)arena_zalloc((a), sizeof(type)))
#define ARENA_ARRAY(a, count, type) ((type *)arena_array((a), (count), sizeof(type)))

#endif
