/* The metadata note of a code object: conversion between MessagePack and the model of a kernel. */
#ifndef AMD_OBJECT_NOTES_H
#define AMD_OBJECT_NOTES_H

#include "amd/object/object.h"
#include "object/pack.h"

/* The hardware stage that runs the shader, as in PAL's notes (".cs"), and its entry symbol
 * ("_amdgpu_cs_main"). */
const char *
amd_obj_hardware_stage(const obj_code *code);
const char *
amd_obj_entry_symbol(const obj_code *code);

/* Appends the MessagePack of `code`'s ABI. */
void
amd_obj_write_notes(const obj_code *code, base_buf *out);

/* A kernel that is being read: the model, and the family's part of it, which `code->own` points
 * to. */
typedef struct amd_obj_kernel {
    obj_code *code;
    amd_obj_state *state;
} amd_obj_kernel;

/* Fills in `out` from a pipeline's map (vulkan) or a kernel's map (hsa), and from the `.heddle` map
 * (NULL if another compiler made the object). The caller sets the machine code and the values from
 * the kernel descriptor. Fails with OBJECT_BAD_METADATA. */
void
amd_obj_read_pipeline(diag *d, arena *a, const pack_value *pipeline, const pack_value *heddle,
                      amd_obj_kernel out);
void
amd_obj_read_kernel(diag *d, arena *a, const pack_value *kernel, const pack_value *heddle,
                    amd_obj_kernel out);

#endif
