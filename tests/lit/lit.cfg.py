# Configuration of the text tests.
#
# Substitutions: %heddle the program, %hir analyses of HIR text (hir_tool.c), %amd_pass phases of the AMD back end on machine IR (amd_pass.c), %toyopt passes
# of src/cg on the made-up machine (../cg/toyopt.c), %FileCheck, %s the test, %t a scratch file, %S its folder,
# %shared the folder of shared material (the feature `shared` says that it exists).
# Features: `frontend` if the program was built with shaderc and SPIRV-Tools, `radv` if the software Radeon was built and RADV is installed.
import ctypes
import os
import subprocess

import lit.formats

config.name = "heddle"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".test", ".hir", ".mir", ".s", ".spvasm", ".comp", ".frag", ".vert"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(lit_config.params["output"], "out")

heddle = lit_config.params["heddle"]
shared = os.environ.get("HEDDLE_SHARED", os.path.join(config.test_source_root, "../../../shared"))
config.substitutions += [
    ("%heddle_broken", os.path.join(lit_config.params["output"], "heddle_broken")),
    ("%heddle", heddle),
    ("%hir", os.path.join(lit_config.params["output"], "hir_tool")),
    ("%amd_pass", os.path.join(lit_config.params["output"], "amd_pass")),
    ("%toyopt", os.path.join(lit_config.params["output"], "..", "cg", "toyopt")),
    ("%FileCheck", lit_config.params["filecheck"]),
    ("%llvm", "/usr/lib/llvm-19/bin"),
    ("%shared", shared),
    ("%root", os.path.dirname(os.path.dirname(config.test_source_root))),
]
if os.path.isdir(os.path.join(shared, "corpus")):
    config.available_features.add("shared")
if os.path.exists(os.path.join(lit_config.params["output"], "heddle_broken")):
    config.available_features.add("broken")
# The software Radeon, and the system's RADV that runs on it.
try:
    ctypes.CDLL("libvulkan_radeon.so")
    if os.path.exists(os.path.join(os.path.dirname(heddle), "../radeon/heddle_radeon_icd.json")):
        config.available_features.add("radv")
except OSError:
    pass
version = subprocess.run([heddle, "version"], capture_output=True, text=True).stdout
if "frontend: yes" in version:
    config.available_features.add("frontend")
for name in ("HEDDLE_DEBUG", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["PATH"] = "/usr/lib/llvm-19/bin:" + os.environ["PATH"]
if os.path.exists("/usr/lib/llvm-19/bin/clang") and os.path.exists("/usr/lib/llvm-19/bin/lld"):
    config.available_features.add("clang-amdgpu")
config.substitutions.append(
    ("%clang_cl", "/usr/lib/llvm-19/bin/clang -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -nogpulib -O2"))
config.substitutions.append(("%examples", os.path.join(os.path.dirname(heddle), "../../examples")))
