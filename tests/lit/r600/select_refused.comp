// Features that have operations of their own are named as shaders name them.
// REQUIRES: frontend
// RUN: not %heddle compile -t gfx1030 %s -o %t.elf 2>&1 | %FileCheck %s --check-prefix=RAY
// RUN: not %heddle compile -t cypress %s -o %t.elf 2>&1 | %FileCheck %s --check-prefix=RAY
// RUN: not %heddle compile -t cypress -DADDRESS %s -o %t.elf 2>&1 | %FileCheck %s --check-prefix=ADDRESS
#version 460
#extension GL_EXT_ray_query : require
#extension GL_EXT_buffer_reference : require
layout(buffer_reference) buffer Far { uint x; };
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer B { Far far; uint hits; };

// RAY: unsupported: {{gfx1030|cypress}} code for ray queries
// ADDRESS: unsupported: cypress code for stores at addresses of 64 bits
void
main()
{
#ifdef ADDRESS
    far.x = 3u;
#else
    rayQueryEXT q;
    rayQueryInitializeEXT(q, scene, 0u, 255u, vec3(0.0), 0.0, vec3(1.0), 1.0);
    hits = rayQueryProceedEXT(q) ? 1u : 0u;
#endif
}
