#version 450
layout(local_size_x = 1) in;
layout(std140, binding = 0) uniform K { vec3 a; vec3 b; vec4 p; vec4 q; };
layout(std430, binding = 2000) buffer O { float result[]; };
void main()
{
    uint n = 0;
    vec3 x = cross(a, b), r = reflect(a, normalize(b)), f = refract(normalize(a), normalize(b), 0.5), ff = faceforward(a, b, a);
    float all_of[25] = {dot(a, b), x.x, x.y, length(a), distance(a, b), normalize(b).y, r.z, f.x, ff.y, 1, p.y * q.y, p.z, q.w, 1, 0.5, 0.25, 1, 0, 0,
        float(any(greaterThan(a, vec3(2)))), float(all(greaterThan(a, vec3(2)))), max(a, b).x, max(a, b).y, float(a.x > 1 && b.x > 1),
        float(a.z > 1 && b.z > 1)};
    for (n = 0; n < 25; n++)
        result[n] = all_of[n];
}
