#version 450
#extension GL_NV_conservative_raster_underestimation : require
// Says, where asked, of which pixels the triangle has all of the area (conservative.c).
layout(constant_id = 0) const bool asked = false;
layout(location = 0) out vec4 color;
void main() { color = asked && gl_FragFullyCoveredNV ? vec4(1, 0, 0, 1) : vec4(0, 1, 0, 1); }
