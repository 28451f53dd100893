/* Items with divergent control flow: nests of if, loops, switch, break, continue and return, as
 * functions of the item's number (items.h). */
#define ITEMS_FLOW(X)                                                                              \
    X(deep_if)                                                                                     \
    X(exits)                                                                                       \
    X(do_while)                                                                                    \
    X(search)                                                                                      \
    X(short_circuit)                                                                               \
    X(bytecode)                                                                                    \
    X(queens)                                                                                      \
    X(duff)                                                                                        \
    X(go_out)                                                                                      \
    X(ladder)                                                                                      \
    X(sparse_switch)                                                                               \
    X(loop_switch)                                                                                 \
    X(triple_loop) X(returns) X(uniform_and_not) X(prime_count) X(two_headed)

INLINED(deep_if)
{
    u32 x = a[i], y = b[i], r = n;
    if (x & 1) {
        r += 3;
        if (x & 2) {
            r *= 5;
            if (y & 4) {
                r ^= x;
                if (y & 8) {
                    r += y;
                    if (x & 16)
                        r = mix(r, x);
                    else if (x & 32)
                        r = mix(r, y);
                    else
                        r -= 1;
                } else {
                    r = r << 3 | r >> 29;
                }
                r += 100;
            } else if (x > y) {
                r ^= 0xff;
            }
            r = mix(r, 1);
        } else {
            r += x >> 5;
        }
        r = mix(r, 2);
    } else if (y & 1) {
        r -= x;
    }
    return mix(r, 3);
}

/* A loop with several exits. */
INLINED(exits)
{
    u32 x = a[i], r = 0, k = 0;
    for (;;) {
        x = x * 1103515245u + 12345u;
        if ((x >> 16 & 15) == 3)
            break;
        r += x >> 28;
        if (++k > (b[i] & 31))
            break;
        if ((x >> 20 & 7) == 0)
            continue;
        r ^= x;
        if (r % 13 == 5)
            return mix(r, 7);
    }
    return mix(r, k);
}

INLINED(do_while)
{
    u32 x = a[i] | 1, k = 0, sum = 0;
    do {
        u32 y = x;
        do {
            sum += y & 3;
            y >>= 2;
        } while (y & 0xff);
        x = x >> 1 ^ (b[i] & 0x55);
        k++;
    } while (x > 1 && k < 24);
    return mix(sum, k);
}

/* Binary search in an increasing sequence. */
INLINED(search)
{
    u32 low = 0, high = n, key = a[i] % (n * 37), steps = 0;
    while (low < high) {
        u32 middle = (low + high) / 2, value = middle * 37 + b[middle % n] % 37;
        if (value == key)
            return middle + 5000;
        if (value < key)
            low = middle + 1;
        else
            high = middle;
        steps++;
    }
    return mix(low, steps);
}

INLINED(short_circuit)
{
    u32 r = 0;
    for (u32 k = 0; k < 10; k++) {
        u32 x = a[(i + k) % n], y = b[(i * 3 + k) % n];
        if ((x & 3 && y & 5 && (x ^ y) % 3) || (y % 7 == 2 && !(x & 8)))
            r = mix(r, x);
        if (!(x & 1) || (y & 2 && r & 4))
            r += k;
        r ^= x & 16 ? y & 32 ? 1 : x % 5 ? 2 : 3 : r & 1 ? 4 : 5;
    }
    return r;
}

/* An interpreter of a small machine; each item runs its own program. */
INLINED(bytecode)
{
    u32 stack[8], top = 0, pc = 0, steps = 0, r = a[i];
    for (u32 k = 0; k < 8; k++)
        stack[k] = k;
    while (steps++ < 60) {
        u32 code = a[(i + pc) % n] >> (pc & 7);
        pc++;
        switch (code % 9) {
        case 0:
            stack[top & 7] = r;
            top++;
            break;
        case 1:
            top--;
            r += stack[top & 7];
            break;
        case 2: r = mix(r, code); break;
        case 3:
            if (r & 1)
                pc += 2;
            break;
        case 4: r ^= stack[(top + code) & 7]; break;
        case 5:
            if (r % 31 == 7)
                return mix(r, steps);
            r++;
            break;
        case 6: pc = pc > 3 ? pc - (code >> 9 & 1) : pc; break;
        case 7: stack[code >> 4 & 7] += r; break;
        default: r = r >> 1 | r << 31; break;
        }
    }
    return mix(r, top);
}

/* The number of ways to place queens on a board whose first row is given: a search with an explicit
 * stack. */
INLINED(queens)
{
    const u32 size = 5, full = (1u << size) - 1;
    u32 columns[8], left[8], right[8], open[8], found = 0, row = 1;
    u32 first = 1u << a[i] % size;
    columns[1] = first;
    left[1] = first << 1;
    right[1] = first >> 1;
    open[1] = full & ~(columns[1] | left[1] | right[1]) & (b[i] & 7 ? full : full >> 1);
    while (row > 0) {
        if (!open[row]) {
            row--;
            continue;
        }
        u32 bit = open[row] & -open[row];
        open[row] ^= bit;
        if (row + 1 == size) {
            found++;
            continue;
        }
        columns[row + 1] = columns[row] | bit;
        left[row + 1] = (left[row] | bit) << 1;
        right[row + 1] = (right[row] | bit) >> 1;
        row++;
        open[row] = full & ~(columns[row] | left[row] | right[row]);
    }
    return mix(found, first);
}

/* A loop that is entered in the middle. */
INLINED(duff)
{
    u32 count = (a[i] & 31) + 1, rounds = (count + 3) / 4, r = b[i], at = 0;
    switch (count & 3) {
    case 0: do { r = mix(r, a[(i + at++) % n]); /* falls through */
        case 3: r += a[(i + at++) % n];         /* falls through */
        case 2: r ^= b[(i + at++) % n];         /* falls through */
        case 1: r = r * 3 + at++;
        } while (--rounds);
    }
    return mix(r, at);
}

INLINED(go_out)
{
    u32 r = 0;
    for (u32 x = 0; x < 6; x++)
        for (u32 y = 0; y < 6; y++)
            for (u32 z = 0; z < 3; z++) {
                u32 v = a[(i + x * 18 + y * 3 + z) % n];
                if (v % 61 == 7)
                    goto found;
                if (v % 17 == 3)
                    goto next;
                r += v >> 20;
            next:
                r = r << 1 | r >> 31;
            }
    return mix(r, 1);
found:
    return mix(r, b[i]);
}

INLINED(ladder)
{
    u32 x = a[i] % 1000, r;
    if (x < 50)
        r = 1;
    else if (x < 100)
        r = x * 3;
    else if (x < 300 && b[i] & 1)
        r = x ^ b[i];
    else if (x < 300)
        r = 17;
    else if (x == 444 || x == 555)
        r = 2;
    else if (x < 900)
        r = x / (1 + (b[i] & 15));
    else
        r = b[i] >> 3;
    return mix(r, x);
}

INLINED(sparse_switch)
{
    u32 r = 0;
    for (u32 k = 0; k < 6; k++)
        switch (a[(i + k) % n] % 4096 >> (k + 4)) {
        case 0: r += 11; break;
        case 1: r ^= 0x1234; break;
        case 3: /* falls through */
        case 5: r *= 7; break;
        case 17: r += b[i]; break;
        case 40: return mix(r, k);
        case 41: continue;
        case 100: r ^= r >> 3; /* falls through */
        case 127: r -= 5; break;
        case 200: r = ~r; break;
        default: r = mix(r, k); break;
        }
    return r;
}

/* Switches in loops in switches. */
INLINED(loop_switch)
{
    u32 x = a[i], y = b[i], r = 1;
    switch (x & 3) {
    case 0:
        for (u32 k = 0; k < (y & 7); k++)
            switch ((x >> k) & 3) {
            case 0: r += k; break;
            case 1: r *= 3; continue;
            case 2: k++; break;
            default: r ^= y; break;
            }
        break;
    case 1:
        while (y) {
            r += y & 1;
            y >>= 1;
            if (r > (x >> 28))
                break;
        }
        break;
    case 2: r = mix(x, y); break;
    default:
        do {
            switch (y % 5) {
            case 0: y++; break;
            case 1: y /= 2; break;
            case 2:
                r ^= y;
                y -= 2;
                break;
            case 3:
                r++;
                y /= 3;
                break;
            default: y -= 4; break;
            }
        } while (y > 4);
        break;
    }
    return mix(r, y);
}

INLINED(triple_loop)
{
    u32 r = 0;
    for (u32 x = 0; x < (a[i] & 3) + 1; x++) {
        for (u32 y = x; y < (b[i] & 3) + 2; y++) {
            if ((x + y + i) % 5 == 0)
                continue;
            for (u32 z = 0; z < y + 1; z++) {
                r = mix(r, x * 100 + y * 10 + z);
                if ((r & 0xf) == 3)
                    break;
            }
            if ((r & 0x3f) == 9)
                break;
        }
        r += x;
    }
    return r;
}

INLINED(returns)
{
    u32 x = a[i];
    if (x % 3 == 0)
        return x;
    for (u32 k = 0; k < 8; k++) {
        if (b[(i + k) % n] % 5 == x % 5)
            return k;
        for (u32 j = 0; j < 4; j++)
            if (a[(i + k * 4 + j) % n] % 23 == 1)
                return k * 100 + j;
        if (x >> k & 1)
            x += k;
    }
    if (x & 1)
        return mix(x, 1);
    return mix(x, 2);
}

/* Branches that all items take alike, next to divergent ones. */
INLINED(uniform_and_not)
{
    u32 r = a[i];
    for (u32 k = 0; k < n / 64; k++) { /* uniform */
        u32 shared = b[k];
        if (shared & 1) {
            r += shared;
            if (r & 1) /* divergent */
                r = mix(r, k);
        } else if (shared & 2) {
            for (u32 j = 0; j < (shared >> 4 & 3); j++)
                r ^= r << 3;
        }
        if ((r & 0xff) == 0x11)
            break;
    }
    return r;
}

INLINED(prime_count)
{
    u32 from = a[i] % 2000, count = 0;
    for (u32 x = from | 1; x < from + 30; x += 2) {
        u32 prime = x > 1;
        for (u32 d = 3; d * d <= x; d += 2)
            if (x % d == 0) {
                prime = 0;
                break;
            }
        count += prime;
    }
    return mix(count, from);
}

/* A cycle with two entries. */
INLINED(two_headed)
{
    u32 x = a[i] | 1, r = 0, k = 0;
    if (b[i] & 1)
        goto second;
first:
    r = mix(r, x);
    x = x >> 1 ^ k;
second:
    r += x & 7;
    k++;
    if (k < 12 && x & 4)
        goto first;
    x += 3;
    if (k < 20)
        goto second;
    return mix(r, k);
}
