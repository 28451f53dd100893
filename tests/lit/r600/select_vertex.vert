#version 450
// RUN: %heddle compile -t cypress --emit tree %s | %FileCheck %s
// RUN: %heddle compile -t cypress --emit tree --pipeline %S/Inputs/vertices.json %s | %FileCheck %s --check-prefix=STATE
// Attributes are fetched by the shader; without a pipeline's state a location has a binding of its own, with four numbers. R0.x and R0.w have the numbers of
// vertex and instance. Positions: 60, then point size and others, then distances; each type's last export is EXPORT_DONE.
layout(location = 0) in vec4 place;
layout(location = 1) in vec2 number;
layout(location = 0) out vec2 sum;
layout(location = 3) out float index;
out gl_PerVertex
{
    vec4 gl_Position;
    float gl_PointSize;
    float gl_ClipDistance[2];
};

// CHECK: input: [[V:%[0-9]+]] R0.x
// CHECK: input: [[INSTANCE:%[0-9]+]] R0.w
// CHECK: "VFETCH R0.xyzw, R0.x, b64 TYPE(NO_INDEX) MEGA FMT(32_32_32_32) NUM(INT) NO_ZERO BYTES(16)" {{.}}[[V]], _, _, _]
// CHECK: "VFETCH R0.xy__, R0.x, b65 TYPE(NO_INDEX) MEGA FMT(32_32) NUM(INT) NO_ZERO BYTES(8)" {{.}}[[V]], _, _, _]
// CHECK: = ADD_INT [[INSTANCE]], CB0[0].y
// CHECK: flow "EXPORT POS[60], R0.xxxx ELEM(4)"
// CHECK-NEXT: flow "EXPORT POS[61], R0.x___ ELEM(4)"
// CHECK-NEXT: flow "EXPORT_DONE POS[62], R0.xx__ ELEM(4)"
// CHECK: flow "EXPORT PARAM[1], R0.xx__ ELEM(4)"
// CHECK-NEXT: flow "EXPORT_DONE PARAM[2], R0.x___ ELEM(4)"

// Three bytes are fetched one by one; an instance's element is its number divided by 3. The next stage reads location 0 alone.
// STATE: = MULHI_UINT {{.*}}, 0x55555556
// STATE: b66 TYPE(NO_INDEX) MEGA FMT(8)"
// STATE: b66 TYPE(NO_INDEX) MEGA FMT(8) OFFSET(1)"
// STATE: b66 TYPE(NO_INDEX) MEGA FMT(8) OFFSET(2)"
// STATE: b67 TYPE(NO_INDEX) MEGA FMT(2_10_10_10)
// STATE: flow "EXPORT_DONE PARAM[0], R0.xx__ ELEM(4)"
void main()
{
    gl_Position = place;
    sum = number + float(gl_InstanceIndex);
    index = float(gl_VertexIndex);
    gl_PointSize = place.x;
    gl_ClipDistance[0] = place.y;
    gl_ClipDistance[1] = place.z;
}
