"""Checks rows of `heddle stats --json` against the table of keys in docs/cli.md."""
import json
import re
import sys

text = open(sys.argv[1], encoding="utf-8").read().split("## heddle stats")[1].split("\n## ")[0]
keys = set()
for line in re.findall(r"^\| (`.*?) \|", text, re.M):
    keys |= set(re.findall(r"`(\w+)`", line))
rows = [json.loads(line) for line in sys.stdin]
assert len(rows) == 2, rows
for row in rows:
    assert set(row) == keys, set(row) ^ keys
    assert row["compile_ms"] > 0, row
    assert {"read", "gvn.1", "select_program", "object"} <= set(row["phases_ms"]), row
    total = sum(row[k] for k in ("valu", "salu", "vmem", "smem", "ds", "branches", "waits", "nops"))
    assert row["instructions"] == total, row
assert [r["target"] for r in rows] == ["gfx1030", "gfx1031"]
assert rows[0]["code_bytes"] == rows[1]["code_bytes"]
