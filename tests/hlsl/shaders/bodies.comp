#version 450
layout(local_size_x = 32) in;
struct Body { vec4 place, speed; };
layout(std140, binding = 0) uniform Step { float dt; uint count; float softening; };
layout(std430, binding = 1000) readonly buffer F { Body from[]; };
layout(std430, binding = 2000) buffer T { Body to[]; };
void main()
{
    Body b = from[gl_GlobalInvocationID.x];
    vec3 force = vec3(0);
    for (uint k = 0; k < count; k++) {
        vec3 d = from[k].place.xyz - b.place.xyz;
        float inverse = inversesqrt(dot(d, d) + softening);
        force += d * (from[k].place.w * inverse * inverse * inverse);
    }
    b.speed.xyz += force * dt;
    b.place.xyz += b.speed.xyz * dt;
    to[gl_GlobalInvocationID.x] = b;
}
