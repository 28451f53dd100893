// Loops and branches with attributes, switch with falling empty cases, break and continue, early return, do while.
RWStructuredBuffer<uint> result : register(u0);
uint collatz(uint n)
{
    uint steps = 0;
    [loop] while (n != 1) {
        n = n & 1 ? n * 3 + 1 : n / 2;
        steps++;
        [branch] if (steps > 100)
            return 1000;
    }
    return steps;
}
uint choose(uint k)
{
    [forcecase] switch (k % 6) {
    case 0:
    case 1: return 5;
    case 2: k += 10; break;
    case 3: {
        for (uint i = 0; i < 4; i++) {
            if (i == 2)
                continue;
            k += i;
        }
        break;
    }
    default: k *= 2; break;
    }
    return k;
}
[numthreads(64, 1, 1)] void main(uint3 t : SV_DispatchThreadID)
{
    uint sum = 0, i = 0;
    do {
        sum += i * t.x;
        if (sum > 50)
            break;
        i++;
    } while (i < 5);
    [flatten] if (t.x & 1)
        sum += 1000;
    result[t.x] = collatz(t.x + 1) + 10000 * choose(t.x) + 1000000 * (sum % 7);
}
