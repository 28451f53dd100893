// What the kernels in GLSL share: buffers that are passed as addresses, as OpenCL's are.
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_8bit_storage : require
#define IN(name, type, align) layout(buffer_reference, std430, buffer_reference_align = align) readonly restrict buffer name { type at[]; }
#define OUT(name, type, align) layout(buffer_reference, std430, buffer_reference_align = align) restrict buffer name { type at[]; }
IN(in_f32, float, 4);
IN(in_f32x2, vec2, 8);
IN(in_f32x4, vec4, 16);
IN(in_u32, uint, 4);
IN(in_i32, int, 4);
IN(in_u32x4, uvec4, 16);
IN(in_u8, uint8_t, 1);
IN(in_u8x4, u8vec4, 4);
IN(in_i8x4, i8vec4, 4);
IN(in_f16x2, f16vec2, 4);
OUT(out_f32, float, 4);
OUT(out_f32x2, vec2, 8);
OUT(out_f32x4, vec4, 16);
OUT(out_u32, uint, 4);
OUT(out_i32, int, 4);
OUT(out_u32x4, uvec4, 16);
OUT(out_u8, uint8_t, 1);
OUT(out_u8x4, u8vec4, 4);
OUT(out_f16x2, f16vec2, 4);
#define LID_X gl_LocalInvocationID.x
#define LID_Y gl_LocalInvocationID.y
#define GROUP_X gl_WorkGroupID.x
#define GROUP_Y gl_WorkGroupID.y
#define ROTATE_LEFT(x, n) ((x) << (n) | (x) >> (32 - (n)))
