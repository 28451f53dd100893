/* Kernel descriptors: converts rows to bits and back.
 *
 * Most rows are a field of a word. Register counts are computed: the descriptor gives them in
 * granules, and SGPRs including the reserved ones at the end (vcc, flat_scratch, xnack_mask), so
 * that different directives may make the same descriptor; decoding takes the largest count, as LLVM
 * does.
 */
#include "amd/isa/asm/amdhsa.h"

#include "base/bits.h"

#include <string.h>

typedef enum hsa_word {
    GROUP_SIZE,
    PRIVATE_SIZE,
    KERNARG_SIZE,
    RSRC3,
    RSRC1,
    RSRC2,
    PROPERTIES,
    PRELOAD,
    NONE
} hsa_word;

/* Byte offset and size of each word in the descriptor ("Kernel Descriptor" in AMDGPUUsage). */
static const uint8_t words[][2] = {{0, 4},  {4, 4},  {8, 4},  {44, 4},
                                   {48, 4}, {52, 4}, {56, 2}, {58, 2}};
enum { N_WORDS = sizeof words / sizeof *words };

typedef enum hsa_where {
    ALL,
    WAVE_SCRATCH,      /* the program sets up scratch (GFX6 to GFX10, not GFX940) */
    FLAT_SCRATCH,      /* the hardware sets up scratch (GFX940, GFX11 on) */
    GFX7_WAVE_SCRATCH, /* FLAT_SCRATCH is among the SGPRs */
    GFX8,
    GFX9,
    GFX90A, /* and GFX940 */
    GFX10,
    GFX10_TO_11,
    TO_GFX11,
    GFX11,
    GFX12,
} hsa_where;

static const struct {
    const char *name;
    uint8_t word, low, bits, otherwise, where;
} rows[AMD_HSA_ROW_COUNT] = {
#define HSA(name, word, low, bits, otherwise, where) {#name, word, low, bits, otherwise, where},
#include "amd/isa/asm/amdhsa.def"
#undef HSA
};

/* The generic processors, with the numbers that LLVM 19's assembler gives their code. */
static const struct {
    const char *name;
    uint8_t major, minor, stepping;
} generics[] = {{"gfx9-generic", 9, 0, 0},
                {"gfx10-1-generic", 10, 1, 0},
                {"gfx10-3-generic", 10, 3, 0},
                {"gfx11-generic", 11, 0, 3},
                {"gfx12-generic", 12, 0, 0}};

static bool
parse_generic(const char *name, size_t len, amd_hsa_target *out)
{
    for (size_t g = 0; g < sizeof generics / sizeof *generics; g++) {
        if (strlen(generics[g].name) != len || memcmp(generics[g].name, name, len) != 0)
            continue;
        out->major = generics[g].major;
        out->minor = generics[g].minor;
        out->stepping = generics[g].stepping;
        return true;
    }
    return false;
}

bool
amd_hsa_parse_target(const char *name, size_t len, amd_hsa_target *out)
{
    uint32_t number = 0;
    if (parse_generic(name, len, out))
        return true;
    if (len < 6 || len > 7 || memcmp(name, "gfx", 3) != 0)
        return false;
    for (size_t i = 3; i < len; i++) {
        char c = name[i];
        bool last = i == len - 1;
        if (!(c >= '0' && c <= '9') && !(last && c >= 'a' && c <= 'f'))
            return false;
        uint32_t digit = c >= 'a' ? (uint32_t)(c - 'a') + 10 : (uint32_t)(c - '0');
        if (last)
            out->stepping = (uint8_t)digit;
        else
            number = number * 10 + digit;
    }
    out->major = (uint8_t)(number / 10);
    out->minor = (uint8_t)(number % 10);
    return true;
}

static bool
is_gfx90a(const amd_hsa_target *t)
{
    return t->major == 9 && ((t->minor == 0 && t->stepping == 10) || t->minor >= 4);
}

static bool
has_flat_scratch(const amd_hsa_target *t)
{
    return t->major >= 11 || (t->major == 9 && t->minor >= 4);
}

/* gfx802 and gfx805 must be given 96 SGPRs, regardless of the number used (LLVM:
 * FeatureSGPRInitBug). */
static bool
has_sgpr_bug(const amd_hsa_target *t)
{
    return t->major == 8 && t->minor == 0 && (t->stepping == 2 || t->stepping == 5);
}

/* Is XNACK_MASK among the SGPRs? */
static bool
has_xnack_mask(const amd_hsa_target *t)
{
    return t->has_xnack && t->major >= 8;
}

static bool
exists(const amd_hsa_target *t, hsa_where where)
{
    switch (where) {
    case ALL: return true;
    case WAVE_SCRATCH: return !has_flat_scratch(t);
    case FLAT_SCRATCH: return has_flat_scratch(t);
    case GFX7_WAVE_SCRATCH: return t->major >= 7 && !has_flat_scratch(t);
    case GFX8: return t->major >= 8;
    case GFX9: return t->major >= 9;
    case GFX90A: return is_gfx90a(t);
    case GFX10: return t->major >= 10;
    case GFX10_TO_11: return t->major == 10 || t->major == 11;
    case TO_GFX11: return t->major <= 11;
    case GFX11: return t->major >= 11;
    case GFX12: return t->major >= 12;
    }
    return false;
}

amd_hsa_row
amd_hsa_find(const char *name, size_t len)
{
    int r = 0;
    while (r < AMD_HSA_ROW_COUNT &&
           (strlen(rows[r].name) != len || memcmp(rows[r].name, name, len) != 0))
        r++;
    return (amd_hsa_row)r;
}

const char *
amd_hsa_name(amd_hsa_row row)
{
    return rows[row].name;
}

bool
amd_hsa_exists(const amd_hsa_target *t, amd_hsa_row row)
{
    return exists(t, (hsa_where)rows[row].where);
}

/* The width of inst_pref_size on GFX11. */
enum { GFX11_PREFETCH_BITS = 6 };

static uint32_t
bits_of(const amd_hsa_target *t, amd_hsa_row row)
{
    return row == AMD_HSA_inst_pref_size && t->major == 11 ? GFX11_PREFETCH_BITS : rows[row].bits;
}

uint32_t
amd_hsa_largest(const amd_hsa_target *t, amd_hsa_row row)
{
    return (uint32_t)base_mask64(bits_of(t, row));
}

/* A row's value as given, or its default; 0 if the row does not exist. */
static uint32_t
value_of(const amd_hsa_target *t, const amd_hsa_kernel *k, amd_hsa_row row)
{
    if (k->given[row])
        return k->values[row];
    return amd_hsa_exists(t, row) ? rows[row].otherwise : 0;
}

static void
set_bits(uint8_t *out, hsa_word word, uint32_t low, uint32_t v)
{
    uint64_t shifted = (uint64_t)v << low;
    for (unsigned i = 0; i < words[word][1]; i++)
        out[words[word][0] + i] |= (uint8_t)(shifted >> (8 * i));
}

static uint32_t
get_bits(const uint8_t *from, hsa_word word, uint32_t low, uint32_t bits)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < words[word][1]; i++)
        v |= (uint64_t)from[words[word][0] + i] << (8 * i);
    return (uint32_t)(v >> low & base_mask64(bits));
}

/* ---- registers ---- */

enum {
    VGPRS_LOW = 0,
    VGPRS_BITS = 6,
    SGPRS_LOW = 6,
    SGPRS_BITS = 4,
    ACCUM_LOW = 0,
    ACCUM_BITS = 6
};
enum { SGPR_GRANULE = 8, SGPR_BUG_COUNT = 96, PREFETCH_LINE = 128 };

/* The VGPR granule of COMPUTE_PGM_RSRC1. */
static uint32_t
vgpr_granule(const amd_hsa_target *t, bool wave32)
{
    return is_gfx90a(t) || (t->major >= 10 && wave32) ? 8 : 4;
}

/* On GFX8 and GFX9 the order upwards is vcc, xnack_mask, flat_scratch; before, vcc,
 * flat_scratch. */
uint32_t
amd_hsa_extra_sgprs(const amd_hsa_target *t, bool vcc, bool flat_scratch, bool xnack)
{
    if (t->major < 10 && (flat_scratch || has_flat_scratch(t)))
        return t->major >= 8 ? 6 : 4;
    if (t->major < 10 && t->major >= 8 && xnack)
        return 4;
    return vcc ? 2 : 0;
}

uint32_t
amd_hsa_total_vgprs(const amd_hsa_target *t, uint32_t agprs, uint32_t vgprs)
{
    if (is_gfx90a(t) && agprs)
        return (vgprs + 3) / 4 * 4 + agprs;
    return agprs > vgprs ? agprs : vgprs;
}

uint32_t
amd_hsa_prefetch_size(const amd_hsa_target *t, uint64_t bytes)
{
    uint64_t lines = bytes / PREFETCH_LINE + (bytes % PREFETCH_LINE != 0);
    uint32_t most = amd_hsa_exists(t, AMD_HSA_inst_pref_size)
                        ? amd_hsa_largest(t, AMD_HSA_inst_pref_size)
                        : 0;
    return lines < most ? (uint32_t)lines : most;
}

/* The SGPRs reserved after the program's own. gfx6 has no flat_scratch, but LLVM reserves it there
 * too. */
static uint32_t
reserved_sgprs(const amd_hsa_target *t, const amd_hsa_kernel *k)
{
    return amd_hsa_extra_sgprs(t, value_of(t, k, AMD_HSA_reserve_vcc) != 0,
                               t->major == 6 || value_of(t, k, AMD_HSA_reserve_flat_scratch),
                               has_xnack_mask(t));
}

/* The number of SGPRs that a program can name. */
static uint32_t
sgpr_limit(const amd_hsa_target *t)
{
    if (has_sgpr_bug(t))
        return SGPR_BUG_COUNT;
    return t->major >= 10 ? 106 : t->major >= 8 ? 102 : 104;
}

/* Sets the field for SGPRs; returns a message if there are too many. */
static const char *
count_sgprs(const amd_hsa_target *t, const amd_hsa_kernel *k, uint32_t *field)
{
    uint64_t n = k->values[AMD_HSA_next_free_sgpr];
    bool own = t->major >= 8 && !has_sgpr_bug(t); /* the limit applies to the program's own SGPRs */
    uint64_t all = n + (t->major >= 10 ? 0 : reserved_sgprs(t, k));
    *field = 0;
    if ((own ? n : all) > sgpr_limit(t))
        return "next_free_sgpr is more than there are";
    if (t->major >= 10)
        return NULL;
    if (has_sgpr_bug(t))
        all = SGPR_BUG_COUNT;
    all = all ? all : 1;
    *field = (uint32_t)((all + SGPR_GRANULE - 1) / SGPR_GRANULE - 1);
    return NULL;
}

static const char *
count_vgprs(const amd_hsa_target *t, const amd_hsa_kernel *k, uint32_t *field)
{
    uint32_t n = k->values[AMD_HSA_next_free_vgpr];
    uint32_t granule = vgpr_granule(t, value_of(t, k, AMD_HSA_wavefront_size32) != 0);
    if (n > (is_gfx90a(t) ? 512u : 256u))
        return "next_free_vgpr is more than there are";
    *field = (n ? n + granule - 1 : granule) / granule - 1;
    return NULL;
}

static const char *
place_accum(const amd_hsa_target *t, const amd_hsa_kernel *k, uint8_t *out)
{
    uint32_t at = k->values[AMD_HSA_accum_offset], n = k->values[AMD_HSA_next_free_vgpr];
    if (!is_gfx90a(t))
        return NULL;
    if (!k->given[AMD_HSA_accum_offset])
        return ".amdhsa_accum_offset is missing";
    if (at < 4 || at > 256 || at % 4)
        return "accum_offset is a multiple of 4 from 4 to 256";
    if (at > (n ? (n + 3) / 4 * 4 : 4))
        return "accum_offset is above next_free_vgpr";
    set_bits(out, RSRC3, ACCUM_LOW, at / 4 - 1);
    return NULL;
}

/* The number of SGPRs that the enabled user values occupy. */
static uint32_t
user_sgprs(const amd_hsa_target *t, const amd_hsa_kernel *k)
{
    static const uint8_t sizes[] = {4, 2, 2, 2, 2, 2, 1};
    uint32_t n = value_of(t, k, AMD_HSA_user_sgpr_kernarg_preload_length);
    for (int r = 0; r < AMD_HSA_ROW_COUNT; r++)
        if (rows[r].word == PROPERTIES && rows[r].low < 7 && value_of(t, k, (amd_hsa_row)r))
            n += sizes[rows[r].low];
    return n;
}

static const char *
check_shared(const amd_hsa_target *t, const amd_hsa_kernel *k, uint32_t vgprs)
{
    uint32_t n = value_of(t, k, AMD_HSA_shared_vgpr_count);
    if (n && k->given[AMD_HSA_wavefront_size32] && k->values[AMD_HSA_wavefront_size32])
        return "shared_vgpr_count needs wavefronts of 64";
    return 2 * n + vgprs > 63 ? "shared_vgpr_count and next_free_vgpr are too many together" : NULL;
}

const char *
amd_hsa_encode(const amd_hsa_target *t, const amd_hsa_kernel *k,
               uint8_t out[AMD_HSA_DESCRIPTOR_SIZE])
{
    uint32_t sgprs = 0, vgprs = 0, implied = user_sgprs(t, k);
    memset(out, 0, AMD_HSA_DESCRIPTOR_SIZE);
    if (!k->given[AMD_HSA_next_free_vgpr])
        return ".amdhsa_next_free_vgpr is missing";
    if (!k->given[AMD_HSA_next_free_sgpr])
        return ".amdhsa_next_free_sgpr is missing";
    if (k->given[AMD_HSA_reserve_xnack_mask] &&
        (k->values[AMD_HSA_reserve_xnack_mask] != 0) != has_xnack_mask(t))
        return "reserve_xnack_mask is 1 where the target's XNACK can be on, 0 where it cannot";
    const char *wrong = count_sgprs(t, k, &sgprs);
    if (!wrong)
        wrong = count_vgprs(t, k, &vgprs);
    if (!wrong)
        wrong = place_accum(t, k, out);
    if (!wrong)
        wrong = check_shared(t, k, vgprs);
    if (wrong)
        return wrong;
    if (k->given[AMD_HSA_user_sgpr_count] && k->values[AMD_HSA_user_sgpr_count] < implied)
        return "user_sgpr_count is less than what is enabled takes";
    if (implied > 31)
        return "more user SGPRs are enabled than there are";
    for (int r = 0; r < AMD_HSA_ROW_COUNT; r++)
        if (rows[r].word != NONE && r != AMD_HSA_user_sgpr_count)
            set_bits(out, (hsa_word)rows[r].word, rows[r].low, value_of(t, k, (amd_hsa_row)r));
    set_bits(out, RSRC2, rows[AMD_HSA_user_sgpr_count].low,
             k->given[AMD_HSA_user_sgpr_count] ? k->values[AMD_HSA_user_sgpr_count] : implied);
    set_bits(out, RSRC1, VGPRS_LOW, vgprs);
    set_bits(out, RSRC1, SGPRS_LOW, sgprs);
    return NULL;
}

/* ---- back ---- */

static void
give(const amd_hsa_target *t, amd_hsa_kernel *k, amd_hsa_row row, uint32_t v)
{
    if (!amd_hsa_exists(t, row))
        return;
    k->given[row] = true;
    k->values[row] = v;
}

/* Sets the largest counts that the descriptor can mean, first with only the reservation that the
 * target's XNACK requires. If that count is more than a program can have, something else was
 * reserved: then everything that can be is set as reserved. */
static void
give_registers(const amd_hsa_target *t, const uint8_t *d, amd_hsa_kernel *out)
{
    bool wave32 = out->values[AMD_HSA_wavefront_size32] != 0;
    uint32_t vgprs = get_bits(d, RSRC1, VGPRS_LOW, VGPRS_BITS),
             sgprs = get_bits(d, RSRC1, SGPRS_LOW, SGPRS_BITS), again;
    uint32_t all = has_sgpr_bug(t) ? 0 : (sgprs + 1) * SGPR_GRANULE;
    give(t, out, AMD_HSA_next_free_vgpr, (vgprs + 1) * vgpr_granule(t, wave32));
    give(t, out, AMD_HSA_accum_offset, (get_bits(d, RSRC3, ACCUM_LOW, ACCUM_BITS) + 1) * 4);
    if (has_xnack_mask(t))
        give(t, out, AMD_HSA_reserve_xnack_mask, 1);
    for (uint32_t reserve = 0; reserve < 2; reserve++) {
        give(t, out, AMD_HSA_reserve_vcc, reserve);
        give(t, out, AMD_HSA_reserve_flat_scratch, reserve);
        uint32_t behind = reserved_sgprs(t, out);
        uint32_t own = all < behind ? 0 : all - behind;
        give(t, out, AMD_HSA_next_free_sgpr, own < sgpr_limit(t) ? own : sgpr_limit(t));
        if (!count_sgprs(t, out, &again) && (again == sgprs || t->major >= 10))
            break;
    }
}

bool
amd_hsa_decode(const amd_hsa_target *t, const uint8_t descriptor[AMD_HSA_DESCRIPTOR_SIZE],
               amd_hsa_kernel *out)
{
    uint8_t again[AMD_HSA_DESCRIPTOR_SIZE];
    *out = (amd_hsa_kernel){{0}, {0}};
    for (int r = 0; r < AMD_HSA_ROW_COUNT; r++)
        if (rows[r].word != NONE)
            give(t, out, (amd_hsa_row)r,
                 get_bits(descriptor, (hsa_word)rows[r].word, rows[r].low,
                          bits_of(t, (amd_hsa_row)r)));
    give_registers(t, descriptor, out);
    /* LLVM 19 has no directive for it */
    if (!out->values[AMD_HSA_inst_pref_size])
        out->given[AMD_HSA_inst_pref_size] = false;
    /* shared VGPRs and wave32, the default, must not both be given */
    if (out->values[AMD_HSA_shared_vgpr_count] && out->values[AMD_HSA_wavefront_size32])
        out->given[AMD_HSA_wavefront_size32] = false;
    if (amd_hsa_encode(t, out, again))
        return false;
    memcpy(again + AMD_HSA_ENTRY_OFFSET, descriptor + AMD_HSA_ENTRY_OFFSET, AMD_HSA_ENTRY_SIZE);
    if (t->major >= 10)
        set_bits(again, RSRC1, SGPRS_LOW, get_bits(descriptor, RSRC1, SGPRS_LOW, SGPRS_BITS));
    return memcmp(again, descriptor, sizeof again) == 0;
}

void
amd_hsa_print(const amd_hsa_target *t, const char *name, const amd_hsa_kernel *k, base_buf *out)
{
    buf_printf(out, "\t.amdhsa_kernel %s\n", name);
    for (int r = 0; r < AMD_HSA_ROW_COUNT; r++)
        if (k->given[r] && amd_hsa_exists(t, (amd_hsa_row)r))
            buf_printf(out, "\t\t.amdhsa_%s %u\n", rows[r].name, k->values[r]);
    buf_puts(out, "\t.end_amdhsa_kernel\n");
}
