#!/bin/sh
# A first tour: what `make demo` shows. The arguments are the heddle program and a folder for the picture.
set -eu
heddle=$1
out=$2
here=$(dirname "$0")

say()
{
    printf '\n$ heddle %s\n' "$*"
}

say compile -t gfx1030 --emit asm examples/julia.comp
"$heddle" compile -t gfx1030 --emit asm "$here/julia.comp"
say stats -t gfx1030 --json --repeat 5 examples/julia.comp
"$heddle" stats -t gfx1030 --json --repeat 5 "$here/julia.comp"
say run -t gfx1030 --png "$out" examples/julia.amber
mkdir -p "$out"
"$heddle" run -t gfx1030 --png "$out" "$here/julia.amber"
printf '\nThe picture that gfx1030'"'"'s machine code drew on the emulator: %s\n' "$out/julia.amber.gfx1030.picture.png"

say run -t gfx1030 --png "$out" examples/globe.amber
"$heddle" run -t gfx1030 --png "$out" "$here/globe.amber"
printf '\nVertex and fragment shaders drew on the emulator: %s\n' "$out/globe.amber.gfx1030.picture.png"
say render -t gfx1201 --size 320x180 examples/rings.frag -o "$out/rings.png"
"$heddle" render -t gfx1201 --size 320x180 "$here/rings.frag" -o "$out/rings.png"

say run -t gfx1030 --wave-size 32 examples/saxpy.amber
"$heddle" run -t gfx1030 --wave-size 32 "$here/saxpy.amber"
say run -t hir examples/saxpy.amber
"$heddle" run -t hir "$here/saxpy.amber"
