/* The copy engines, SDMA: rings with packets of their own, which transfer queues use.
 *
 * An engine has the state of a command processor (streams, memory, hooks), of which it uses no
 * registers; gpu_cp_init and gpu_cp_start make it ready. A packet is a header, whose lowest bytes
 * are an operation and a part of it, and words in a fixed number but for data. Copies are over when
 * the next packet begins; who follows the order is told that only a NOP waits for them.
 *
 * Sources: Mesa's ac_cmdbuf_sdma.c and sid.h, the Linux kernel's sdma_v4_0.c to sdma_v7_0.c. Up to
 * gfx8, whose engines are older than version 4, nothing here is executed.
 */
#ifndef GPU_SDMA_SDMA_H
#define GPU_SDMA_SDMA_H

#include "base/buf.h"
#include "gpu/cp/cp.h"

/* Executes packets of a submission, of an engine whose version has major, minor and revision in a
 * byte each. Like gpu_cp_run. */
gpu_cp_status
gpu_sdma_run(gpu_cp *cp, uint32_t version);

/* Appends the packet as a line: its name, its header where that says more than the name, and the
 * fields that are not 0; then lines with the other words, as far as they are few. */
void
gpu_print_copy_packet(const gpu_copy_packet *p, base_buf *out);

#endif
