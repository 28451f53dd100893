#!/usr/bin/env python3
"""make_locale.py LOCALEDEF FOLDER STAMP: the locale "comma" in FOLDER (for LOCPATH), whose decimal point is a comma.

Its source is in this file, so no package with locales is needed: localedef belongs to the C library.
"""
import os
import subprocess
import sys

SOURCE = """comment_char %
escape_char /
LC_NUMERIC
decimal_point "<U002C>"
thousands_sep "<U002E>"
grouping 3;3
END LC_NUMERIC
LC_MONETARY
mon_decimal_point "<U002C>"
mon_thousands_sep "<U002E>"
END LC_MONETARY
"""


def charmap():
    rows = "".join(f"<U{c:04X}> /x{c:02x}\n" for c in range(128))
    return f"<code_set_name> ASCII\n<comment_char> %\n<escape_char> /\nCHARMAP\n{rows}END CHARMAP\n"


def main():
    localedef, folder, stamp = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for name, text in (("comma.src", SOURCE), ("ascii.map", charmap())):
        with open(os.path.join(folder, name), "w", encoding="ascii") as f:
            f.write(text)
    # -c: it warns of the categories that are missing (and returns 1), which are those of the C locale then.
    made = subprocess.run([localedef, "-c", "--no-archive", "-i", "comma.src", "-f", "./ascii.map", "./comma"],
                          cwd=folder, capture_output=True, text=True)
    if not os.path.exists(os.path.join(folder, "comma", "LC_NUMERIC")):
        sys.stderr.write(made.stderr)
        return 1
    with open(stamp, "w", encoding="ascii"):
        return 0


if __name__ == "__main__":
    sys.exit(main())
