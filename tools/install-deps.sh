#!/bin/sh
# Installs the packages needed to build and test Heddle, from Debian 12. Does nothing if they are all
# installed. Works as root or through sudo.
set -eu

# build and library
packages="make meson ninja-build pkg-config gcc libc6-dev python3"
# the command line's GLSL, HLSL and SPIR-V assembly input; PNG output of heddle run
packages="$packages glslc libshaderc-dev spirv-tools spirv-headers libpng-dev"
# SPIRV-Tools' optimizer has only a C++ interface
packages="$packages g++"
# tests: unit tests and the oracles they compare with; llvm-19-tools ships FileCheck and lit
packages="$packages libcmocka-dev libelf-dev libmsgpack-dev libjansson-dev libmpfr-dev"
packages="$packages llvm-19 llvm-19-tools clang-19 lld-19 bolt-19 libbolt-19-dev libclang-rt-19-dev mesa-vulkan-drivers libvulkan-dev"
# the software Radeon: the kernel's interface, and a program to run on it (tests use ffmpeg, too, where it is installed)
packages="$packages libdrm-dev vulkan-tools"
# the shared corpus's manifests compile some shaders with it
packages="$packages glslang-tools"
# tests: the real r600 driver, and clang with its OpenCL library, whose programs are disassembled and assembled again
packages="$packages spirv-cross libclc-19 libegl-dev libgl-dev libgl1-mesa-dri libegl1 libegl-mesa0 libgbm1"
# checks of the source
packages="$packages clang-format binutils git"

missing=""
for p in $packages; do
    if [ "$(dpkg-query -W -f='${db:Status-Abbrev}' "$p" 2>/dev/null | cut -c1-2)" != "ii" ]; then
        missing="$missing $p"
    fi
done
[ -n "$missing" ] || exit 0

as_root=""
if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "install-deps: need root or sudo for:$missing" >&2; exit 1; }
    as_root="sudo"
fi
echo "install-deps: installing:$missing"
$as_root apt-get update -q
# shellcheck disable=SC2086 # a list of packages
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
