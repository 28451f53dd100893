/* list_walk BYTES: walks a linked list of 64-byte nodes, which lie in memory in order, and prints the
 * CPU milliseconds. A compiler is many such walks over its program; how this time grows with BYTES is
 * the machine's part in how compile time grows (growth.py). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PASSES = 64 };

typedef struct node {
    struct node *next;
    uint64_t count, rest[6];
} node;

int
main(int argc, char **argv)
{
    size_t n = argc > 1 ? (size_t)strtoull(argv[1], NULL, 10) / sizeof(node) : 0;
    node *nodes = n ? calloc(n, sizeof *nodes) : NULL;
    if (!nodes)
        return 1;
    for (size_t k = 0; k + 1 < n; k++)
        nodes[k].next = &nodes[k + 1];
    clock_t start = clock();
    for (unsigned pass = 0; pass < PASSES; pass++) {
        for (node *at = nodes; at; at = at->next)
            at->count++;
    }
    printf("%.3f\n", (double)(clock() - start) * 1000 / CLOCKS_PER_SEC);
    int wrong = nodes[n - 1].count != PASSES;
    free(nodes);
    return wrong;
}
