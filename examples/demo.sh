#!/bin/sh
# A first tour: what `make demo` shows. The argument is the heddle program.
set -eu
heddle=$1
echo "\$ heddle targets"
"$heddle" targets
