"""Compares the counts of a script in wave64 with those in wave32: a group of 32 is one wave in both."""
import json
import sys

wide, narrow = (json.loads(open(name).read()) for name in sys.argv[1:])
assert set(wide) == {"file", "target", "instructions", "classes", "time"}, set(wide)
assert wide["instructions"] == sum(c["instructions"] for c in wide["classes"].values())
assert wide["time"]["waves"] == narrow["time"]["waves"] == 4
assert wide["classes"]["valu"]["instructions"] == narrow["classes"]["valu"]["instructions"]
assert wide["time"]["busy"]["valu"] == 2 * narrow["time"]["busy"]["valu"]
for counts in (wide, narrow):
    time = counts["time"]
    assert time["cycles"] >= max(time["busy"].values()) // 2 > 0, time
    assert time["wave_cycles"] >= time["cycles"], time
