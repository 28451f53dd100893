#include "base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#if ARENA_GUARDED
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(from, size)   ((void)(from), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(from, size) ((void)(from), (void)(size))
#endif

enum {
    ALIGN = 16,
    GUARD = ARENA_GUARDED ? ALIGN : 0,
    FIRST_BLOCK = 16 * 1024,
    LARGEST_BLOCK = 1024 * 1024,
};

typedef struct arena_block {
    struct arena_block *older;
    size_t size; /* of the whole block, this header included */
} arena_block;

#define HEAD ((sizeof(arena_block) + ALIGN - 1) / ALIGN * ALIGN)

static void *
malloc_alloc(void *user, size_t size)
{
    (void)user;
    return malloc(size);
}

static void *
malloc_zalloc(void *user, size_t size)
{
    (void)user;
    return calloc(1, size);
}

static void
malloc_release(void *user, void *block, size_t size)
{
    (void)user;
    (void)size;
    free(block);
}

const base_allocator base_malloc_allocator = {malloc_alloc, malloc_release, NULL, malloc_zalloc};

void
arena_init(arena *a, const base_allocator *allocator, void (*fail)(void *user), void *fail_user)
{
    memset(a, 0, sizeof *a);
    a->allocator = allocator;
    a->fail = fail;
    a->fail_user = fail_user;
    a->first = FIRST_BLOCK;
}

static void
release_block(arena *a, arena_block *b)
{
    ASAN_UNPOISON_MEMORY_REGION(b, b->size);
    a->allocator->release(a->allocator->user, b, b->size);
}

/* Removes the newest block. The largest block removed so far is kept as the spare for the next
 * allocation. */
static void
drop_newest_block(arena *a)
{
    arena_block *b = a->block;
    a->block = b->older;
    if (a->block)
        a->full -= a->block->size;
    if (a->spare && a->spare->size >= b->size) {
        release_block(a, b);
        return;
    }
    if (a->spare)
        release_block(a, a->spare);
    a->spare = b;
}

void
arena_free(arena *a)
{
    while (a->block)
        drop_newest_block(a);
    if (a->spare)
        release_block(a, a->spare);
    a->spare = NULL;
    a->next = a->end = NULL;
    a->full = 0;
}

static arena_block *
new_block(arena *a, size_t want)
{
    arena_block *b = a->spare;
    if (b && b->size >= want) {
        a->spare = NULL;
        return b;
    }
    b = a->allocator->alloc(a->allocator->user, want);
    if (!b)
        a->fail(a->fail_user);
    b->size = want;
    return b;
}

/* Makes `b` the newest block. */
static void
push_block(arena *a, arena_block *b)
{
    a->peak = arena_peak(a);
    b->older = a->block;
    if (a->block)
        a->full += a->block->size;
    a->block = b;
    a->next = (unsigned char *)b + HEAD;
    a->end = (unsigned char *)b + b->size;
    ASAN_POISON_MEMORY_REGION(a->next, b->size - HEAD);
}

static void
add_block(arena *a, size_t size)
{
    size_t want = a->first;
    while (a->block && want <= a->block->size && want < LARGEST_BLOCK)
        want *= 2;
    if (size > SIZE_MAX - HEAD)
        a->fail(a->fail_user);
    if (want < size + HEAD)
        want = size + HEAD;
    push_block(a, new_block(a, want));
}

void *
arena_alloc_more(arena *a, size_t size)
{
    if (size > SIZE_MAX - ALIGN - GUARD)
        a->fail(a->fail_user);
    size_t room = size ? (size + ALIGN - 1) / ALIGN * ALIGN + GUARD : ALIGN + GUARD;
    if ((size_t)(a->end - a->next) < room)
        add_block(a, room);
    void *p = a->next;
    a->next += room;
    ASAN_UNPOISON_MEMORY_REGION(p, size);
    return p;
}

void *
arena_zalloc_sparse(arena *a, size_t size)
{
    if (size < ARENA_LARGE || !a->allocator->zalloc)
        return arena_zalloc(a, size);
    if (size > SIZE_MAX - HEAD - ALIGN - GUARD)
        a->fail(a->fail_user);
    size_t want = HEAD + (size + ALIGN - 1) / ALIGN * ALIGN + GUARD;
    arena_block *b = a->allocator->zalloc(a->allocator->user, want);
    if (!b)
        a->fail(a->fail_user);
    b->size = want;
    push_block(a, b);
    return arena_alloc(a, size);
}

void *
arena_grow_more(arena *a, void *old, size_t *cap, size_t need, size_t elem)
{
    size_t more = *cap ? *cap * 2 : 8;
    if (more < need)
        more = need;
    /* a division only where the product may be too large */
    if ((more | elem) >> (sizeof(size_t) * 4 - 1) && more > SIZE_MAX / 2 / elem)
        a->fail(a->fail_user);
    void *grown = arena_alloc(a, more * elem);
    if (*cap)
        memcpy(grown, old, *cap * elem);
    *cap = more;
    return grown;
}

void *
arena_copy(arena *a, const void *data, size_t size)
{
    void *p = arena_alloc(a, size);
    if (size)
        memcpy(p, data, size);
    return p;
}

char *
arena_strdup(arena *a, const char *text)
{
    return arena_copy(a, text, strlen(text) + 1);
}

char *
arena_printf(arena *a, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    size_t size = len < 0 ? 1 : (size_t)len + 1;
    char *text = arena_alloc(a, size);
    text[0] = '\0';
    va_start(args, format);
    vsnprintf(text, size, format, args);
    va_end(args);
    return text;
}

void
arena_release_more(arena *a, arena_mark mark)
{
    while (a->block != mark.block && a->block->older)
        drop_newest_block(a);
    a->next = a->block == mark.block ? mark.next : (unsigned char *)a->block + HEAD;
    a->end = a->block ? (unsigned char *)a->block + a->block->size : NULL;
    if (a->block)
        ASAN_POISON_MEMORY_REGION(a->next, (size_t)(a->end - a->next));
}
