/* Scratch memory: elements that belong to a lane.
 *
 * The driver gives each wave that can be there at once a part of a ring, SQ_*TMP_RING_ITEMSIZE.
 * Writes are instructions of control flow (MEM_SCRATCH), reads are fetches (READ_SCRATCH) from R700
 * on, and on R600 control flow, in order with the writes. The element is ARRAY_BASE, or the number
 * in the index register, below ARRAY_SIZE; elements
 * of four dwords are what drivers use (Mesa: sfn_assembler, ScratchIOInstr and LoadFromScratch,
 * which says that an index counts from the beginning of the lane's part). Lanes are those that
 * execute, helpers among them. */
#include "r600/emu/core/wave.h"

#include "base/buf.h"

enum { ELEMENT_BYTES = 16, ELEMENT_OF_FOUR = 3, IS_INDEXED = 1, IS_READ = 2 };

/* The element of a lane, or NULL with a finding. */
static uint8_t *
find_element(emu_wave *w, uint64_t element, uint32_t lane, uint64_t *address)
{
    emu_machine *m = emu_machine_of(w);
    const r600_emu_dispatch *d = m->d;
    const uint64_t slot = w->id % R600_EMU_WAVE_SLOTS;
    const uint64_t number = (slot * EMU_LANES + lane) * d->scratch_elements + element;
    *address = d->scratch.address + number * ELEMENT_BYTES;
    mach_region *r = element < d->scratch_elements
                         ? mach_memory_find(m->memory, &m->hint, *address, ELEMENT_BYTES)
                         : NULL;
    if (r)
        return r->host + (*address - r->base);
    r600_emu_find(w, R600_RULE_SCRATCH_BOUNDS, (int)lane, "the element is outside the lane's part");
    return NULL;
}

static void
check_form(const emu_wave *w, const r600_inst *in)
{
    if (in->f[R600_F_elem_size] != ELEMENT_OF_FOUR || in->f[R600_F_burst])
        r600_emu_unsupported(w, "scratch memory by other elements than four dwords");
}

/* The number of the element: of an index, one beyond ARRAY_SIZE is nowhere. */
static uint64_t
element_of(const emu_wave *w, const r600_inst *in, const emu_lanes *index, uint32_t lane)
{
    if (!index)
        return in->f[R600_F_array_base];
    if (!(index->defined >> lane & 1))
        r600_emu_find(w, R600_RULE_UNDEFINED_ADDRESS, (int)lane, "the index is not defined");
    return index->v[lane] <= in->f[R600_F_array_size] ? index->v[lane] : UINT32_MAX;
}

/* The index of an instruction of control flow; NULL: none. */
static const emu_lanes *
index_of(const emu_wave *w, const r600_inst *in)
{
    return in->f[R600_F_type] & IS_INDEXED ? &w->gpr[in->f[R600_F_index_gpr]][0] : NULL;
}

void
r600_emu_scratch_write(emu_wave *w, const r600_inst *in)
{
    const emu_lanes *index = index_of(w, in);
    const bool is_old = in->op == R600_MEM_SCRATCH_R600;
    if (in->op != R600_MEM_SCRATCH && !is_old)
        r600_emu_unsupported(w, "memory that the emulator does not have");
    check_form(w, in);
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint64_t address;
        uint8_t *to = find_element(w, element_of(w, in, index, lane), lane, &address);
        for (unsigned c = 0; to && c < 4; c++) {
            const emu_lanes *from = &w->gpr[in->f[R600_F_rw_gpr]][c];
            if (!(in->f[R600_F_comp_mask] >> c & 1))
                continue;
            base_put_u32(to + c * 4, from->v[lane]);
            if (!is_old)
                r600_emu_note_store(w, address + c * 4, 4);
        }
    }
}

/* A read into the components of a register. */
static void
read_by_flow(emu_wave *w, const r600_inst *in)
{
    const emu_lanes *index = index_of(w, in);
    const emu_lanes copy = index ? *index : (emu_lanes){.defined = 0};
    check_form(w, in);
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint64_t address;
        const uint64_t element = element_of(w, in, index ? &copy : NULL, lane);
        const uint8_t *from = find_element(w, element, lane, &address);
        for (unsigned c = 0; from && c < 4; c++) {
            emu_lanes *to = &w->gpr[in->f[R600_F_rw_gpr]][c];
            if (!(in->f[R600_F_comp_mask] >> c & 1))
                continue;
            to->v[lane] = r600_read_dword(from + c * 4);
            to->defined |= UINT64_C(1) << lane;
        }
    }
}

void
r600_emu_scratch_transfer(emu_wave *w, const r600_inst *in)
{
    if (in->f[R600_F_type] & IS_READ)
        read_by_flow(w, in);
    else
        r600_emu_scratch_write(w, in);
}

void
r600_emu_scratch_read(emu_wave *w, const r600_inst *in)
{
    const emu_lanes *index = in->f[R600_F_indexed]
                                 ? &w->gpr[in->f[R600_F_src_gpr]][in->f[R600_F_sel_x]]
                                 : NULL;
    check_form(w, in);
    const emu_lanes copy = index ? *index : (emu_lanes){.defined = 0};
    EMU_FOREACH_LANE(lane, emu_active(w)) {
        uint64_t address;
        uint32_t value[4] = {0};
        const uint64_t element = element_of(w, in, index ? &copy : NULL, lane);
        const uint8_t *from = find_element(w, element, lane, &address);
        for (unsigned c = 0; from && c < 4; c++)
            value[c] = r600_read_dword(from + c * 4);
        for (unsigned c = 0; from && c < 4; c++)
            if (in->f[R600_F_out_sel_x + c] < 4)
                r600_emu_check_fetch(w, address + in->f[R600_F_out_sel_x + c] * 4, 4, lane);
        r600_emu_write_fetch(w, in, value, lane);
    }
}
