/* Acceleration structures, and rays that meet nodes of their hierarchies (base/ray.h). */
#include "base/ray.h"

#include "ir/eval_internal.h"

static ev_step
exec_accel(ev_wave *w, const ev_instr *i)
{
    const ir_eval_env *env = w->g->env;
    EV_FOREACH_LANE(l, w) {
        const uint32_t handle = (uint32_t)ev_operand_get(w, &i->more[0], 0,
                                                         ev_handle_lane(w, i, l));
        if (!env->accel)
            return ev_fail(w, IR_EVAL_UNSUPPORTED, l, "there are no acceleration structures");
        ev_def_set(w, i, 0, l, env->accel(env->user, handle));
    }
    return EV_NEXT;
}

enum { HIERARCHY, NODE, RAY, FLAGS };

static base_ray
read_ray(const ev_wave *w, const ev_operand *o, unsigned lane)
{
    base_ray r;
    for (unsigned k = 0; k < 3; k++) {
        r.origin[k] = base_bits_f32((uint32_t)ev_operand_get(w, o, k, lane));
        r.direction[k] = base_bits_f32((uint32_t)ev_operand_get(w, o, 4 + k, lane));
    }
    r.tmin = base_bits_f32((uint32_t)ev_operand_get(w, o, 3, lane));
    r.tmax = base_bits_f32((uint32_t)ev_operand_get(w, o, 7, lane));
    return r;
}

static ev_step
exec_intersect(ev_wave *w, const ev_instr *i)
{
    const ir_eval_env *env = w->g->env;
    EV_FOREACH_LANE(l, w) {
        const uint64_t number = ev_operand_get(w, &i->more[NODE], 0, l);
        const uint64_t address = ev_operand_get(w, &i->more[HIERARCHY], 0, l) +
                                 number * BASE_NODE_BYTES;
        const base_ray ray = read_ray(w, &i->more[RAY], l);
        uint32_t node[BASE_NODE_BYTES / 4], out[5];
        const uint8_t *at = env->translate
                                ? env->translate(env->user, address, BASE_NODE_BYTES, false)
                                : NULL;
        if (!at)
            return ev_fail(w, IR_EVAL_BAD_ACCESS, l, "node %llu at address 0x%llx, not mapped",
                           (unsigned long long)number, (unsigned long long)address);
        base_read_node(at, node);
        base_ray_intersect(node, &ray, (uint32_t)ev_operand_get(w, &i->more[FLAGS], 0, l), out);
        for (unsigned c = 0; c < i->def.n; c++)
            ev_def_set(w, i, c, l, out[c]);
    }
    return EV_NEXT;
}

ev_exec *
ev_find_ray(unsigned op)
{
    switch (op) {
    case IR_load_accel_struct: return exec_accel;
    case IR_ray_intersect: return exec_intersect;
    default: return NULL;
    }
}
