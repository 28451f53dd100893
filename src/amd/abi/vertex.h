/* Vertex shaders in lower_abi (internal to src/amd/abi): lower_vertex.c decides on the arguments
 * and replaces built-in values, fetch.c loads attributes, capture.c and capture_primitives.c are
 * transform feedback, lower_outputs.c makes exports of outputs, primitive_shader.c the frame of
 * NGG. */
#ifndef AMD_ABI_VERTEX_H
#define AMD_ABI_VERTEX_H

#include "amd/abi/abi.h"
#include "amd/registers/registers.h"
#include "family/pipeline.h"

/* What transform feedback captures of a vertex: numbers that one store_xfb has. */
typedef struct amd_abi_captured {
    uint8_t buffer, comps;
    uint32_t offset; /* bytes, from the vertex' place in the buffer */
    uint32_t place;  /* bytes, from the vertex' place in LDS (primitive shaders) */
} amd_abi_captured;

/* amd_abi.own of vertex shaders. Numbers of arguments are -1 if there is none. */
typedef struct amd_abi_vertex {
    const family_pipeline *pipeline;
    uint8_t *used; /* by value that load_input defines: components that are read, a bit each */
    bool uses_buffers, uses_vertex, uses_instance, uses_primitive_id;
    bool uses_base_vertex, uses_base_instance, uses_draw, uses_view, uses_ring;
    bool writes_memory;
    bool captures;
    uint32_t xfb_stride[AMD_HW_XFB_BUFFERS]; /* bytes; 0: nothing goes to the buffer */
    amd_abi_captured *captured;
    size_t n_captured, cap_captured;
    uint32_t captured_bytes; /* of a vertex, in LDS */
    uint32_t captured_at;    /* where they begin in LDS */
    int xfb_arg, xfb_config_arg, xfb_index_arg, xfb_offset_arg[AMD_HW_XFB_BUFFERS];
    int buffers_arg, base_vertex_arg, base_instance_arg, draw_arg, view_arg;
    int vertex_arg, instance_arg, primitive_id_arg;
    /* primitive shaders: */
    int primitive_arg, third_vertex_arg, wave_counts_arg, group_counts_arg;
    int ring_arg, ring_offset_arg;
    uint32_t primitive_ids; /* where the numbers of vertices' primitives are in LDS */
} amd_abi_vertex;

static inline amd_abi_vertex *
amd_abi_own_vertex(const amd_abi *a)
{
    return a->own;
}

/* VertexIndex, InstanceIndex. */
ir_ref
amd_abi_vertex_index(amd_abi *a);
ir_ref
amd_abi_instance_index(amd_abi *a);

/* An offset behind each captured buffer, also with an instruction's own. */
enum { AMD_XFB_OUTSIDE = INT32_MIN };

/* capture.c: notes what a store_xfb needs, declares its arguments, replaces it by a store, sets
 * the registers of streamout; the V# of a captured buffer, a store to it. */
void
amd_abi_scan_capture(amd_abi *a, const ir_instr *store_xfb);
void
amd_abi_declare_capture(amd_abi *a);
void
amd_abi_capture(amd_abi *a, ir_instr *store_xfb);
void
amd_abi_set_streamout(amd_abi *a);
ir_ref
amd_abi_captured_buffer(amd_abi *a, unsigned buffer);
void
amd_abi_store_captured(amd_abi *a, ir_ref value, ir_ref buffer, ir_ref at);

/* capture_primitives.c: room in LDS for what a group captures; puts it there. Fails with
 * TARGET_SELECT. */
void
amd_abi_reserve_captured(amd_abi *a);
void
amd_abi_keep_captured(amd_abi *a, const ir_instr *store_xfb);

/* fetch.c: the rate at which the location is read; the value of a load_input. Fails with
 * TARGET_SELECT. */
typedef enum amd_fetch_rate {
    AMD_FETCH_NONE,
    AMD_FETCH_VERTEX,
    AMD_FETCH_INSTANCE,
    AMD_FETCH_ANY, /* it is dynamic state */
} amd_fetch_rate;
amd_fetch_rate
amd_abi_fetch_rate(const amd_abi *a, const ir_instr *load_input);
bool
amd_abi_fetch_needs_id(const amd_abi *a, const ir_instr *load_input);
ir_ref
amd_abi_fetch(amd_abi *a, const ir_instr *load_input);

/* lower_outputs.c: replaces the stores of outputs by exports, and sets the registers that say of
 * them. */
void
amd_abi_lower_outputs(amd_abi *a);

/* primitive_shader.c: lets the vertices' lanes alone run the shader, behind what allocates and
 * exports primitives. */
void
amd_abi_frame_primitive_shader(amd_abi *a);

/* The number of the lane's primitive: hardware vertex shaders get it, primitive shaders take it
 * from LDS, where the lane of the primitive that the vertex provokes has put it. */
ir_ref
amd_abi_primitive_id(amd_abi *a);
void
amd_abi_reserve_primitive_ids(amd_abi *a);

/* Stores four components as parameter `number` of the lane's vertex. */
void
amd_abi_store_attribute(amd_abi *a, unsigned number, ir_ref value);

#endif
