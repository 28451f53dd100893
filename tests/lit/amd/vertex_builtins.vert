// REQUIRES: frontend
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX9 %s
// RUN: %heddle compile -t gfx1030 --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX10 %s
// RUN: echo '{"view_mask": 3}' > %t
// RUN: %heddle compile -t gfx1030 --pipeline %t --emit asm %s | %FileCheck --check-prefix=VIEWS %s
// RUN: echo '{"next": {"varyings": [{"location": 1, "components": 5}]}}' > %t
// RUN: %heddle compile -t gfx1030 --pipeline %t --emit asm %s | %FileCheck --check-prefix=LINKED %s

// What a draw adds to the hardware's numbers comes in user SGPRs. The number of the instance is in v1, from gfx10 on in v3. There is one view
// unless the pipeline has several, each of which draws into a layer. A next stage gets what it reads.
// CHECK: s0 base_vertex
// CHECK: s1 draw_id
// CHECK: s2 base_instance
// GFX9: v_add_u32_e32 v{{[0-9]+}}, s2, v1
// GFX10: v_add_nc_u32_e32 v{{[0-9]+}}, s2, v3
// CHECK: exp param0 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}
// CHECK: exp param1
// VIEWS: s3 view_index
// VIEWS: USE_VTX_RENDER_TARGET_INDX 1
// VIEWS: exp pos1 off, off, v{{[0-9]+}}, off done
// LINKED-NOT: location 0
// LINKED: param 0: location 1 xz
// LINKED-NOT: param 1
// LINKED: exp param0 v{{[0-9]+}}, off, v{{[0-9]+}}, off
#version 460
#extension GL_EXT_multiview : require
layout(location = 0) out ivec4 o;
layout(location = 1) out ivec4 p;

void main()
{
    gl_Position = vec4(0.0);
    o = ivec4(gl_VertexIndex, gl_InstanceIndex, gl_DrawID, gl_BaseVertex);
    p = ivec4(gl_BaseInstance, gl_ViewIndex, gl_VertexIndex, 7);
}
