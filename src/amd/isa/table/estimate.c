/* Estimates the duration of code from its instructions alone.
 *
 * The code runs through one wave's clock (clock.h) from its first byte to its last. Forward
 * branches on a condition are not taken, other branches are; what stands in a loop counts as often
 * as the loop is assumed to run. So code that is placed behind the end of a shader counts once,
 * like both arms of an if.
 *
 * Other compilers may set fields that an instruction ignores; it is read as the hardware does.
 *
 * Estimates are for comparing two versions of a shader; they do not predict time.
 */
#include "amd/isa/table/estimate.h"

#include "amd/isa/table/clock.h"
#include "amd/isa/table/table.h"

enum {
    LOOP_ITERATIONS = 8,
    MAX_WEIGHT = LOOP_ITERATIONS * LOOP_ITERATIONS * LOOP_ITERATIONS * LOOP_ITERATIONS,
};

static bool
is_branch(const amd_inst *in)
{
    return in->fmt == AMD_SOPP && amd_op_row((amd_op)in->op)->flags & AMD_F_BRANCH;
}

/* The dword that a backward branch targets, or UINT32_MAX. */
static uint32_t
goes_back_to(const amd_inst *in, uint32_t at)
{
    if (!is_branch(in))
        return UINT32_MAX;
    int64_t to = (int64_t)at / 4 + 1 + in->imm;
    return to >= 0 && to <= at / 4 ? (uint32_t)to : UINT32_MAX;
}

/* Where loops overlap, the second begins in the first and ends behind it. Its end leads back to its
 * beginning, and so into the first loop: a compiler has put the step of the first one before its
 * test. The first then reaches as far as the second. From the last loop to the first, those that
 * begin behind the current one are on a stack, the nearest on top, so that this is linear. */
static void
nest_loops(arena *a, uint32_t *end, uint32_t n)
{
    uint32_t *behind = ARENA_ARRAY(a, n, uint32_t), count = 0;
    for (uint32_t first = n; first-- > 0;) {
        if (!end[first])
            continue;
        for (; count && behind[count - 1] < end[first]; count--)
            end[first] = end[first] > end[behind[count - 1]] ? end[first] : end[behind[count - 1]];
        behind[count++] = first;
    }
}

/* By dword: the number of loops that begin there minus the number that ended before. A loop reaches
 * to the last branch to its first instruction, and to the end of each loop that begins in it. */
static int32_t *
find_loops(arena *a, amd_gen gen, const uint8_t *code, uint32_t size)
{
    int32_t *change = ARENA_ARRAY(a, size / 4 + 2, int32_t);
    uint32_t *end = ARENA_ARRAY(a, size / 4 + 2, uint32_t);
    amd_inst in;
    for (uint32_t at = 0; at < size;) {
        bool extra, ok = amd_decode_loose(gen, code + at, size - at, &in, &extra);
        uint32_t to = ok ? goes_back_to(&in, at) : UINT32_MAX;
        at += ok ? in.size : 4;
        if (to != UINT32_MAX)
            end[to] = (at < size ? at : size) / 4;
    }
    nest_loops(a, end, size / 4 + 1);
    for (uint32_t dword = 0; dword <= size / 4; dword++) {
        if (end[dword]) {
            change[dword]++;
            change[end[dword]]--;
        }
    }
    return change;
}

static uint64_t
weight_of(int32_t depth)
{
    uint64_t weight = 1;
    for (; depth > 0 && weight < MAX_WEIGHT; depth--)
        weight *= LOOP_ITERATIONS;
    return weight;
}

static uint32_t
saturated(uint64_t n)
{
    return n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

amd_estimate
amd_estimate_code(arena *a, const amd_pace *pace, const uint8_t *code, uint32_t size)
{
    arena_mark mark = arena_save(a);
    amd_clock *clock = ARENA_NEW(a, amd_clock);
    const int32_t *change = find_loops(a, (amd_gen)pace->gen, code, size);
    uint64_t latency = 0, busy[AMD_UNIT_COUNT] = {0}, most = 0;
    int32_t depth = 0;
    amd_inst in;
    amd_clock_start(clock, *pace);
    for (uint32_t at = 0; at < size;) {
        bool extra, ok = amd_decode_loose((amd_gen)pace->gen, code + at, size - at, &in, &extra);
        uint32_t next = at + (ok ? in.size : 4);
        for (uint32_t d = at / 4; d < next / 4 && d <= size / 4; d++)
            depth += change[d];
        if (ok) {
            const amd_event event = {.taken = in.op == AMD_S_BRANCH ||
                                              goes_back_to(&in, at) != UINT32_MAX};
            amd_spent spent = amd_clock_run(clock, &in, &event);
            latency += spent.wave * weight_of(depth);
            busy[spent.unit] += spent.busy * weight_of(depth);
        }
        at = next;
    }
    for (unsigned u = AMD_UNIT_NONE + 1; u < AMD_UNIT_COUNT; u++)
        most = busy[u] > most ? busy[u] : most;
    amd_estimate result = {saturated(latency), saturated(most)};
    arena_release(a, mark);
    return result;
}
