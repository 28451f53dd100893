#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 2000) buffer O { uint result[]; };
uint collatz(uint n)
{
    uint steps = 0;
    while (n != 1) {
        n = (n & 1) != 0 ? n * 3 + 1 : n / 2;
        steps++;
        if (steps > 100)
            return 1000;
    }
    return steps;
}
uint choose(uint k)
{
    switch (k % 6) {
    case 0:
    case 1: return 5;
    case 2: k += 10; break;
    case 3: k += 4; break;
    default: k *= 2; break;
    }
    return k;
}
void main()
{
    uint t = gl_GlobalInvocationID.x, sum = 0, i = 0;
    do {
        sum += i * t;
        if (sum > 50)
            break;
        i++;
    } while (i < 5);
    if ((t & 1) != 0)
        sum += 1000;
    result[t] = collatz(t + 1) + 10000 * choose(t) + 1000000 * (sum % 7);
}
