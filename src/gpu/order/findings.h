/* Conflicts between dispatches and packets, as findings. */
#ifndef GPU_ORDER_FINDINGS_H
#define GPU_ORDER_FINDINGS_H

#include "base/buf.h"
#include "gpu/order/order.h"
#include "machine/report.h"

/* The rule that a conflict breaks, by gpu_conflict.is_cached. */
const char *
gpu_conflict_rule(bool is_cached);

/* The finding of the later dispatch or draw, which has run as `d` in memory `m`. */
void
gpu_conflict_finding(const amd_emu_dispatch *d, const gpu_conflict *c, const mach_memory *m,
                     mach_finding *f);

/* Appends what a packet conflicts with, as a line without its end. */
void
gpu_print_conflict(amd_gen gen, const gpu_conflict *c, const mach_memory *m, base_buf *out);

#endif
