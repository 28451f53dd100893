#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Data { int data[]; };

int
search(int from, int wanted)
{
    for (int i = from; i < 100; i++) {
        for (int j = 0;; j++) {
            int at = data[i * 8 + j];
            if (at == wanted)
                return i;
            if (at < 0)
                break;
            switch (at & 7) {
            case 0: continue;
            case 3: i += 2; /* falls through */
            case 5:
                if (j > 4)
                    return -1;
                break;
            case 6: j++; break;
            default:
                while (at > 10)
                    at = (at & 1) != 0 ? at / 2 : at - 3;
                data[at] ^= 1;
            }
            if (j >= 7)
                break;
        }
        if (data[i] == 77)
            break;
    }
    return from;
}

void
main()
{
    int id = int(gl_GlobalInvocationID.x), rounds = 0;
    int a = search(id & 7, data[id]), b = 1;
    do {
        if ((a & 1) == 0) {
            if (a > 50)
                return;
            a += 3;
            continue;
        }
        b = b * a + int(a > 9 && data[b & 63] > 0 || b < -5);
        a = b >> 2;
    } while (++rounds < 9 && a != 1);
    data[id] = rounds > 4 ? a : b;
}
