/* The metadata note of a code object: conversion between MessagePack and obj_code. */
#ifndef OBJECT_NOTES_H
#define OBJECT_NOTES_H

#include "object/object.h"
#include "object/pack.h"

/* The hardware stage that runs a shader stage, as in PAL's notes ("cs"), and its entry symbol
 * ("_amdgpu_cs_main"). */
const char *
notes_hardware_stage(obj_stage stage);
const char *
notes_entry_symbol(obj_stage stage);

/* Appends the MessagePack of `code`'s ABI. */
void
notes_write(const obj_code *code, base_buf *out);

/* Fills in `out` from a pipeline's map (vulkan) or a kernel's map (hsa), and from the `.heddle` map
 * (NULL if another compiler made the object). The caller sets the machine code and the values from
 * the kernel descriptor. Fails with OBJECT_BAD_METADATA. */
void
notes_read_pipeline(diag *d, arena *a, const pack_value *pipeline, const pack_value *heddle,
                    obj_code *out);
void
notes_read_kernel(diag *d, arena *a, const pack_value *kernel, const pack_value *heddle,
                  obj_code *out);

#endif
