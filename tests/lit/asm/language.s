// The assembler's language: the bytes are llvm-mc's.
// REQUIRES: clang-amdgpu
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx1030 -I %S/Inputs -defsym depth=2 -filetype=obj %s -o %t.o
// RUN: ld.lld -shared %t.o -o %t.co
// RUN: llvm-objcopy -O binary --only-section=.text %t.co %t.llvm
// RUN: %heddle asm -t gfx1030 -I %S/Inputs -D depth=2 %s -o %t.bin
// RUN: cmp %t.llvm %t.bin
# a comment in the preprocessor's style
	.include "language.inc"

// Operators and their precedences; all forms of numbers.
	.long 1+2<<3, 6&3+1, 1|2*3, 3==3, 3<4, !0, 5!2, 1<2&&0, -1>>60, 7%3, 1||0, 3<>4, ~-2^5, 2>=2, -(3), +4
	.long 'a', '\n', 10UL, 0x10L, 0b101, 017, max(1,5,2), or(1,6), (2+3)*4, 7!=7, 9/-2, 0-9%4
	.octa 0x0102030405060708090a0b0c0d0e0f10, 5
	.float 1.5, -2, 16
	.float 1.00000005960464477541, 16777217, 340282357e30, 0.9999999701976776123046875000000000000000000000000000000000000000000001
	.double 1.0, -0.5

// Register numbers as expressions.
.set vBase, 4
.set sPair, 2*3
	v_mov_b32 v[vBase], v[vBase+1]
	v_mov_b32 v[(vBase)*2], -1
	s_mov_b64 s[sPair:sPair+1], s[sPair+2:sPair+3]
	v_add_f32 v[vBase+1], -v[vBase], |v[vBase+2]|
	v_add_f32 v1, -vBase, v2
	s_mov_b32 s[sPair], vBase
	v_mov_b32 v0, -included
	s_movk_i32 s0, included

// A variable has the value that it had at the point of use.
.set k, 1
	.long late-early+k
	s_mov_b32 s1, late-early+k
.set k, 2
early:
	s_mov_b32 s1, k
late:
distance = late - early
.set forward, ahead - early
	.long forward, distance
	.byte forward, 1, 2, 3
	.long ahead - .
ahead:

// Macros: positional and named parameters, defaults, required and variable ones.
.macro numbers a, b=7, c:req
	.long \a, \b, \c
.endm
	numbers 1, , 3
	numbers c=4, a=2
	numbers 1 2 3
	numbers 1 +2, (3 + 4), 5 - 1
.macro rest first, others:vararg
	.long \first
	.ifnb \others
	rest \others
	.endif
.endm
	rest 1, 2 , 3+4
.macro unique
loop\@:	s_cbranch_scc0 loop\@
	.long \@
.endm
	unique
	unique
.macro paste type, n
	v_mov_\type\()\n v1, v2
	ds_read_\type\n v1, v2
.endm
	paste b, 32
.macro text t
	.ascii "\t|"
.endm
	text "hello world"
	text hello
	.byte 1, 2
.macro count n
	.long \n
	.if \n
	count (\n-1)
	.endif
.endm
	count 5
.macro leave a
	.if \a
	.if 1
	.exitm
	.endif
	.endif
	s_nop \a
.endm
	leave 0
	leave 1
.macro outer name
.macro \name value
	s_nop \value
.endm
.endm
	outer inner
	inner 3
	.purgem inner
.macro inner
	s_nop 4
.endm
	inner
.macro s_sethalt unused
	s_nop 5
.endm
	s_sethalt 1
	.purgem s_sethalt
	s_sethalt 1
.macro .like_a_directive
	s_nop 6
.endm
	.like_a_directive
	store v1
	store v2, 16
	store offset=included, value=v[vBase]

// Repetitions.
	.rept 3
	s_nop \+
	.endr
	.rept 2
	.rept 2
	s_nop 7
	.endr
	.endr
	.rept 0
	nonsense
	.endr
	.irp x, 1, v2 ,3+4
	.ifnc \x, v2
	s_nop \x
	.else
	v_mov_b32 v0, \x
	.endif
	.endr
	.irpc c, 0123
	v_mov_b32 v\c, s\c
	.endr
	.rept 4
	.if vBase == 6
	.exitm
	.endif
	s_nop vBase
	.set vBase, vBase + 1
	.endr

// Conditions.
	.if 0
	nonsense
	.if 1
	.elseif 1
	nonsense
	.else
	.endif
	.elseif included == 42
	s_nop 1
	.elseif 1
	nonsense
	.else
	nonsense
	.endif
	.ifdef nowhere
	nonsense
	.else
	s_nop 2
	.endif
	.ifndef early
	nonsense
	.endif
	.ifnotdef nowhere
	s_nop 3
	.endif
	.ifc a b , a b
	s_nop 4
	.endif
	.ifeqs "a", "a"
	s_nop 5
	.endif
	.ifnes "a", "b"
	s_nop 6
	.endif
	.ifb
	s_nop 7
	.endif
	.ifeq 1-1
	s_nop 8
	.endif
	.ifgt 1
	.ifge 0
	.iflt -1
	.ifle 0
	s_nop 9
	.endif
	.endif
	.endif
	.endif
	.IF 1
	s_nop 10
	.ENDIF

// Numeric labels.
1:	s_nop 0
	s_branch 1b
	s_branch 1f
1:	s_branch 1b

// Another kind of macro.
	.altmacro
.macro other a, b
	.long a, b
	.ascii "a&x \a&y"
.endm
	other %(1+2), 4
	other <1>, <2>
	other %vBase 7
	.noaltmacro

// Data and sections.
	.pushsection .rodata
	.long 0
	.popsection
	.dc.l 1
	.dcb.b 3, 2
	.fill 2, 8, 0x11223344
	.fill 3
	.long late - early
	.end
	nonsense
