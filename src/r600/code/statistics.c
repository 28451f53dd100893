#include "r600/code/statistics.h"

enum { FIRST_TEMPORARY = 124 };

static bool
exports_register(const r600_inst *in)
{
    enum { FIRST_CONSTANT = 4 };
    for (unsigned c = 0; c < 4; c++)
        if (in->f[R600_F_sel_x + c] < FIRST_CONSTANT)
            return true;
    return false;
}

/* Does the instruction use the register that a field names? Fields that its format does not have
 * are 0, and so is the register of an export of constants. */
static bool
is_used(const r600_inst *in, unsigned field)
{
    const r600_op_info *row = r600_op_row(in->op);
    const unsigned sources = row->properties & R600_P_SOURCES;
    const bool is_memory = row->format == R600_FMT_CF_MEM || row->format == R600_FMT_CF_SCRATCH ||
                           row->format == R600_FMT_CF_RAT;
    switch (field) {
    case R600_F_dst_gpr: return row->format != R600_FMT_OP2 || in->f[R600_F_write_mask];
    case R600_F_src0_sel: return sources > 0;
    case R600_F_src1_sel: return sources > 1;
    case R600_F_src2_sel: return sources > 2;
    case R600_F_rw_gpr:
        return is_memory || (row->format == R600_FMT_CF_EXPORT && exports_register(in));
    default: return is_memory;
    }
}

/* One more than the highest register of an instruction. */
static uint32_t
count_registers(const r600_inst *in, r600_space space)
{
    static const uint8_t fields[3][4] = {
        {R600_F_dst_gpr, R600_F_src0_sel, R600_F_src1_sel, R600_F_src2_sel},
        {R600_F_src_gpr, R600_F_out_gpr, R600_F_src_gpr, R600_F_out_gpr},
        {R600_F_rw_gpr, R600_F_index_gpr, R600_F_rw_gpr, R600_F_index_gpr}};
    const bool is_fetch = space != R600_SPACE_ALU && space != R600_SPACE_CF;
    const uint8_t *list = fields[space == R600_SPACE_ALU ? 0 : is_fetch ? 1 : 2];
    uint32_t most = 0;
    for (unsigned i = 0; i < 4 && in->op != R600_RAW; i++) {
        const uint32_t n = in->f[list[i]] + 1;
        if (n <= FIRST_TEMPORARY && n > most && (is_fetch || is_used(in, list[i])))
            most = n;
    }
    return most;
}

void
r600_count_code(arena *a, const r600_chip *chip, const uint8_t *bytes, size_t size,
                r600_figures *out)
{
    const r600_isa *isa = r600_isa_open(a, chip->gen);
    const size_t n = size / 4;
    const r600_place *places = r600_map_code(isa, a, bytes, n);
    *out = (r600_figures){.dwords = (uint32_t)n};
    for (size_t i = 0; i < n; i++) {
        const r600_place *p = &places[i];
        uint32_t words[R600_MAX_WORDS] = {0};
        r600_inst in;
        if (p->kind != R600_PLACE_CODE)
            continue;
        for (unsigned k = 0; k < p->size; k++)
            words[k] = r600_read_dword(bytes + 4 * (i + k));
        r600_decode(isa, (r600_space)p->space, words, &in);
        const uint32_t registers = count_registers(&in, (r600_space)p->space);
        out->gprs = registers > out->gprs ? registers : out->gprs;
        switch ((r600_space)p->space) {
        case R600_SPACE_CF: out->cf++; break;
        case R600_SPACE_ALU:
            out->alu++;
            out->groups += in.f[R600_F_last];
            break;
        default: out->fetches++; break;
        }
    }
}
