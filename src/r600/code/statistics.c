#include "r600/code/statistics.h"

enum { FIRST_TEMPORARY = 124 };

/* One more than the highest register of an instruction. */
static uint32_t
count_registers(const r600_inst *in, r600_space space)
{
    static const uint8_t alu[] = {R600_F_dst_gpr, R600_F_src0_sel, R600_F_src1_sel,
                                  R600_F_src2_sel},
                         others[] = {R600_F_rw_gpr, R600_F_index_gpr, R600_F_src_gpr,
                                     R600_F_out_gpr};
    const uint8_t *fields = space == R600_SPACE_ALU ? alu : others;
    uint32_t most = 0;
    for (unsigned i = 0; i < 4; i++) {
        const uint32_t n = in->f[fields[i]] + 1;
        if (n <= FIRST_TEMPORARY && n > most)
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
