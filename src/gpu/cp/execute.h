/* Between the files of the command processor: what executes a packet. */
#ifndef GPU_CP_EXECUTE_H
#define GPU_CP_EXECUTE_H

#include "gpu/cp/cp.h"

typedef gpu_cp_status
gpu_cp_execute(gpu_cp *cp, const gpu_packet *p);

/* Executes packets of one kind. GPU_CP_DONE: go on with the next packet. */
gpu_cp_execute gpu_cp_dispatch_direct, gpu_cp_dispatch_indirect;
gpu_cp_execute gpu_cp_write_data, gpu_cp_copy_data, gpu_cp_cp_dma, gpu_cp_dma_data,
    gpu_cp_atomic_mem, gpu_cp_load_registers;
gpu_cp_execute gpu_cp_event_write, gpu_cp_event_write_eop, gpu_cp_event_write_eos,
    gpu_cp_release_mem, gpu_cp_wait_reg_mem, gpu_cp_wait_reg_mem64;
gpu_cp_execute gpu_cp_set_predication, gpu_cp_cond_exec;
gpu_cp_execute gpu_cp_clear_state, gpu_cp_context_rmw, gpu_cp_load_context, gpu_cp_index_base,
    gpu_cp_index_count, gpu_cp_index_type, gpu_cp_num_instances;
gpu_cp_execute gpu_cp_draw_auto, gpu_cp_draw_index, gpu_cp_draw_index_offset, gpu_cp_draw_indirect,
    gpu_cp_draw_index_indirect, gpu_cp_draw_indirect_multi, gpu_cp_draw_index_indirect_multi,
    gpu_cp_write_zpass;

/* Records a fault of the packet that is being executed. */
gpu_cp_status
gpu_cp_fail(gpu_cp *cp, const char *format, ...);

/* The packet must wait, and has failed with the reason; it need not wait any more. */
gpu_cp_status
gpu_cp_wait(gpu_cp *cp);
void
gpu_cp_go_on(gpu_cp *cp);

/* The host's bytes at a GPU address, `size` of them in one buffer; NULL, with a fault, if they are
 * not mapped. `what` says what the packet does there: "reads", "writes". */
uint8_t *
gpu_cp_at(gpu_cp *cp, uint64_t address, uint64_t size, const char *what);

/* Reads and writes a number of 4 or 8 bytes. False, with a fault, if it is not mapped. */
bool
gpu_cp_read(gpu_cp *cp, uint64_t address, unsigned bytes, uint64_t *value);
bool
gpu_cp_write(gpu_cp *cp, uint64_t address, unsigned bytes, uint64_t value);

/* A copy, or a fill with a dword. */
typedef struct gpu_transfer {
    uint64_t from, to;
    uint64_t bytes;
    bool fills;   /* with the low half of `from` */
    bool nowhere; /* reads alone: a prefetch */
} gpu_transfer;

gpu_cp_status
gpu_cp_transfer(gpu_cp *cp, const gpu_transfer *t);

/* Does `value` stand in a relation to `reference`, by the number that waits have for it? */
bool
gpu_cp_holds(uint32_t function, uint64_t value, uint64_t reference);

/* A register by its byte address; 0, and nothing, for one outside the ranges. */
uint32_t
gpu_cp_register(const gpu_cp *cp, uint32_t address);
void
gpu_cp_set_register(gpu_cp *cp, uint32_t address, uint32_t value);

/* Sets registers of a range from memory: LOAD_*_REG. */
gpu_cp_status
gpu_cp_load_space(gpu_cp *cp, const gpu_packet *p, amd_hw_space space);

/* Leaves out the next `dwords` dwords of the stream. */
gpu_cp_status
gpu_cp_skip(gpu_cp *cp, uint32_t dwords);

#endif
