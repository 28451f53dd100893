/* The option parser. It accepts short options (-t X, -tX) and long ones (--stage X, --stage=X, and
 * with one dash those of glslc: -std=450); `--` ends them; `-` is an operand (standard input). Operands and options may be mixed. The help
 * is printed from the same rows. */
#include "cli.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct parser {
    const cli_option *options;
    size_t count;
    int argc, next; /* `next` is the argument after the current one */
    char **argv;
    bool failed;
} parser;

static void
fail(parser *p, const char *format, const char *a, const char *b)
{
    cli_usage_error(format, p->argv[0], a, b);
    p->failed = true;
}

/* Returns true if `word` is one of the words of `choices` ("a|b|c"). */
static bool
is_choice(const char *choices, const char *word)
{
    size_t len = strlen(word);
    for (const char *c = choices; c; c = strchr(c, '|')) {
        c += *c == '|';
        if (strncmp(c, word, len) == 0 && (c[len] == '|' || !c[len]))
            return true;
    }
    return false;
}

static void
store(parser *p, const cli_option *o, const char *text)
{
    char *end;
    unsigned long long number;
    switch (o->kind) {
    case CLI_FLAG: *(bool *)o->value = true; break;
    case CLI_TEXT: *(const char **)o->value = text; break;
    case CLI_LIST: cli_list_add(o->value, text); break;
    case CLI_CHOICE:
        if (!is_choice(o->choices, text))
            fail(p, "%s: '%s' is not one of %s", text, o->choices);
        *(const char **)o->value = text;
        break;
    case CLI_NUMBER:
        number = strtoull(text, &end, 0); /* numbers that are too large become the largest */
        *(unsigned *)o->value = (unsigned)number;
        if (!*text || *end || *text == '-' || number > UINT_MAX)
            fail(p, "%s: '%s' is not a number (%s)", text, o->name ? o->name : o->argument);
        break;
    }
}

/* Stores the value of `o`: `attached` if it is in the same argument, else the next argument. */
static void
take_value(parser *p, const cli_option *o, const char *attached, const char *spelled)
{
    if (o->kind == CLI_FLAG && attached)
        fail(p, "%s: option %s takes no value%s", spelled, "");
    else if (o->kind == CLI_FLAG || attached)
        store(p, o, attached);
    else if (p->next < p->argc)
        store(p, o, p->argv[p->next++]);
    else
        fail(p, "%s: option %s needs %s", spelled, o->argument);
}

/* Takes an option by its name: what follows the two dashes, or -NAME whole if the row's name has a
 * dash. Returns false if there is none. */
static bool
take_named(parser *p, const char *name, const char *spelled)
{
    const char *equals = strchr(name, '=');
    size_t len = equals ? (size_t)(equals - name) : strlen(name);
    for (size_t i = 0; i < p->count; i++) {
        const cli_option *o = &p->options[i];
        if (o->name && strlen(o->name) == len && memcmp(o->name, name, len) == 0) {
            take_value(p, o, equals ? equals + 1 : NULL, spelled);
            return true;
        }
    }
    return false;
}

/* One argument may hold several flags (-vj4). */
static void
take_short(parser *p, const char *spelled)
{
    for (const char *c = spelled + 1; *c; c++) {
        const cli_option *o = NULL;
        for (size_t i = 0; i < p->count && !o; i++) {
            if (p->options[i].letter == *c)
                o = &p->options[i];
        }
        if (!o) {
            fail(p, "%s: unknown option %s%s", spelled, "");
            return;
        }
        if (o->kind != CLI_FLAG) {
            take_value(p, o, c[1] ? c + 1 : NULL, spelled);
            return;
        }
        store(p, o, NULL);
    }
}

static void
print_option(const cli_option *o)
{
    char left[80];
    int at = 0;
    if (!o->help)
        return;
    if (o->letter)
        at = snprintf(left, sizeof left, "-%c", o->letter);
    if (o->name)
        at += snprintf(left + at, sizeof left - (size_t)at, "%s%s%s", at ? ", " : "    ",
                       *o->name == '-' ? "" : "--", o->name);
    if (o->argument)
        snprintf(left + at, sizeof left - (size_t)at, " %s", o->argument);
    printf(strlen(left) > 26 ? "  %s\n  %-26s  %s\n" : "  %-26s%s  %s\n", left, "", o->help);
}

static void
print_help(const char *name, const cli_option *options, size_t count)
{
    const cli_command *c = cli_find_command(name);
    printf("heddle %s: %s\n\nusage: heddle %s %s%s\n", c->name, c->summary, c->name,
           count ? "[options] " : "", c->operands);
    if (*c->description)
        printf("\n%s\n", c->description);
    if (count)
        puts("\noptions:");
    for (size_t i = 0; i < count; i++)
        print_option(&options[i]);
}

int
cli_parse(const cli_option *options, size_t count, int argc, char **argv, cli_list *operands)
{
    parser p = {options, count, argc, 1, argv, false};
    bool ended = false;
    while (p.next < argc && !p.failed) {
        const char *arg = argv[p.next++];
        if (ended || arg[0] != '-' || !arg[1])
            cli_list_add(operands, arg);
        else if (strcmp(arg, "--") == 0)
            ended = true;
        else if (strcmp(arg, "--help") == 0 || strcmp(arg, "-h") == 0) {
            print_help(argv[0], options, count);
            return CLI_OK;
        } else if (arg[1] != '-' && !take_named(&p, arg, arg))
            take_short(&p, arg);
        else if (arg[1] == '-' && (arg[2] == '-' || !take_named(&p, arg + 2, arg)))
            fail(&p, "%s: unknown option %s%s", arg, "");
    }
    return p.failed ? CLI_USAGE : -1;
}

void
cli_release(const cli_option *options, size_t count, cli_list *operands)
{
    for (size_t i = 0; i < count; i++) {
        if (options[i].kind == CLI_LIST)
            cli_list_free(options[i].value);
    }
    cli_list_free(operands);
}
