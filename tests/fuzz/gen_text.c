#include "gen_text.h"

#include "base/bits.h"

const char gen_interface[] =
    "#version 450\n"
    "layout(local_size_x = 64) in;\n"
    "layout(set = 0, binding = 0) readonly buffer In { uint data_in[]; };\n"
    "layout(set = 0, binding = 1) buffer Out { uint data_out[]; };\n"
    "layout(set = 0, binding = 2) buffer Counters { uint counters[]; };\n"
    "layout(set = 0, binding = 3) uniform Uniforms { uvec4 uniforms; };\n";

unsigned
gen_below(gen_text *g, unsigned n)
{
    g->state += UINT64_C(0x9e3779b97f4a7c15);
    return (unsigned)(base_hash64(g->state) >> 33) % n;
}

void
gen_line_start(gen_text *g)
{
    for (unsigned i = 0; i < g->indent && !g->silent; i++)
        buf_puts(g->out, "    ");
}

void
gen_put(gen_text *g, const char *text)
{
    if (!g->silent)
        buf_puts(g->out, text);
}

bool
gen_begin_statement(gen_text *g)
{
    size_t number = g->statement++;
    bool cut = g->cuts.cut && number < g->cuts.n && g->cuts.cut[number];
    g->silent += cut;
    return cut;
}

void
gen_end_statement(gen_text *g, bool cut)
{
    g->silent -= cut;
}
