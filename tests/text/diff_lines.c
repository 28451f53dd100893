/* diff_lines OLD NEW: prints the difference as `heddle compile --print-changed` does. */
#include "../../tools/heddle/line_diff.h"

#include "../../tools/heddle/cli.h"

#include <stdlib.h>

void
cli_out_of_memory(void)
{
    exit(3);
}

static char *
read_text(const char *path)
{
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 26);
    if (!f || !text)
        exit(2);
    text[fread(text, 1, (1 << 26) - 1, f)] = 0;
    fclose(f);
    return text;
}

int
main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    char *old = read_text(argv[1]), *new = read_text(argv[2]);
    bool changed = line_diff_print(stdout, (const char *const[]){"old", "new"}, old, new);
    free(old);
    free(new);
    return changed;
}
