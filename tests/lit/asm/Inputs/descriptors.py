# descriptors.py SECTION SECTION: compares 64-byte kernel descriptors except for the entry's offset (bytes 16 to 23).
import sys

a, b = (open(f, "rb").read() for f in sys.argv[1:])
pairs = [(a[i:i + 64], b[i:i + 64]) for i in range(0, len(a) & ~63, 64)]
equal = len(a) == len(b) and all(x[:16] + x[24:] == y[:16] + y[24:] and x[16:24] != bytes(8) for x, y in pairs)
sys.exit(not (equal and pairs))
