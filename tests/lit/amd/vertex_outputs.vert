// REQUIRES: frontend
// RUN: %heddle compile -t gfx803 --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX8 %s
// RUN: %heddle compile -t gfx900 --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX9 %s
// RUN: %heddle compile -t gfx1010 --emit asm %s | %FileCheck --check-prefixes=CHECK,GFX9,GFX10 %s
// RUN: %heddle compile -t gfx1010 --emit lower_abi %s | %FileCheck --check-prefix=HIR %s

// Positions have no gaps between them, the last one is done: the position, then point size, layer and viewport, whose indices share a
// component from gfx9 on, then clip and cull distances in one array. gfx10 sets the mask of valid lanes. Parameters follow by location,
// then viewport and distances, which fragment shaders may read; the hardware tells them the layer.
// CHECK: PA_CL_VS_OUT_CNTL = 0x16d0403
// CHECK: param 0: location 2 xy
// CHECK-NEXT: param 1: location 5 y
// CHECK-NEXT: param 2: viewport_index 0 x
// CHECK-NEXT: param 3: clip_distance 0 xy
// CHECK-NEXT: param 4: cull_distance 0 x
// GFX10: exp pos0 {{.*}} vm
// GFX9: v_lshl
// GFX8: exp pos1 v{{[0-9]+}}, off, v{{[0-9]+}}, v{{[0-9]+}}
// GFX9: exp pos1 v{{[0-9]+}}, off, v{{[0-9]+}}, off
// CHECK: exp pos2 v{{[0-9]+}}, v{{[0-9]+}}, v{{[0-9]+}}, off done
// CHECK: exp param1 off, v{{[0-9]+}}, off, off
// HIR: hw_stage: vs
// HIR: set_reg: address=
// HIR: param: slot=clip_distance components=3
// HIR: @export_amd ({{%[0-9]+}}) (base=524, wrmask=xyzw)
#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) in vec4 a;
layout(location = 2) out vec2 first;
layout(location = 5, component = 1) out float second;
out gl_PerVertex {
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[2];
    float gl_CullDistance[1];
};

void main()
{
    gl_Position = a;
    gl_PointSize = a.x;
    gl_Layer = int(a.y);
    gl_ViewportIndex = int(a.z);
    gl_ClipDistance[0] = a.x;
    gl_ClipDistance[1] = a.y;
    gl_CullDistance[0] = a.w;
    first = a.zw;
    second = a.x + a.y;
}
