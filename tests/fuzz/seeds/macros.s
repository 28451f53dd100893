.macro a x, y=2, z:req
.if \x
.long \x+\y, \z
a \x-1, z=(\y)
.endif
.endm
a 3 4 5
.macro r v:vararg
.irp w, \v
.ifb \w
.exitm
.endif
.byte \w, \@, \+
.endr
.endm
r 1, 2 3
.altmacro
.macro b p q
q&1: .ascii "p&q"
.endm
b %(1+2) <x!>y>
.noaltmacro
.rept 3
.irpc c, 012
v_mov_b32 v[\c], s[n:n]
.set n, \c
.endr
.endr
1: s_branch 1f
.set l, m - 1b
.long l, max(n, 2), -!~n<<3>=4&&1||0!2
1: m: .purgem b
.ifc a b, a b
.else
.elseif 0
.endif
.ifdef l
.pushsection .data
.org 16
.popsection
.endif
.end
