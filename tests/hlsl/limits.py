"""What shaderc's HLSL front end (glslang 11.13 and 12.0, of Debian 12) does not read, and what it translates wrongly: the rows of the tables in
docs/hlsl.md. LIMITS are refused, each with a message. WRONG give a module whose results are not HLSL's: `right` is what HLSL asks for. A row
that no longer fails is a failure of the test, so that the tables stay true."""
import dataclasses

from case import bits

BUFFER = "RWStructuredBuffer<float> o : register(u0);\n"
HEAD = "[numthreads(4, 1, 1)] void main(uint3 t : SV_DispatchThreadID) { float x = t.x; uint u = t.x; "


@dataclasses.dataclass
class Limit:
    what: str
    text: str
    message: str  # a part of the message


@dataclasses.dataclass
class Wrong:
    what: str
    text: str
    right: int  # the first word of o


def body(what, code, message, before=""):
    return Limit(what, BUFFER + before + HEAD + code + " }\n", message)


def value(what, code, message):
    return body(what, f"o[t.x] = {code};", message)


LIMITS = [
    value("64-bit integers: uint64_t", "(float)((uint64_t)u * 2)", "unsupported construction"),
    value("64-bit integers: int64_t", "(float)(int64_t)u", "unsupported construction|unknown variable|Expected"),
    body("16-bit types: float16_t", "float16_t h = 1; o[t.x] = h;", "float16_t"),
    body("16-bit types: uint16_t", "uint16_t h = 1; o[t.x] = h;", "uint16_t"),
    body("templates", "o[t.x] = twice(1.5f);", "Reserved word", "template<typename T> T twice(T v) { return v + v; }\n"),
    body("Load<T> and Store<T>", "o[t.x] = raw.Load<float4>(0).x;", "no such field", "RWByteAddressBuffer raw : register(u1);\n"),
    body("enum", "o[t.x] = E::B;", "Reserved word", "enum E { A, B };\n"),
    body("namespace with variables", "o[t.x] = N::f();", "unknown variable", "namespace N { static const uint k = 4; uint f() { return k; } }\n"),
    body("inheritance of structs", "B b; b.x = 1; o[t.x] = b.x;", "no such field", "struct A { uint x; }; struct B : A { uint y; };\n"),
    value("select", "select(bool2(u > 1, u > 2), float2(1, 2), float2(3, 4)).x", "no matching overloaded function"),
    body("and, or of vectors", "o[t.x] = and(bool2(u > 1, u > 2), true).x;", "no matching overloaded function"),
    value("WaveMatch", "WaveMatch(u).x", "no matching overloaded function"),
    value("dot4add_u8packed, pack_u8", "dot4add_u8packed(u, u, 1)", "no matching overloaded function"),
    value("asuint of a double", "asuint((double)x, u, u)", "no matching overloaded function|cannot"),
    body("NonUniformResourceIndex, unbounded arrays", "o[t.x] = images[NonUniformResourceIndex(u)].Load(int3(0, 0, 0)).x;",
         "no matching overloaded function", "Texture2D<float4> images[] : register(t0);\n"),
    body("arrays of structured buffers", "many[u][0] = 1;", "left of '\\['", "RWStructuredBuffer<float> many[3] : register(u4);\n"),
    body("a matrix with a layout in a template", "o[t.x] = m[0][0][0];", "Expected", "StructuredBuffer<row_major float2x2> m : register(t0);\n"),
    value("matrices of one row or column", "mul(float1x3(1, 2, 3), float3x1(1, 2, 3))", "cannot construct"),
    body("swizzles of matrices with several components", "float2x3 m = (float2x3)x; o[t.x] = m._m00_m11.y;", "defined more than once"),
    body("a part of a texel written", "image[t.xy].x = 3;", "partial image updates", "RWTexture2D<float2> image : register(u4);\n"),
    body("GatherCmp", "o[t.x] = d.GatherCmp(s, 0.5, 0.5).x;", "Image Operand Bias",
         "Texture2D<float> d : register(t0); SamplerComparisonState s : register(s0);\n"),
    body("atomic operations of a byte address buffer with signed numbers", "raw.InterlockedCompareExchange(8, 0, 1, u); o[t.x] = u;",
         "AtomicCompareExchange", "RWByteAddressBuffer raw : register(u1);\n"),
    value("ldexp", "ldexp(x, 3)", "Ldexp"),
    value("abs and sign of matrices", "abs(float2x2(1, -2, x, 4))._m01", "FAbs"),
    body("mad of integers", "int n = t.x; o[t.x] = mad(n, 2, 3);", "Fma"),
    body("modf with an integer", "int n; o[t.x] = modf(x, n);", "Modf"),
    body("frexp with an integer (crashes glslang)", "int e; o[t.x] = frexp(x, e);", "crashes"),
    value("msad4 (crashes glslang)", "msad4(u, uint2(1, 2), uint4(0, 0, 0, 0)).x", "crashes"),
    value("CheckAccessFullyMapped (crashes glslang)", "CheckAccessFullyMapped(u)", "crashes"),
    body("a push constant that is not a ConstantBuffer", "o[t.x] = push.a;", "ConstantBuffer", "struct P { float a; }; [[vk::push_constant]] P push;\n"),
]

WRONG = [
    Wrong("* of matrices multiplies them as mul does, and not by component",
          BUFFER + HEAD + "float2x2 m = float2x2(1, 2, 3, 4 + x); float2x2 p = m * m; o[t.x] = p[0][1]; }", bits(4.0)),
    Wrong("lit multiplies the second and third argument, in place of a power",
          BUFFER + HEAD + "o[t.x] = lit(1 + x, 0.5, 3).z; }", bits(0.125)),
    Wrong("fmod of two constants has the sign of the second (of values it is right)", BUFFER + HEAD + "o[t.x] = fmod(-5.5f, 2.0f); }", bits(-1.5)),
    Wrong("% of two constant floats gives the first (of values it is right)", BUFFER + HEAD + "o[t.x] = -5.5f % 2.0f; }", bits(-1.5)),
    Wrong("a member behind an array in a constant buffer begins a new register",
          "cbuffer K : register(b0) { float a[2]; float b; };" + BUFFER + HEAD + "o[t.x] = b; }", bits(20.0)),
    Wrong("elements of structured buffers are aligned as std430 does",
          "struct S { float3 a; float2 b; }; StructuredBuffer<S> s : register(t0);\n" + BUFFER + HEAD + "o[t.x] = s[0].b.x; }", bits(3.0)),
]
