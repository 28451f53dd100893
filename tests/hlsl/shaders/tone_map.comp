#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 8, local_size_y = 4) in;
layout(binding = 1000) uniform texture2D scene;
layout(binding = 2000, rgba8) uniform writeonly image2D screen;
layout(std140, binding = 0) uniform Settings { float exposure; bool invert; };
void main()
{
    ivec2 t = ivec2(gl_GlobalInvocationID.xy);
    vec3 color = texelFetch(scene, t, 0).rgb * exposure;
    color = color / (color + 1);
    if (invert)
        color = 1 - color;
    imageStore(screen, t, vec4(color.gbr, 1));
}
