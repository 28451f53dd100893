#version 450
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(binding = 2000, r32f) uniform image1D line;
layout(binding = 2001, rgba32f) uniform image2D image;
layout(binding = 2002, r32ui) uniform uimage3D volume;
void main()
{
    ivec3 t = ivec3(gl_GlobalInvocationID), s = imageSize(volume);
    ivec2 size = imageSize(image);
    uint old = imageLoad(volume, t).x;
    imageStore(volume, t, uvec4(old * 3 + size.x + s.x));
    if (t.z == 0)
        imageStore(image, t.xy, imageLoad(image, t.xy).wxyz + vec4(t.xy, size.y, s.z));
    if (t.y == 0 && t.z == 0)
        imageStore(line, t.x, imageLoad(line, t.x) * 2);
}
