// REQUIRES: frontend
// RUN: %heddle compile -t gfx1201 --emit asm %s | %FileCheck %s
// RUN: %heddle compile -t gfx1201 --emit hir %s | sed "s/coherent/non_temporal/" | %heddle compile -t gfx1201 --emit asm --lang hir - | %FileCheck --check-prefix=NT %s

// Accesses name the scope in which they are coherent and a temporal hint; the scalar offset of a buffer is null, not 0; atomics keep
// their bit for a result.
// CHECK-DAG: buffer_load_b32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}], null offen{{( offset:[0-9]+)?$}}
// CHECK-DAG: buffer_load_b32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}], null offen{{.*}} scope:SCOPE_DEV
// CHECK-DAG: buffer_store_b32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}], null offen{{.*}} scope:SCOPE_DEV
// CHECK-DAG: buffer_atomic_add_u32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}], null offen{{.*}} th:TH_ATOMIC_RETURN{{$}}
// CHECK-DAG: buffer_atomic_or_b32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}], null offen{{( offset:[0-9]+)?$}}
// NT-DAG: buffer_load_b32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}], null offen{{.*}} th:TH_LOAD_NT{{$}}
// NT-DAG: buffer_store_b32 v{{[0-9]+}}, v{{[0-9]+}}, s[{{[0-9:]+}}], null offen{{.*}} th:TH_STORE_NT{{$}}
// Image instructions without a sampler have no bit for unnormalized addresses.
// CHECK-DAG: image_store v[{{[0-9:]+}}], [v{{[0-9]+}}, v{{[0-9]+}}], s[{{[0-9:]+}}] dmask:0xf dim:SQ_RSRC_IMG_2D{{$}}
// The address of constant data: the program counter has no upper bits.
// CHECK-DAG: s_sext_i32_i16
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer A { uint plain[]; };
layout(binding = 1) coherent buffer B { uint shown[]; };
layout(binding = 2, rgba32f) uniform image2D image;
const uint table[16] = uint[](3, 10000, 4, 1, 50000, 9, 2, 60000, 5, 3, 50000, 8, 90000, 7, 9, 30000);

void main()
{
    uint i = gl_LocalInvocationIndex;
    shown[i] = plain[i];
    plain[i + 64] = shown[i + 64] + table[i & 15u];
    plain[i + 128] = atomicAdd(plain[i + 192], i);
    atomicOr(plain[i + 256], i);
    imageStore(image, ivec2(i), vec4(1));
}
