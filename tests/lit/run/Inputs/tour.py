# tour.py TOUR HEDDLE FOLDER: runs the commands of docs/tour.md (lines "    $ ...") in FOLDER, which contains tour.co. The lines
# after a command must occur in its output, in that order; "..." and pointers match anything. Findings make a command fail.
import re
import subprocess
import sys

tour, heddle, folder = sys.argv[1:]
steps = []
for line in open(tour):
    if line.startswith("    $ "):
        steps.append([line[6:].strip(), []])
    elif line.startswith("    ") and steps and steps[-1][1] is not None:
        steps[-1][1].append(line.strip())
    elif steps and line.strip():
        steps[-1].append(None)
        steps.append(["true", []])
for step in steps:
    command, wanted = step[0], step[1]
    fails = command.startswith("heddle run no")
    p = subprocess.run(command.replace("heddle ", heddle + " ", 1), shell=True, cwd=folder, capture_output=True, text=True)
    text = p.stdout + p.stderr
    if (p.returncode != 0) != fails:
        sys.exit(f"{command}: exit code {p.returncode}\n{text}")
    at = 0
    for w in wanted:
        m = re.search(re.escape(w).replace(r"\.\.\.", ".*"), text[at:])
        if not m:
            sys.exit(f"{command}: '{w}' is not in\n{text}")
        at += 0 if fails else m.end()
print(f"{sum(s[0] != 'true' for s in steps)} commands")
