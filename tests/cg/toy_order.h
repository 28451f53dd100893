/* Random orders that the scheduling graph allows, and bundles of what it lets share a cycle. */
#ifndef TEST_TOY_ORDER_H
#define TEST_TOY_ORDER_H

#include "toy.h"

#include "cg/schedule_graph.h"

/* Puts the instructions of each block, or of parts of it, in a random order: a list scheduler that
 * draws from the ready list, forwards or backwards. On SSA it needs liveness, and checks the
 * graph's demand against what cg_find_live finds in the new order; fails with ERR_INTERNAL if they
 * differ. toy_program.random selects the order. */
void
toy_reorder(ir_fn *f);

/* Fails with ERR_INTERNAL if demand and kill flags are not those that cg_find_live finds. */
void
toy_check_demand(ir_fn *f);

/* Schedules by cg_schedule, as a machine on which loads take long; checks the demand and its bound.
 * On SSA with liveness. */
void
toy_schedule(ir_fn *f);

/* Lowers the demand by cg_lower_demand, checks that it comes to its bound or stays as it is. Of
 * toy_program.random bit 0 is the bank, the next three by how many units, the next ones whether
 * loads are to be early, and whether less is of use if it is not enough. */
void
toy_lower_demand(ir_fn *f);

/* Schedules code in registers by cg_schedule_window. */
void
toy_schedule_window(ir_fn *f);

/* The same by cg_schedule_delays: instructions whose results are neighbours are cheaper together. */
void
toy_schedule_delays(ir_fn *f);

/* Makes bundles, at random: a cycle is a bundle, and each is filled from the ready list. For code
 * that is no longer in SSA form. */
void
toy_make_bundles(ir_fn *f);

/* Latencies of a machine whose bundles are its cycles: what is written may be read in the next one,
 * and what is read may be written in the same. */
unsigned
toy_latency(const void *user, const ir_instr *from, const ir_instr *to, cg_dep_kind kind,
            unsigned ref);

#endif
