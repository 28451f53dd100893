/* Switches, limits and results of compilers. */
#include "family/compiler.h"

#include <string.h>

const char *
family_read_switch(const family_switch *list, const char *word, uint32_t *bits)
{
    for (; list->word; list++) {
        if (strcmp(list->word, word) == 0) {
            *bits |= list->bit;
            return NULL;
        }
    }
    return "there is no debug switch '%.40s'";
}

void
family_check_group(const ir_fn *hir, const family_target *t, uint32_t most_shared)
{
    enum { MAX_INVOCATIONS = 1024 };
    const uint32_t *size = hir->shader.workgroup_size, shared = hir->shader.shared_size;
    const unsigned long long items = (unsigned long long)size[0] * size[1] * size[2];
    diag *d = hir->ctx->diag;
    if (items > MAX_INVOCATIONS)
        diag_fail(d, ERR_TARGET_LIMIT, items, "invocations", t->name, (unsigned)MAX_INVOCATIONS);
    if (shared > most_shared)
        diag_fail(d, ERR_TARGET_LIMIT, (unsigned long long)shared, "bytes of shared memory",
                  t->name, (unsigned)most_shared);
}

obj_code
family_describe_code(const family_request *r, const ir_shader *s, const base_buf *code)
{
    static const obj_stage stages[] = {[IR_STAGE_COMPUTE] = OBJ_STAGE_COMPUTE,
                                       [IR_STAGE_VERTEX] = OBJ_STAGE_VERTEX,
                                       [IR_STAGE_FRAGMENT] = OBJ_STAGE_FRAGMENT};
    const uint32_t *size = s->workgroup_size;
    return (obj_code){.target = r->target->name,
                      .abi = r->abi,
                      .stage = stages[s->stage],
                      .name = r->name,
                      .code = code->data,
                      .code_size = (uint32_t)code->size,
                      .data_offset = (uint32_t)code->size,
                      .push_size = s->push_constant_size,
                      .workgroup_size = {size[0], size[1], size[2]}};
}

uint32_t
family_count_elements(const void *user, const ir_fn *f, const ir_instr *index)
{
    enum { MOST = 48 };
    const family_elements *e = user;
    const family_binding *b = family_find_binding(e->layout, ir_attr_get(index, IR_A_DESC_SET),
                                                  ir_attr_get(index, IR_A_BINDING));
    if (b && b->count > MOST) {
        ir_locate(f, index->loc);
        diag_fail(f->ctx->diag, ERR_TARGET_SELECT, e->target,
                  "arrays of more than 48 resources whose elements are chosen at run time");
    }
    return b && b->count ? b->count : FAMILY_UNSIZED_ELEMENTS;
}

const char *
family_feature_of(const ir_fn *hir, const ir_instr *i)
{
    switch (i->op) {
    case IR_load_accel_struct:
    case IR_ray_intersect: return "ray queries";
    case IR_load_global: return "loads at addresses of 64 bits";
    case IR_store_global: return "stores at addresses of 64 bits";
    case IR_global_atomic:
    case IR_global_atomic_swap: return "atomics at addresses of 64 bits";
    default: return hir->level->ops[i->op].name;
    }
}
