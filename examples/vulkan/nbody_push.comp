#version 450
// Changes velocities by the gravity of all bodies.
layout(local_size_x = 64) in;
struct body {
    vec4 place; // and mass
    vec4 velocity;
};
layout(std430, binding = 0) buffer bodies { body all[]; };
layout(push_constant) uniform constants { float time; float softening; };

shared vec4 tile[64];

void main()
{
    uint own = gl_GlobalInvocationID.x;
    vec3 place = all[own].place.xyz, force = vec3(0);
    for (uint first = 0; first < all.length(); first += 64) {
        tile[gl_LocalInvocationIndex] = all[first + gl_LocalInvocationIndex].place;
        barrier();
        for (uint k = 0; k < 64; k++) {
            vec3 way = tile[k].xyz - place;
            float near = inversesqrt(dot(way, way) + softening);
            force += way * (tile[k].w * near * near * near);
        }
        barrier();
    }
    all[own].velocity.xyz += time * force;
}
