"""Draws the state of graphics pipelines for a shader, as `heddle compile --pipeline` reads it."""
import os
import re

FORMATS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "src", "machine", "formats.def")
RENDERABLE = (r"(r8|r8g8|r8g8b8a8|b8g8r8a8|a8b8g8r8|r16|r16g16|r16g16b16a16)_(unorm|snorm|uint|sint|srgb|sfloat)|(r32|r32g32|r32g32b32a32)_(uint|sint|sfloat)"
              r"|a2[rb]10g10[br]10_(unorm|uint)|b10g11r11_ufloat|r5g6b5_unorm|a1r5g5b5_unorm|r4g4b4a4_unorm")
VERTEX = r"[abgr\d]+_(unorm|snorm|uscaled|sscaled|uint|sint|sfloat|ufloat)"
PACKED_SMALL = r".*[45]\D.*"  # channels of 4 and 5 bits are no attributes
KINDS = {"UINT": "uint", "SINT": "int"}
DYNAMIC = ("vertex_input", "topology", "polygon_mode", "colors", "samples", "alpha")
BUILTINS = ("clip_distance", "cull_distance", "layer", "viewport_index", "primitive_id")
RARE = 0.15


def read_formats():
    """Returns (vertex formats, colour formats), each by kind a list of (name, bytes)."""
    vertex, color = ({"float": [], "int": [], "uint": []} for _ in range(2))
    with open(FORMATS, encoding="utf-8") as f:
        for line in f:
            m = re.match(r"FORMAT\((\w+), \d+, (\d+), (\w+), (\d+)", line)
            if not m:
                continue
            name, size, kind = m.group(1), int(m.group(2)), KINDS.get(m.group(3), "float")
            wide = int(m.group(4)) > 32
            if re.fullmatch(VERTEX, name) and not re.fullmatch(PACKED_SMALL, name) and not wide:
                vertex[kind].append((name, size))
            if re.fullmatch(RENDERABLE, name):
                color[kind].append((name, size))
    return vertex, color


VERTEX_FORMATS, COLOR_FORMATS = read_formats()


def some(rng, share=RARE):
    return rng.random() < share


def draw_varyings(rng, rows, whole):
    """What another stage has of the locations; `whole`: it may have others, constants, and equal components."""
    out = {}
    for v in rows:
        if some(rng):
            continue
        at = out.setdefault(v.location, {"location": v.location, "components": 0})
        at["components"] |= rng.randrange(16) if some(rng) else 15
        if whole and some(rng):
            at["constants"] = rng.randrange(16) & at["components"]
            at["value"] = [rng.choice((0, 0x3f800000, 7)) for _ in range(4)]
        if whole and some(rng):
            at["same"] = [rng.randrange(4 * v.location + c + 1) for c in range(4)]
            at["way"] = rng.choice((0, 1, 2, 255))
    return list(out.values())


def draw_link(rng, rows, whole):
    return {"varyings": draw_varyings(rng, rows, whole), "builtins": [b for b in BUILTINS if some(rng, 0.5)]}


def draw_attributes(rng, p, inputs):
    bindings = {}
    p["attributes"] = []
    for v in inputs:
        if v.location >= 32 or some(rng, 0.05):
            continue
        binding = 0 if some(rng, 0.5) else rng.randrange(16)
        bindings.setdefault(binding, {
            "binding": binding, "stride": 4 * rng.randrange(1, 33), "per_instance": some(rng, 0.3), "divisor": rng.choice((0, 1, 1, 2, 3, 7)),
            "stride_is_dynamic": some(rng), "align": rng.choice((0, 4, 16))})
        if v.bits == 64:
            name = f"r64{'g64b64a64'[:3 * (v.comps - 1)]}_{'sfloat' if v.kind == 'float' else 'sint' if v.kind == 'int' else 'uint'}"
            size = 8
        else:
            name, size = rng.choice(VERTEX_FORMATS[v.kind])
        p["attributes"].append({"location": v.location, "binding": binding, "format": WIDE.get(name, name), "offset": 4 * rng.randrange(16)})
    p["bindings"] = list(bindings.values())


# VK_FORMAT_R64_UINT and those that follow it: `--pipeline` takes their numbers.
WIDE = {f"r64{'g64b64a64'[:3 * n]}_{kind}": 110 + 3 * n + k for n in range(4) for k, kind in enumerate(("uint", "sint", "sfloat"))}


def draw_vertex(rng, interface):
    p = {"topology": rng.choice(("any", "triangles", "lines", "points")), "polygon_mode": rng.choice(("fill", "fill", "line", "point")),
         "vertex_kind": rng.choice(("any", "legacy", "primitive")), "view_mask": 3 if some(rng) else 0}
    if not some(rng):
        draw_attributes(rng, p, interface.inputs)
    if some(rng, 0.6):
        p["next"] = draw_link(rng, interface.outputs, True)
    return p


def draw_color(rng, kind, second):
    if some(rng, 0.05):
        return {"format": 0}
    return {"format": rng.choice(COLOR_FORMATS[kind])[0], "kept": rng.randrange(16) if some(rng) else 0, "blends": kind == "float" and some(rng, 0.5),
            "blends_alpha": some(rng, 0.5), "blends_second": second}


def draw_fragment(rng, interface):
    outputs = {v.location: v for v in interface.outputs}
    second = any(v.index for v in interface.outputs)
    p = {"samples": rng.choice((0, 1, 2, 4, 8, 16)), "sample_shading": some(rng), "alpha_to_coverage": some(rng), "alpha_to_one": some(rng),
         "lacks_depth": some(rng), "lacks_stencil": some(rng), "view_mask": 3 if some(rng) else 0}
    if not some(rng):
        n = max((k for k in outputs if k < 8), default=-1) + 1
        p["colors"] = [draw_color(rng, outputs[k].kind if k in outputs else "float", second) for k in range(n)]
    if some(rng, 0.6):
        p["previous"] = draw_link(rng, interface.inputs, True)
    return p


def draw(rng, stage, interface):
    """The pipeline of a shader of stage "vert" or "frag", by random.Random `rng`."""
    p = draw_vertex(rng, interface) if stage == "vert" else draw_fragment(rng, interface)
    p["dynamic"] = [d for d in DYNAMIC if some(rng)]
    return p
