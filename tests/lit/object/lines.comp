// The code object has source lines as DWARF, which LLVM's tools read and heddle disasm prints; without -g there are none. heddle
// asm accepts the output of disasm.
// REQUIRES: frontend
// RUN: %heddle compile -g %s -o %t.elf
// RUN: %llvm/llvm-dwarfdump --debug-line %t.elf | %FileCheck %s --check-prefix=LINE
// RUN: %llvm/llvm-dwarfdump --verify %t.elf
// RUN: %llvm/llvm-objdump -d -l --mattr=+wavefrontsize64 %t.elf | %FileCheck %s --check-prefix=OBJDUMP
// RUN: %heddle disasm %t.elf > %t.s
// RUN: %FileCheck %s --check-prefix=DISASM < %t.s
// RUN: %heddle asm -t gfx1030 --emit bin %t.s -o %t.bin
// RUN: %heddle disasm -t gfx1030 --raw %t.bin | grep -v s_code_end > %t.again.s
// RUN: %heddle disasm --raw %t.elf | cmp - %t.again.s
// RUN: %heddle compile -g --abi hsa %s -o %t.hsa.elf
// RUN: %llvm/llvm-objdump -d -l %t.hsa.elf | %FileCheck %s --check-prefix=OBJDUMP
// RUN: %heddle compile %s -o %t.elf
// RUN: %llvm/llvm-readelf -S %t.elf | %FileCheck %s --check-prefix=NONE
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer B { float o[]; };
float f(float x)
{
    return x * x + 1.0; // 22
}
void main()
{
    uint i = gl_GlobalInvocationID.x;
    float v = o[i];                  // 27
    v = v > 2.0 ? f(v) : sqrt(v);    // 28
    o[i] = v;                        // 29
}
// LINE: version: 5
// LINE: name: "{{.*}}lines.comp"
// LINE-DAG: 22 0 0 0 0 0 is_stmt
// LINE-DAG: 27 0 0 0 0 0 is_stmt
// LINE-DAG: 28 0 0 0 0 0 is_stmt
// LINE: 29 0 0 0 0 0 is_stmt
// LINE-NEXT: is_stmt end_sequence

// OBJDUMP-DAG: buffer_load_dword
// OBJDUMP-DAG: lines.comp:22
// OBJDUMP: v_fma_f32
// OBJDUMP: lines.comp:29
// OBJDUMP-NEXT: buffer_store_dword

// DISASM: // {{.*}}lines.comp:27
// DISASM: buffer_load_dword
// DISASM: // {{.*}}lines.comp:22
// DISASM-NEXT: v_fma_f32
// DISASM: // {{.*}}lines.comp:29
// DISASM-NEXT: buffer_store_dword

// NONE-NOT: .debug
