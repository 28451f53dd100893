/* Items for features that OpenCL C lacks. They are compiled as C, where every pointer may point to
 * any memory: bit fields, variable arguments, lists, copies whose size is known only at run time,
 * functions with side effects (items_base.h). */
#define ITEMS_C(X)                                                                                 \
    X(struct_fields)                                                                               \
    X(linked_list)                                                                                 \
    X(runtime_copies)                                                                              \
    X(any_memory)

#define ITEMS_C_CALLS(X) X(arguments_listed) X(sorted_by) X(tree)

typedef struct fields {
    u32 low : 5, middle : 13, high : 14;
    i32 sign : 3;
    i32 more : 20;
    u64 wide : 41;
    u64 rest : 23;
} fields;

INLINED(struct_fields)
{
    fields f[2] = {{0}}; /* the shadow's bytes are undefined until all their fields are set */
    for (u32 k = 0; k < 2; k++) {
        u32 x = a[(i + k) % n], y = b[(i + k) % n];
        f[k].low = x & 31;
        f[k].middle = x >> 5 & 0x1fff;
        f[k].high = x >> 18;
        f[k].sign = (i32)(y << 29) >> 29;
        f[k].more = (i32)y >> 12;
        f[k].wide = ((u64)x << 32 | y) & 0x1ffffffffff;
        f[k].rest = y >> 9;
    }
    const u32 q = a[i] >> 7 & 1;
    f[q].middle += 77;
    f[q].more -= f[1 - q].sign;
    f[q].wide *= 3;
    f[1 - q].rest ^= f[q].low;
    u32 r = n;
    for (u32 k = 0; k < 2; k++) {
        r = mix(r, (u64)f[k].wide + f[k].middle);
        r = mix(r, (u64)f[k].rest + f[k].high);
        r = mix(r, (u32)f[k].sign + (u32)f[k].more * 16 + f[k].low);
    }
    return r;
}

typedef struct node {
    struct node *next;
    u32 value;
} node;

/* Reverses a list and removes some of its nodes. */
INLINED(linked_list)
{
    node nodes[12], *head = NULL, *turned = NULL;
    u32 r = n;
    for (u32 k = 0; k < 12; k++) {
        nodes[k].value = a[(i + k) % n];
        nodes[k].next = head;
        head = &nodes[k];
    }
    for (node **at = &head; *at;)
        if (((*at)->value ^ b[i]) % 3 == 0)
            *at = (*at)->next;
        else
            at = &(*at)->next;
    while (head) {
        node *next = head->next;
        head->next = turned;
        turned = head;
        head = next;
    }
    for (const node *at = turned; at; at = at->next)
        r = mix(r, at->value);
    return r;
}

/* Copies of non-constant size, which become loops. */
INLINED(runtime_copies)
{
    u8 t[64], u[64];
    const u32 size = (a[i] & 31) + 3, at = b[i] & 15;
    u32 r = n;
    __builtin_memset(t, (int)(b[i] & 255), sizeof t);
    __builtin_memset(u, 7, size);
    __builtin_memset(u + size, 9, sizeof u - size);
    __builtin_memcpy(t + at, (const u8 *)(a + i / 2), size);
    __builtin_memmove(t + at + 2, t + at, size);
    __builtin_memmove(t + at, t + at + 5, size);
    __builtin_memcpy(u + (a[i] & 7), t + at, size / 2);
    for (u32 k = 0; k < 64; k += 4)
        r = mix(r, (t[k] | t[k + 1] << 8 | (u32)t[k + 2] << 16 | (u32)t[k + 3] << 24) ^
                       (u64)(u[k] + u[k + 3]) << 32);
    return r;
}

/* Pointers to different memories. */
INLINED(any_memory)
{
    u32 mine[8], r = n;
    for (u32 k = 0; k < 8; k++)
        mine[k] = b[(i + k) % n] * 3;
    for (u32 k = 0; k < 6; k++) {
        const u32 x = a[(i + k) % n];
        const u32 *p = x & 1 ? mine + (x >> 1 & 7) : x & 2 ? a + x % n : b + x % n;
        r = mix(r, *p);
        mine[x >> 4 & 7] += r;
    }
    const u64 *wide = a[i] & 1 ? (const u64 *)(const void *)a + i / 2 : NULL;
    u64 own;
    __builtin_memcpy(&own, mine, 8);
    return mix(r, *(wide ? wide : &own));
}

NOINLINE u64
sum_listed(u32 count, ...)
{
    __builtin_va_list list, again;
    u64 r = count;
    __builtin_va_start(list, count);
    __builtin_va_copy(again, list);
    for (u32 k = 0; k < count; k++)
        switch (k & 3) {
        case 0: r = r * 3 + __builtin_va_arg(list, u32); break;
        case 1: r ^= __builtin_va_arg(list, u64); break;
        case 2: r += f64_bits(__builtin_va_arg(list, double)); break;
        default: r = mix((u32)r, *__builtin_va_arg(list, const u32 *)); break;
        }
    r += __builtin_va_arg(again, u32);
    __builtin_va_end(again);
    __builtin_va_end(list);
    return r;
}

/* Arguments of unknown number and type. */
INLINED(arguments_listed)
{
    u32 own = a[i] * 7;
    u64 x = sum_listed(1, a[i]), y = sum_listed(4, b[i], (u64)a[i] << 20, (double)b[i] * 0.5, &own);
    u64 z = sum_listed((b[i] & 3) + 2, 3, x, (double)some_float(a[i]), b + i, own, y);
    return mix(mix(mix(n, x), y), z);
}

typedef int (*order)(const u32 *x, const u32 *y, u32 *steps);

NOINLINE int
ascending(const u32 *x, const u32 *y, u32 *steps)
{
    ++*steps;
    return *x < *y ? -1 : *x > *y;
}

NOINLINE int
by_low_byte(const u32 *x, const u32 *y, u32 *steps)
{
    *steps += 3;
    return (int)(*x & 255) - (int)(*y & 255);
}

NOINLINE void
sort_by(u32 *t, u32 count, order before, u32 *steps)
{
    for (u32 k = 1; k < count; k++)
        for (u32 j = k; j > 0 && before(&t[j], &t[j - 1], steps) < 0; j--) {
            u32 v = t[j];
            t[j] = t[j - 1];
            t[j - 1] = v;
        }
}

/* A sort with a comparison function. */
INLINED(sorted_by)
{
    u32 t[9], steps = 0, r = n;
    for (u32 k = 0; k < 9; k++)
        t[k] = a[(i + k) % n];
    sort_by(t, 9, b[i] & 1 ? ascending : by_low_byte, &steps);
    for (u32 k = 0; k < 9; k++)
        r = mix(r, t[k]);
    return mix(r, steps);
}

typedef struct leaf {
    struct leaf *side[2];
    u32 key, count;
} leaf;

NOINLINE leaf *
put_in(leaf *top, leaf *fresh)
{
    leaf **at = &top;
    while (*at && (*at)->key != fresh->key)
        at = &(*at)->side[(*at)->key < fresh->key];
    if (!*at)
        *at = fresh;
    (*at)->count++;
    return top;
}

/* A search tree, walked in order with an explicit stack. */
INLINED(tree)
{
    leaf leaves[10], *top = NULL, *stack[10], *at;
    u32 depth = 0, r = n;
    for (u32 k = 0; k < 10; k++) {
        leaves[k] = (leaf){{NULL, NULL}, a[(i + k) % n] % 13, 0};
        top = put_in(top, &leaves[k]);
    }
    at = top;
    while (at || depth) {
        while (at) {
            stack[depth++] = at;
            at = at->side[0];
        }
        at = stack[--depth];
        r = mix(r, at->key * 16 + at->count);
        at = at->side[1];
    }
    return r + (b[i] & 0);
}
