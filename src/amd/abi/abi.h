/* The state of lower_abi (internal to src/amd/abi): lower_abi.c decides on the arguments and walks
 * over the program, lower_descriptors.c replaces handles by descriptors. */
#ifndef AMD_ABI_ABI_H
#define AMD_ABI_ABI_H

#include "amd/abi/layout.h"
#include "amd/amd.h"
#include "ir/builder.h"
#include "ir/replace.h"

enum { AMD_ABI_SETS = 32 };

typedef struct amd_abi amd_abi;

/* What lower_abi does for the stages of graphics. */
typedef struct amd_abi_stage {
    /* Makes amd_abi.own. */
    void (*start)(amd_abi *a);
    /* Notes what the instruction uses. */
    void (*scan)(amd_abi *a, const ir_instr *i);
    /* The user SGPRs that the stage adds: their number, as far as it is known; declares them. */
    unsigned (*count_user_sgprs)(const amd_abi *a);
    void (*declare_user_sgprs)(amd_abi *a);
    /* System SGPRs, in the hardware's order: those before the user's, those behind them. */
    void (*declare_first_sgprs)(amd_abi *a);
    void (*declare_last_sgprs)(amd_abi *a);
    void (*declare_vgprs)(amd_abi *a);
    /* Returns what replaces the instruction's result, or none if it stays. May unlink one without
     * results. */
    ir_ref (*lower)(amd_abi *a, ir_instr *i);
    /* Makes the program's end, and its registers. */
    void (*finish)(amd_abi *a);
} amd_abi_stage;

extern const amd_abi_stage amd_abi_vertex_stage, amd_abi_fragment_stage;

struct amd_abi {
    ir_fn *f;
    amd_program *p;
    const family_layout *layout;
    ir_builder b;
    const family_binding **place; /* by value, for descriptor addresses; NULL: unknown */
    ir_replacement map;
    ir_ref *set_base, *set_offset; /* by value, for descriptor addresses: the terms of the sum */
    bool uses_set[AMD_ABI_SETS];
    bool uses_push, push_inline;
    bool uses_block;               /* descriptors behind the push constants */
    bool has_samplers, has_inline; /* uses immutable samplers, inline uniform blocks */
    uint32_t
        *samplers_at; /* by binding of the layout: the samplers' place in the constant data, +1 */
    uint32_t push_dwords; /* inline: dwords from offset 0 up to the last one used */
    bool uses_group_id[3], uses_group_count, uses_group_info, uses_scratch;
    unsigned local_ids; /* VGPRs: 1 to 3 */
    int set_arg[AMD_ABI_SETS], table_arg, count_arg, info_arg, group_arg[3], local_arg[3];
    int push_arg, block_arg; /* the first inline push constant; the pointer to the whole block */
    /* hsa: */
    int kernarg_arg;
    ir_ref kernarg;                     /* the 64-bit address of the segment */
    ir_ref set_address[AMD_ABI_SETS];   /* 64 bits, by slot */
    uint8_t set_slot[AMD_ABI_SETS];     /* by set: its number among the used sets */
    uint8_t block_slot;                 /* of the block of push constants, after the sets */
    uint32_t push_offset, count_offset; /* in the segment, in bytes */
    /* graphics: */
    const amd_abi_stage *stage; /* NULL: compute */
    void *own;                  /* the stage's */
};

static inline ir_ref
amd_abi_imm(amd_abi *a, uint32_t v)
{
    return ir_build_imm(&a->b, 32, v);
}

/* Adds an argument in the registers behind those of its kind; in given ones. Returns its number. */
int
amd_abi_add_arg(amd_abi *a, amd_arg arg);
int
amd_abi_append_arg(amd_program *p, amd_arg arg);

/* The contents of argument number `arg`. */
ir_ref
amd_abi_load_arg(amd_abi *a, int arg);

/* Reads memory that does not change while the shader runs. */
ir_ref
amd_abi_load_smem(amd_abi *a, ir_type type, ir_ref address, ir_ref offset);

/* vulkan: the full address for its low half. */
ir_ref
amd_abi_whole_address(amd_abi *a, ir_ref low);

/* A 64-bit address from its two halves. */
ir_ref
amd_abi_pack_pair(amd_abi *a, ir_ref pair);

/* The block that ends the shader; NULL: it never ends. */
ir_block *
amd_abi_find_end(const ir_fn *f);

/* Hands all stores of outputs to `take`, with the builder before each, and removes them. Leaves the
 * builder at the shader's end; returns false if it has none. Fails with TARGET_SELECT at a store
 * elsewhere. */
typedef void
amd_abi_take(void *user, const ir_instr *store);
bool
amd_abi_take_outputs(amd_abi *a, amd_abi_take *take, void *user);

/* The handle that replaces a vulkan_resource_index. */
ir_ref
amd_abi_lower_index(amd_abi *a, const ir_instr *i);

/* Replaces the handles that the instruction uses by descriptors. Fails with TARGET_CHOSEN. */
void
amd_abi_lower_handles(amd_abi *a, ir_instr *i);

#endif
