#!/bin/sh
# Stands in for dxc: prints its arguments into $DXC_SAYS, and writes the module that heddle's own front end makes.
echo "$@" >> "$DXC_SAYS"
while [ $# -gt 0 ]; do
    case $1 in
    -Fo) out=$2; shift;;
    -E) entry=$2; shift;;
    esac
    last=$1
    shift
done
grep -q broken "$last" && { echo "$last:3:7: error: unknown type name 'broken'"; exit 1; }
exec "$HEDDLE" compile --lang hlsl --stage compute --entry "$entry" --emit spirv -o "$out" "$last"
