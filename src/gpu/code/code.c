#include "gpu/code/code.h"

#include "amd/isa/table/table.h"

#include <string.h>

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
    bool ends = c->in.op == AMD_S_ENDPGM || c->in.op == AMD_S_ENDPGM_ORDERED_PS_DONE ||
                c->in.op == AMD_S_SETPC_B64;
    c->ended = ends && c->pc >= c->last;
    return true;
}

bool
gpu_code_has(const gpu_code *c, const mach_memory *m, uint64_t entry, uint64_t pc)
{
    gpu_code own = *c;
    bool goes_on = gpu_code_open(&own, m, entry);
    while (goes_on && own.pc + own.in.size <= pc)
        goes_on = gpu_code_next(&own);
    return goes_on && own.pc == pc && own.in.size;
}

/* The value of two SGPRs of the user data; false: they are not there. */
static bool
pair_of(const gpu_code_user *user, uint32_t sgpr, uint64_t *v)
{
    uint32_t k = sgpr - user->first;
    if (sgpr < user->first || user->n < 2 || k > user->n - 2)
        return false;
    *v = user->values[k] | (uint64_t)user->values[k + 1] << 32;
    return true;
}

bool
gpu_code_goes_on(const gpu_code *c, const mach_memory *m, uint64_t entry, const gpu_code_user *user,
                 uint64_t *to)
{
    gpu_code own = *c;
    uint64_t loads = 0; /* a bit for each SGPR that two are loaded to from where they point */
    if (!gpu_code_open(&own, m, entry))
        return false;
    while (gpu_code_next(&own) && own.in.op != AMD_S_SETPC_B64) {
        if (own.in.op == AMD_S_LOAD_DWORDX2 && own.in.dst[0] == own.in.src[0] &&
            own.in.dst[0] < 64 && !own.in.offset)
            loads |= UINT64_C(1) << own.in.dst[0];
    }
    if (own.in.op != AMD_S_SETPC_B64 || own.in.src[0] >= 64 || !pair_of(user, own.in.src[0], to))
        return false;
    if (!(loads >> own.in.src[0] & 1))
        return true;
    uint32_t hint = 0;
    const mach_region *r = mach_memory_find(m, &hint, *to, sizeof *to);
    if (r)
        memcpy(to, r->host + (*to - r->base), sizeof *to);
    return r != NULL;
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
