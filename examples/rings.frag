// A Shadertoy: lit spheres over a chequered floor, found by marching along rays. heddle render examples/rings.frag
float scene(vec3 p) {
    vec3 q = vec3(mod(p.x + 2.0, 4.0) - 2.0, p.y, mod(p.z, 4.0) - 2.0);
    float ring = length(vec2(length(q.xy) - 1.0, q.z)) - 0.3;
    return min(ring, p.y + 1.3);
}

vec3 normal_at(vec3 p) {
    vec2 e = vec2(0.001, 0.0);
    return normalize(vec3(scene(p + e.xyy) - scene(p - e.xyy), scene(p + e.yxy) - scene(p - e.yxy),
                          scene(p + e.yyx) - scene(p - e.yyx)));
}

void mainImage(out vec4 color, in vec2 at) {
    vec2 uv = (2.0 * at - iResolution.xy) / iResolution.y;
    vec3 eye = vec3(0.6 * sin(iTime), 0.3, iTime), ray = normalize(vec3(uv, 1.6));
    float t = 0.0, d = 1.0;
    for (int i = 0; i < 96 && d > 0.001 && t < 40.0; i++) {
        d = scene(eye + t * ray);
        t += d;
    }
    vec3 sky = mix(vec3(0.9, 0.7, 0.5), vec3(0.2, 0.4, 0.8), clamp(uv.y + 0.4, 0.0, 1.0));
    vec3 p = eye + t * ray, n = normal_at(p), sun = normalize(vec3(0.5, 0.8, -0.4));
    float tile = mod(floor(p.x) + floor(p.z), 2.0);
    vec3 own = p.y < -1.29 ? vec3(0.3 + 0.4 * tile) : vec3(0.9, 0.3 + 0.3 * sin(p.z), 0.2);
    float light = 0.2 + 0.8 * max(dot(n, sun), 0.0) + pow(max(dot(reflect(ray, n), sun), 0.0), 32.0);
    color = vec4(mix(own * light, sky, smoothstep(8.0, 40.0, t)), 1.0);
}
