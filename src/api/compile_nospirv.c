#include "api/compile.h"

ir_fn *
api_read_spirv(compiler *c)
{
    diag_fail(&c->s->diag, ERR_API_UNSUPPORTED, "SPIR-V, until its reader is in the tree;");
}
