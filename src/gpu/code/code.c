#include "gpu/code/code.h"

#include "amd/isa/table/table.h"

bool
gpu_code_open(gpu_code *c, const mach_memory *m, uint64_t entry)
{
    uint32_t hint = 0;
    const mach_region *r = mach_memory_find(m, &hint, entry, 4);
    if (!r)
        return false;
    c->bytes = r->host + (entry - r->base);
    c->size = r->size - (entry - r->base);
    c->pc = entry;
    c->in.size = 0;
    c->last = entry;
    c->ended = false;
    return true;
}

/* The address that the instruction branches to; 0: it is no branch to a fixed place. */
static uint64_t
branch_target(const gpu_code *c)
{
    bool is = amd_op_row((amd_op)c->in.op)->flags & AMD_F_BRANCH && c->in.fmt == AMD_SOPP;
    return is ? c->pc + 4 + (uint64_t)(4 * (int64_t)c->in.imm) : 0;
}

bool
gpu_code_next(gpu_code *c)
{
    bool extra;
    c->pc += c->in.size;
    if (c->ended || c->size < 4 || !amd_decode_loose(c->gen, c->bytes, c->size, &c->in, &extra))
        return false;
    c->bytes += c->in.size;
    c->size -= c->in.size;
    uint64_t target = branch_target(c);
    c->last = target > c->last ? target : c->last;
    c->ended = c->in.op == AMD_S_ENDPGM && c->pc >= c->last;
    return true;
}

void
gpu_print_code_line(const gpu_code *c, base_buf *out)
{
    uint64_t target = branch_target(c);
    buf_printf(out, "0x%012llx: ", (unsigned long long)c->pc);
    amd_print(c->gen, &c->in, c->wave64, out);
    if (target)
        buf_printf(out, " // 0x%012llx", (unsigned long long)target);
}

/* Is the next instruction of `c` the one at `pc`, or none? */
static bool
is_before(const gpu_code *c, uint64_t pc)
{
    return c->pc + c->in.size < pc;
}

void
gpu_walk_code_part(gpu_code *c, const mach_memory *m, const gpu_code_part *part,
                   gpu_code_line *line, void *user)
{
    gpu_code kept[GPU_CODE_LINES];
    uint32_t n = 0, before = part->before < GPU_CODE_LINES ? part->before : GPU_CODE_LINES;
    if (!gpu_code_open(c, m, part->entry))
        return;
    while (is_before(c, part->pc)) {
        if (!gpu_code_next(c))
            return;
        kept[n++ % GPU_CODE_LINES] = *c;
    }
    if (!gpu_code_next(c) || c->pc != part->pc)
        return;
    for (uint32_t k = n < before ? 0 : n - before; k < n; k++)
        line(user, &kept[k % GPU_CODE_LINES], false);
    line(user, c, true);
    for (uint32_t k = 0; k < part->after && gpu_code_next(c); k++)
        line(user, c, false);
}
