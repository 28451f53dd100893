// REQUIRES: frontend
// RUN: %heddle compile --wave-size 64 --emit spill %s | %FileCheck %s
//
// Eighty flags and eighty divergent exits: the masks are spilled, and the phis at the loop's end share the slots of their
// operands. The exits copy and store nothing, and nothing is reloaded that most of them do not have in registers.
// CHECK: loop-continue
// CHECK: logical preds: / linear preds:
// CHECK-NOT: p_{{parallelcopy|spill|reload}}
// CHECK: linear preds: BB4{{[0-9][0-9]}},
// CHECK-NOT: p_{{parallelcopy|spill}}
// CHECK: loop-exit
#version 450
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(set = 0, binding = 1) readonly buffer Params { uint params[]; };
#define EACH(M) \
    M(0) M(1) M(2) M(3) M(4) M(5) M(6) M(7) M(8) M(9) M(10) M(11) M(12) M(13) M(14) M(15) \
    M(16) M(17) M(18) M(19) M(20) M(21) M(22) M(23) M(24) M(25) M(26) M(27) M(28) M(29) M(30) M(31) \
    M(32) M(33) M(34) M(35) M(36) M(37) M(38) M(39) M(40) M(41) M(42) M(43) M(44) M(45) M(46) M(47) \
    M(48) M(49) M(50) M(51) M(52) M(53) M(54) M(55) M(56) M(57) M(58) M(59) M(60) M(61) M(62) M(63) \
    M(64) M(65) M(66) M(67) M(68) M(69) M(70) M(71) M(72) M(73) M(74) M(75) M(76) M(77) M(78) M(79)
#define DECLARE(k) bool f##k = false;
#define TURN(k) { uint d = data[id + i + uint(k)]; f##k = f##k || d == a; if (d == b) break; }
#define USE(k) r = f##k ? r * 3u + uint(k) : r;
void main() {
    uint id = gl_GlobalInvocationID.x, a = data[id], b = data[id + 1u], n = params[0], r = 0u;
    EACH(DECLARE)
    for (uint i = 0u; i < n; i++) {
        EACH(TURN)
    }
    EACH(USE)
    data[id] = r;
}
