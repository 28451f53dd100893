// A Shadertoy: the lower left quarter shows iChannel0, others show uniforms; y grows upwards.
void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 half_size = iResolution.xy / 2.0;
    bool right = fragCoord.x > half_size.x, upper = fragCoord.y > half_size.y;
    vec3 color = texture(iChannel0, fragCoord / half_size).rgb;
    if (right && !upper)
        color = vec3(iTime, float(iFrame) / 255.0, iFrameRate / 255.0);
    if (!right && upper)
        color = vec3(iMouse.xy / 255.0, iResolution.z);
    if (right && upper)
        color = vec3(iChannelResolution[0].xy / 255.0, dFdy(fragCoord.y));
    fragColor = vec4(color, 0.0);
}
