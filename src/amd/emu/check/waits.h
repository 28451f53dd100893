/* The counter models of the *waits* checker: the counters that count an operation, and the order in
 * which counted operations end.
 *
 * An instruction causes one or two events. For each counter, an event is not counted, or ends in
 * order with other events of its order, or ends at any time. A counter value n proves that an
 * operation has ended if its being outstanding would imply more than n outstanding operations:
 * itself and those of its order that were issued after it. So an operation followed by `later`
 * operations of its order has ended if the counter is at most `later`; one in no order has ended
 * only if the counter is 0.
 */
#ifndef AMD_EMU_WAITS_H
#define AMD_EMU_WAITS_H

#include "amd/emu/core/wave.h"
#include "amd/isa/table/counters.h"

typedef enum emu_event {
    EMU_EV_LOAD,   /* vector memory that writes registers, without a sampler */
    EMU_EV_SAMPLE, /* images with a sampler, MSAA loads */
    EMU_EV_BVH,
    EMU_EV_STORE, /* vector memory that writes no register: stores, atomics without a result */
    EMU_EV_FLAT_LOAD,
    EMU_EV_FLAT_STORE,
    EMU_EV_LDS,
    EMU_EV_GDS,
    EMU_EV_SCALAR,     /* loads of constants, clocks */
    EMU_EV_MESSAGE,    /* messages that return a value */
    EMU_EV_LDS_DIRECT, /* ds_param_load, ds_direct_load of gfx11: results */
    /* operations that read registers late, which must not be overwritten before */
    EMU_EV_EXP_MRT, /* exports to colours, depth, null, and of primitives */
    EMU_EV_EXP_POS,
    EMU_EV_EXP_PARAM,
    EMU_EV_GDS_DATA,
    EMU_EV_STORE_DATA, /* gfx6 */
    EMU_EV_COUNT,
} emu_event;

/* Orders: 0 means not counted, 1 in no order, the others are named orders. */
typedef enum emu_order {
    EMU_NOT_COUNTED,
    EMU_ANY_ORDER,
    EMU_ORDER_VECTOR,
    EMU_ORDER_LDS,
    EMU_ORDER_GDS,
    EMU_ORDER_MESSAGE,
    EMU_ORDER_LDS_DIRECT,
    EMU_ORDER_MRT,
    EMU_ORDER_POS,
    EMU_ORDER_PARAM,
    EMU_ORDER_STORE,
} emu_order;

/* The order of an event in each counter (emu_order by amd_wait). */
typedef struct emu_wait_rule {
    uint8_t order[AMD_WAIT_COUNT];
} emu_wait_rule;

const emu_wait_rule *
amd_emu_wait_rule_of(amd_gen gen, emu_event event);

/* Are the results of two such events written in the order of issue, so that the second may
 * overwrite the first's without a wait? */
bool
amd_emu_writes_in_order(amd_gen gen, emu_event event);

/* Does the event read registers late (and write none)? */
static inline bool
amd_emu_event_reads(emu_event e)
{
    return e >= EMU_EV_EXP_MRT;
}

/* Finds the events of an instruction, at most two; returns their number. Stores cause none if no
 * register waits for them and nothing is ordered with them. */
uint32_t
amd_emu_wait_events(amd_gen gen, const emu_inst *i, emu_event events[2]);

/* Does event `e`, one that reads late, read range `r` of `i`? */
bool
amd_emu_event_locks(emu_event e, const emu_inst *i, const emu_range *r);

/* The lanes in which the instruction reads or writes vector registers: those in exec, the first of
 * them (v_readfirstlane), or all, where it may access lanes that are not in exec. An image
 * instruction reads coordinates of whole quads, and writes lanes in exec. */
uint64_t
amd_emu_touched_lanes(const emu_wave *w, const emu_inst *i, bool write);

/* Handles a wait until the counters are at most `counts` (UINT32_MAX: not waited for). */
void
amd_emu_waits_until(emu_wave *w, const uint32_t counts[AMD_WAIT_COUNT]);

#endif
