/* Kernel descriptors for test_amdhsa.py. Each line of standard input is
 *
 *     TARGET NAME=VALUE ...        prints the descriptor's bytes, or "error: ..."
 *
 * After the bytes come the directives that amd_hsa_decode finds in them.
 */
#include "amd/isa/asm/amdhsa.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *
read_kernel(char *text, const amd_hsa_target *t, amd_hsa_kernel *k)
{
    for (char *word = text; *word;) {
        size_t len = strcspn(word, " "), name = strcspn(word, "=");
        amd_hsa_row row = amd_hsa_find(word, name);
        if (name >= len || row == AMD_HSA_ROW_COUNT)
            return "unknown directive";
        if (!amd_hsa_exists(t, row))
            return "not on this target";
        unsigned long v = strtoul(word + name + 1, NULL, 0);
        if (v > amd_hsa_largest(t, row))
            return "out of range";
        k->values[row] = (uint32_t)v;
        k->given[row] = true;
        word += len + (word[len] == ' ');
    }
    return NULL;
}

static void
print(const amd_hsa_target *t, const uint8_t *bytes)
{
    amd_hsa_kernel k;
    for (int i = 0; i < AMD_HSA_DESCRIPTOR_SIZE; i++)
        printf("%02x", bytes[i]);
    if (!amd_hsa_decode(t, bytes, &k)) {
        puts(" undecoded");
        return;
    }
    for (int r = 0; r < AMD_HSA_ROW_COUNT; r++)
        if (k.given[r])
            printf(" %s=%u", amd_hsa_name((amd_hsa_row)r), k.values[r]);
    putchar('\n');
}

int
main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        uint8_t bytes[AMD_HSA_DESCRIPTOR_SIZE];
        amd_hsa_target t = {0};
        amd_hsa_kernel k = {{0}, {0}};
        line[strcspn(line, "\n")] = 0;
        size_t len = strcspn(line, " ");
        /* a sign before the name tells whether the target supports xnack */
        bool known = amd_hsa_parse_target(line + 1, len - 1, &t);
        t.has_xnack = *line == '+';
        const char *wrong = known ? read_kernel(line + len + (line[len] == ' '), &t, &k)
                                  : "unknown target";
        if (!wrong)
            wrong = amd_hsa_encode(&t, &k, bytes);
        if (wrong)
            printf("error: %s\n", wrong);
        else
            print(&t, bytes);
    }
    return 0;
}
