/* Texts with lines of `@`, as freedreno's computerator runs them: each @buf is a storage buffer,
 * which instructions name by its number, and whose address may be in a constant. */
#include "adreno/launch/launch.h"

#include "adreno/emu/desc/descriptor.h"
#include "adreno/isa/asm/asm.h"
#include "family/launch.h"

#include <string.h>

typedef struct text_launch {
    const ir_ctx *c;
    mach_memory *memory;
    const adreno_header *header;
    adreno_dispatch *dispatch;
    uint32_t *consts;
    family_text_buffers *out;
} text_launch;

static void
put_buffer(text_launch *l, uint32_t index, mach_region *table)
{
    const adreno_buf *b = &l->header->bufs[index];
    mach_region *r = family_allocate(l->c, l->memory, MACH_HEAP_LOW, 4 * (uint64_t)b->size,
                                     "buffer");
    const adreno_buffer_view view = {
        .address = r->base, .elements = b->size, .format = MACH_FORMAT_r32_uint};
    uint32_t words[ADRENO_TEXTURE_WORDS];
    for (uint32_t i = 0; i < b->n_words; i++)
        memcpy(r->host + 4 * (size_t)i, &b->words[i], 4);
    adreno_encode_buffer(&view, words);
    memcpy(table->host + (size_t)index * ADRENO_DESCRIPTOR_BYTES, words, sizeof words);
    if (b->address) {
        l->consts[b->address - 1] = (uint32_t)r->base;
        l->consts[b->address] = (uint32_t)(r->base >> 32);
    }
    l->out->list[l->out->n++] = r;
}

static void
put_consts(text_launch *l)
{
    const adreno_header *h = l->header;
    l->consts = ARENA_ARRAY(l->c->arena, ADRENO_EMU_CONSTS, uint32_t);
    for (uint32_t i = 0; i < h->n_constants; i++)
        l->consts[i] = h->constants[i];
    for (unsigned i = 0; i < 3 && h->num_workgroups; i++)
        l->consts[h->num_workgroups - 1 + i] = l->dispatch->groups[i];
    l->dispatch->consts = l->consts;
    l->dispatch->n_consts = ADRENO_EMU_CONSTS;
}

static void
set_state(text_launch *l)
{
    const adreno_header *h = l->header;
    adreno_dispatch *d = l->dispatch;
    for (unsigned i = 0; i < 3; i++)
        d->group_size[i] = h->local_size[i] ? h->local_size[i] : 1;
    d->local_id = h->invocation_id;
    d->workgroup_id = h->workgroup_id;
    d->local_bytes = h->local_bytes;
    d->private_bytes = h->private_bytes;
    d->branch_stack = h->branch_stack;
    d->early_preamble = h->early_preamble;
}

family_launch
adreno_launch_text(const ir_ctx *c, mach_memory *m, const family_assembly *job,
                   const family_dispatch *d, family_text_buffers *out)
{
    const adreno_chip *chip = job->target->own;
    text_launch l = {.c = c, .memory = m, .out = out};
    adreno_asm_unit *u = adreno_assemble_unit(c->diag, c->arena,
                                              adreno_isa_open(c->arena, chip->gen), job->options,
                                              (asm_text){job->text, job->size});
    asm_resolve(u->text);
    const base_buf *code = &u->text->sections[0].data;
    l.header = &u->header;
    l.dispatch = adreno_new_dispatch(c->arena, job->target, d);
    if (job->wave_size)
        l.dispatch->wave_size = job->wave_size;
    set_state(&l);
    put_consts(&l);
    mach_region *table = family_allocate(
        c, m, MACH_HEAP_LOW, (uint64_t)ADRENO_DESCRIPTOR_BYTES * ADRENO_MAX_BUFS, "descriptors");
    l.dispatch->buffers = table->base;
    l.dispatch->n_buffers = u->header.n_bufs;
    out->list = ARENA_ARRAY(c->arena, ADRENO_MAX_BUFS, mach_region *);
    for (uint32_t i = 0; i < u->header.n_bufs; i++)
        put_buffer(&l, i, table);
    l.dispatch->entry = family_put_code(c, m, code->data, code->size)->base;
    return (family_launch){.own = l.dispatch, .entry = l.dispatch->entry};
}
