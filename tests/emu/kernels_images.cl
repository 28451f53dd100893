/* Kernels of images: loads, stores, samples and atomics, in inline assembly, since clang has no built-ins for them. A T# is 8 dwords in
 * memory, an S# 4. At -O0 clang keeps them in VGPRs, so they are copied to SGPRs here. The assembly contains its own waits. */
#if !defined __gfx908__ && !defined __gfx90a__ && !defined __gfx942__
#define IMAGES                                                                                     \
    const constant uint *words, const constant uint *bytes, const constant uint *zeros, const constant uint *nearest

#ifdef __GFX12__
#define AT          "[%[x], %[y]]"
#define PLACE(u, v) [x] "v"(u), [y] "v"(v)
#define DIM         " dim:SQ_RSRC_IMG_2D"
#define UNORM       DIM
#define IMAGE_ADD   "image_atomic_add_uint"
#define RETURNED    " th:TH_ATOMIC_RETURN"
#define WAIT_LOAD   "\n s_wait_loadcnt 0x0"
#define WAIT_SAMPLE "\n s_wait_samplecnt 0x0"
#define WAIT_STORE  "\n s_wait_storecnt 0x0"
#else
#define AT          "%[xy]"
#define PLACE(x, y) [xy] "v"((uint2)(x, y))
#define UNORM       DIM " unorm"
#define IMAGE_ADD   "image_atomic_add"
#define RETURNED    " glc"
#define WAIT_LOAD   "\n s_waitcnt vmcnt(0)"
#define WAIT_SAMPLE WAIT_LOAD
#if defined __GFX10__ || defined __GFX11__
#define DIM        " dim:SQ_RSRC_IMG_2D"
#define WAIT_STORE "\n s_waitcnt_vscnt null, 0x0"
#else
#define DIM        ""
#define WAIT_STORE "\n s_waitcnt vmcnt(0) expcnt(0)"
#endif
#endif

/* The T# in s[40:47], the S# in s[48:51], with the wait states between vector writes of SGPRs and their reads. */
#define READ_LANE(s, v) "v_readfirstlane_b32 " s ", %[" v "]\n "
#define READ_T                                                                                     \
    READ_LANE("s40", "t0") READ_LANE("s41", "t1") READ_LANE("s42", "t2") READ_LANE("s43", "t3")    \
    READ_LANE("s44", "t4") READ_LANE("s45", "t5") READ_LANE("s46", "t6") READ_LANE("s47", "t7") "s_nop 4\n "
#define READ_S READ_LANE("s48", "s0") READ_LANE("s49", "s1") READ_LANE("s50", "s2") READ_LANE("s51", "s3")
#define T_WORDS(t)                                                                                 \
    [t0] "v"(t[0]), [t1] "v"(t[1]), [t2] "v"(t[2]), [t3] "v"(t[3]), [t4] "v"(t[4]), [t5] "v"(t[5]), [t6] "v"(t[6]), [t7] "v"(t[7])
#define S_WORDS(s) [s0] "v"(s[0]), [s1] "v"(s[1]), [s2] "v"(s[2]), [s3] "v"(s[3])
#define CLOBBERS   "memory", "s40", "s41", "s42", "s43", "s44", "s45", "s46", "s47"

INLINE uint
image_load(const constant uint *t, uint x, uint y)
{
    uint r;
    __asm__ volatile(READ_T "image_load %[r], " AT ", s[40:47] dmask:0x1" UNORM WAIT_LOAD
                     : [r] "=&v"(r)
                     : PLACE(x, y), T_WORDS(t)
                     : CLOBBERS);
    return r;
}

INLINE void
image_store(const constant uint *t, uint x, uint y, uint v)
{
    __asm__ volatile(READ_T "image_store %[v], " AT ", s[40:47] dmask:0x1" UNORM WAIT_STORE
                     :
                     : [v] "v"(v), PLACE(x, y), T_WORDS(t)
                     : CLOBBERS);
}

INLINE uint
image_add(const constant uint *t, uint x, uint y, uint v)
{
    __asm__ volatile(READ_T IMAGE_ADD " %[v], " AT ", s[40:47] dmask:0x1" UNORM RETURNED WAIT_LOAD
                     : [v] "+v"(v)
                     : PLACE(x, y), T_WORDS(t)
                     : CLOBBERS);
    return v;
}

INLINE float4
image_sample(const constant uint *t, const constant uint *s, float x, float y)
{
    float4 r;
    __asm__ volatile(READ_S READ_T "image_sample_lz %[r], " AT ", s[40:47], s[48:51] dmask:0xf" DIM WAIT_SAMPLE
                     : [r] "=&v"(r)
                     : PLACE(f32_bits(x), f32_bits(y)), T_WORDS(t), S_WORDS(s)
                     : CLOBBERS, "s48", "s49", "s50", "s51");
    return r;
}

/* Texels are loaded, stored and loaded again; reads outside the image give zeros. */
KERNEL image_words(const global uint *a, const global uint *b, global uint *out, uint n, IMAGES)
{
    uint x = GID % 32, y = GID / 32, mine = image_load(words, x, y), other = image_load(words, 31 - x, y);
    image_store(zeros, x, y, mine ^ other);
    uint r = mix(image_load(zeros, x, y), other);
    out[GID] = mix(r, image_load(words, x + 1, y));
}

/* Samples texels of four bytes at their centres. */
KERNEL image_samples(const global uint *a, const global uint *b, global uint *out, uint n, IMAGES)
{
    uint x = GID % 32, y = GID / 32, r = 0;
    for (uint k = 0; k < 2; k++) {
        float4 q = image_sample(bytes, nearest, ((float)x + 0.5f) / 32.0f, ((float)(y ^ k) + 0.5f) / 16.0f);
        for (uint c = 0; c < 4; c++)
            r ^= (uint)__builtin_rintf(q[c] * 255.0f) << 8 * c;
    }
    out[GID] = r;
}

/* Each item adds to its own texel. */
KERNEL image_atomics(const global uint *a, const global uint *b, global uint *out, uint n, IMAGES)
{
    uint x = GID % 32, y = GID / 32, was = image_add(words, x, y, b[GID]);
    out[GID] = mix(was, image_load(words, x, y));
}
#endif
