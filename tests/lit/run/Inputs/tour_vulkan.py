# tour_vulkan.py TOUR HEDDLE FOLDER: runs the commands of docs/vulkan-tour.md (lines "    $ ...") in FOLDER. The lines below a command must occur in its
# output, in any order; "..." matches anything. %examples is the source's folder; programs are the build's. A command whose lines name a
# rule in brackets has findings, and exit code 1.
import os
import re
import subprocess
import sys

tour, heddle, folder = sys.argv[1:]
root = os.path.dirname(os.path.dirname(os.path.abspath(tour)))
programs = os.path.join(os.path.dirname(heddle), "../../examples/vulkan")
steps = []
for line in open(tour):
    if line.startswith("    $ "):
        steps.append((line[6:].strip(), []))
    elif line.startswith("    ") and steps:
        steps[-1][1].append(line.strip())
for command, wanted in steps:
    command = command.replace("%examples", os.path.join(root, "examples")).replace("heddle ", heddle + " ", 1)
    command = re.sub(r"-- (\w+)$", rf"-- {programs}/\1", command)
    p = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    text = p.stdout + p.stderr
    fails = any("[race-" in w for w in wanted)
    if p.returncode != fails:
        sys.exit(f"{command}: exit code {p.returncode}\n{text}")
    for w in wanted:
        if not re.search(re.escape(w).replace(r"\.\.\.", ".*"), text):
            sys.exit(f"{command}: '{w}' is not in\n{text}")
print(f"{len(steps)} commands")
