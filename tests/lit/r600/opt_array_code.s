// Bytecode that reads and writes registers by AR: which of them are an array must be said. On R700 what a group has written through AR is not
// read in the next one, so a new clause begins.
// RUN: %heddle asm -t rv770 %s -o %t.bin && not %heddle opt -t rv770 %t.bin -o %t.out 2>&1 | %FileCheck %s --check-prefix=REFUSED
// RUN: %heddle opt -t rv770 --arrays R1-R4.x --emit read %t.bin | %FileCheck %s --check-prefix=READ
// RUN: %heddle opt -t rv770 --arrays R1-R4.x --emit rename %t.bin | %FileCheck %s --check-prefix=SSA
// RUN: %heddle opt -t rv770 --arrays R1-R4.x %t.bin -o %t.out && %heddle disasm -t rv770 %t.out | %FileCheck %s --check-prefix=CODE
// RUN: not %heddle opt -t rv770 --arrays R4-R1 %t.bin -o %t.out 2>&1 | %FileCheck %s --check-prefix=FORM
// REFUSED: the optimizer does not have operands that AR selects in registers which no array is stated for yet
// FORM: expected arrays as in R5-R8.xy,R10-R13
// READ: array: A0 R1.x 4
// READ: R128.z = MOV R0.x
// READ: A0[AR.x+0] = ADD R0.y, 0x3f800000
// READ: R5.x = MUL A0[AR.x+1], R0.y
// SSA: A0[%[[I:[0-9]+]]+0] = MOV %{{[0-9]+}} def [{{.*}}] use [{{.*}}]
// SSA: %[[V:[0-9]+]].x = MOV A0[%[[I]]+1] use [
// SSA: MUL %[[V]], %
// CODE-COUNT-2: ALU
// CODE: MOV R[[BASE:[0-9]+]][AR.x].x
// CODE: MOVA_INT
// CODE: R{{[0-9]+}}[AR.x].x
    ALU c CNT(7)
    EXPORT_DONE PIX[0], R5.xxxx END_OF_PROGRAM
c:
    x: MOV R1.x, 0
    t: MOV R2.x, R0.y ;
    x: MOV R3.x, R0.x
    t: MOV R4.x, 1.0 ;
    x: MOVA_INT __.x, R0.x ;
    x: ADD R1[AR.x].x, R0.y, 1.0 ;
    x: MUL R5.x, R2[AR.x].x, R0.y ;
