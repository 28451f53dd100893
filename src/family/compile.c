#include "family/compile.h"

#include "base/map.h"
#include "family/listing.h"

#include <inttypes.h>
#include <stdio.h>

enum { ID_BYTES = 17 };

static void
make_id(const ir_fn *f, char id[ID_BYTES])
{
    base_buf text = buf_make(f->ctx->scratch);
    ir_print(f, 0, &text);
    snprintf(id, ID_BYTES, "%016" PRIx64, base_hash_text((const char *)text.data, text.size));
}

/* Without notes of its own a family's code is its bytes alone. */
static void
put_code(const ir_ctx *c, const family_target *t, base_buf *bytes, obj_code *code)
{
    const family_objects *objects = family_objects_of(t);
    if (objects->replace_code) {
        objects->replace_code(c, t, bytes, code);
        return;
    }
    code->code = bytes->data;
    code->code_size = code->data_offset = (uint32_t)bytes->size;
    code->n_lines = 0;
}

static void
override(const ir_ctx *c, const family_request *r, const char *id, obj_code *code)
{
    const family_target *t = r->target;
    size_t size = 0;
    const char *text = r->find_code(r->find_user, id, &size);
    if (!text)
        return;
    family_need(c->diag, t, family_isa_of(t)->assemble, "assembling");
    const diag_loc loc = c->diag->loc;
    c->diag->loc = (diag_loc){.file = arena_printf(c->arena, "%s.asm", id)};
    const asm_options options = {.is_code = true};
    const family_assembly job = {
        .target = t, .text = text, .size = size, .wave_size = code->wave_size, .options = &options};
    base_buf *bytes = ARENA_NEW(c->arena, base_buf);
    *bytes = buf_make(c->arena);
    t->family->isa->assemble(c, &job, bytes);
    put_code(c, t, bytes, code);
    c->diag->loc = loc;
}

/* The id is a comment for the assembler, so that the text can become ID.asm. */
static void
print(const ir_ctx *c, const family_request *r, const char *id, const obj_code *code)
{
    base_buf text = buf_make(c->arena);
    buf_printf(&text, "// shader %s\n", id);
    family_print_shader(c, r->target, code, (family_text){0}, &text);
    buf_put(&text, "", 1);
    r->run->printed(r->run->user, "disasm", (const char *)text.data, text.size - 1);
}

void
family_compile(ir_fn *hir, const family_request *r, family_binary *out)
{
    const ir_ctx *c = hir->ctx;
    const bool prints = r->prints_code && r->run->printed;
    char id[ID_BYTES] = "";
    if (prints || r->find_code)
        make_id(hir, id);
    family_apply_link(hir, r->pipeline);
    r->target->family->compiler->compile(hir, r, out);
    if (r->run->stopped || r->phase)
        return;
    if (r->find_code)
        override(c, r, id, &out->code);
    if (prints)
        print(c, r, id, &out->code);
}
