/* What the text of an HLSL shader says of its resources, and what glslang does not carry into SPIR-V. */
#ifndef HLSL_NAMES_H
#define HLSL_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A declared resource. */
typedef struct hlsl_resource {
    const char *name; /* in the text, not terminated */
    size_t size;
    bool is_bytes; /* ByteAddressBuffer, RWByteAddressBuffer */
    bool is_bound; /* by [[vk::binding(binding, set)]] */
    bool has_set;
    uint32_t binding, set;
} hlsl_resource;

typedef struct hlsl_names {
    hlsl_resource *items; /* malloc'd */
    size_t count, room;
    bool has_loose_push; /* [[vk::push_constant]] before what is no cbuffer or ConstantBuffer */
} hlsl_names;

/* Finds the declarations of byte address buffers and of what has attributes of Vulkan, in text that
 * is already preprocessed; the result points into it. Returns false if there is no memory. */
bool
hlsl_find_names(const char *text, size_t size, hlsl_names *out);

void
hlsl_free_names(hlsl_names *names);

#endif
