#include "base/nearest.h"

enum { MAX_NAME = 64 };

static char
lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static unsigned
lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

unsigned
base_edit_distance(const char *a, size_t a_size, const char *b, size_t b_size)
{
    unsigned row[MAX_NAME + 1];
    size_t n = a_size < MAX_NAME ? a_size : MAX_NAME;
    for (size_t i = 0; i <= n; i++)
        row[i] = (unsigned)i;
    for (size_t j = 0; j < b_size; j++) {
        unsigned before = row[0]++;
        for (size_t i = 0; i < n; i++) {
            unsigned replaced = before + (lower(a[i]) != lower(b[j]));
            before = row[i + 1];
            row[i + 1] = lesser(lesser(before, row[i]) + 1, replaced);
        }
    }
    return row[n];
}
