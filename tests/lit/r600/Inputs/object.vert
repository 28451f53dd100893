#version 450
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) in vec4 p;
layout(location = 3) out vec2 o;
out float gl_ClipDistance[3];
void main() {
  gl_Position = p;
  gl_ClipDistance[0] = p.x;
  gl_ClipDistance[1] = p.y;
  gl_ClipDistance[2] = p.z;
  gl_Layer = gl_InstanceIndex;
  o = p.zw;
}
