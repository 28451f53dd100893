/* Effects of instructions from the flags of their rows.
 *
 * Without further knowledge, an instruction with an effect other than a write to memory is not
 * moved and may change the active lanes, like the markers of control flow. Memory is one class,
 * except for spill slots. Memory, and definitions that live along logical edges, are written in
 * active lanes only.
 */
#include "cg/effects.h"

static uint8_t
lanes_of(const ir_instr *i, uint32_t flags)
{
    const ir_machine *m = ir_machine_of(i->block->fn);
    unsigned lanes = flags & IR_OP_CONVERGENT ? IR_LANES_READ : 0;
    bool spills = m->ops.spill && i->op == m->ops.spill;
    lanes |= flags & IR_OP_WRITES ? IR_LANES_MASK : 0;
    lanes |= spills && m->classes[i->refs[0].rc].edges == 0 ? IR_LANES_MASK : 0;
    for (unsigned d = 0; d < i->n_defs; d++)
        lanes |= m->classes[i->defs[d].rc].edges == 0 ? IR_LANES_MASK : 0;
    return (uint8_t)lanes;
}

void
cg_find_effects(const ir_instr *i, ir_effects *e)
{
    const ir_machine *m = ir_machine_of(i->block->fn);
    uint32_t flags = ir_op_of(i->block->fn, i)->flags;
    *e = (ir_effects){.lanes = m->finds_lanes ? 0 : lanes_of(i, flags)};
    if (flags & (IR_OP_READS | IR_OP_BARRIER))
        e->reads = IR_MEMORY_ALL;
    if (flags & (IR_OP_WRITES | IR_OP_BARRIER))
        e->writes = IR_MEMORY_ALL;
    if (m->ops.reload && i->op == m->ops.reload)
        e->reads = IR_MEMORY_SPILL;
    if (m->ops.spill && i->op == m->ops.spill) {
        e->writes = IR_MEMORY_SPILL;
    } else if (flags & (IR_OP_EFFECT | IR_OP_TERMINATOR) && !(flags & IR_OP_WRITES)) {
        e->fence = true;
        e->lanes |= IR_LANES_WRITE;
    }
    if (m->refine_effects)
        m->refine_effects(i, e);
}
