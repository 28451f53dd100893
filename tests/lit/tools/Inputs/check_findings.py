"""Checks the JSON of findings: every line is an object, and a race names pipeline, instruction and code."""
import json
import sys

runs = [json.loads(line) for line in open(sys.argv[1])]
races = [(run, f) for run in runs for f in run["findings"] if f["check"] == "races"]
assert races, "no race is told"
for run, f in races:
    assert run["submission"] and run["ring"] == "compute 0" and run["group_size"] == [256, 1, 1]
    assert run["pipeline"]["entry_point"] == "main" and run["pipeline"]["source"].endswith("race.amber")
    marked = [line for line in f["code"] if line.get("is_finding")]
    assert [line["pc"] for line in marked] == [f["pc"]] and marked[0]["text"] == f["instruction"]
    assert f["rule"] == "race-barrier" and f["count"] and f["source_lines"]
