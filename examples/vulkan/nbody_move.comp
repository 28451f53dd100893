#version 450
// Moves the bodies by their velocities.
layout(local_size_x = 64) in;
struct body {
    vec4 place;
    vec4 velocity;
};
layout(std430, binding = 0) buffer bodies { body all[]; };
layout(push_constant) uniform constants { float time; float softening; };

void main()
{
    uint own = gl_GlobalInvocationID.x;
    all[own].place.xyz += time * all[own].velocity.xyz;
}
