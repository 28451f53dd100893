"""What a SPIR-V module reads and writes at locations, as far as a pipeline must know it.

Only what declares it is read: decorations, types, variables, the first entry point.
"""
import collections
import struct

# kind: "float", "int" or "uint"; comps: components of `bits` bits, counted from `component`
Varying = collections.namedtuple("Varying", "location component comps kind bits index")
Interface = collections.namedtuple("Interface", "stage inputs outputs reads_point")  # stage: "vert", "frag" or None for others; reads_point: gl_PointCoord

MAGIC, HEADER_WORDS = 0x07230203, 5
ENTRY_POINT, TYPE_INT, TYPE_FLOAT, TYPE_VECTOR, TYPE_MATRIX = 15, 21, 22, 23, 24
TYPE_ARRAY, TYPE_STRUCT, TYPE_POINTER, CONSTANT, SPEC_CONSTANT, FUNCTION, VARIABLE = 28, 30, 32, 43, 50, 54, 59
DECORATE, MEMBER_DECORATE = 71, 72
LOCATION, COMPONENT, INDEX, BUILTIN = 30, 31, 32, 11
INPUT, OUTPUT = 1, 3
POINT_COORD = 16
STAGES = {0: "vert", 4: "frag"}  # by execution model
GLSL_TYPES = {("float", 32): ("float", "vec"), ("int", 32): ("int", "ivec"), ("uint", 32): ("uint", "uvec"), ("float", 64): ("double", "dvec"),
              ("float", 16): ("float16_t", "f16vec"), ("int", 16): ("int16_t", "i16vec"), ("uint", 16): ("uint16_t", "u16vec")}


def glsl_type(v):
    """A Varying's type in GLSL, with GL_EXT_shader_explicit_arithmetic_types; None if there is none."""
    scalar, vector = GLSL_TYPES.get((v.kind, v.bits), (None, None))
    return f"{vector}{v.comps}" if scalar and v.comps > 1 else scalar


def glsl_place(v):
    """The words of a layout for a Varying's place."""
    return f"location = {v.location}" + (f", component = {v.component}" if v.component else "")


def glsl_flat(v):
    """The qualifier that an input of fragments needs: "flat " or nothing."""
    return "flat " if v.kind != "float" or v.bits == 64 else ""


def glsl_parts(v, name):
    """The components of the Varying called `name`, as scalars."""
    return [f"{name}.{'xyzw'[k]}" for k in range(v.comps)] if v.comps > 1 else [name]


class Module:
    def __init__(self, words):
        self.types, self.constants, self.variables = {}, {}, {}
        self.decorations = collections.defaultdict(dict)  # by id, or (id, member)
        self.stage, self.entry = None, None  # of the first entry point; the ids that it names
        at = HEADER_WORDS
        while at < len(words):
            op, count = words[at] & 0xffff, words[at] >> 16
            if op == FUNCTION:
                break
            self.read(op, words[at + 1:at + count])
            at += count

    def read(self, op, w):
        if op == ENTRY_POINT and self.entry is None:
            end = next(k for k in range(2, len(w)) if w[k] >> 24 == 0)
            self.stage, self.entry = STAGES.get(w[0]), set(w[end + 1:])
        elif op == DECORATE:
            self.decorations[w[0]][w[1]] = w[2] if len(w) > 2 else 1
        elif op == MEMBER_DECORATE:
            self.decorations[w[0], w[1]][w[2]] = w[3] if len(w) > 3 else 1
        elif op in (TYPE_INT, TYPE_FLOAT, TYPE_VECTOR, TYPE_MATRIX, TYPE_ARRAY, TYPE_STRUCT, TYPE_POINTER):
            self.types[w[0]] = (op, *w[1:])
        elif op in (CONSTANT, SPEC_CONSTANT):
            self.constants[w[1]] = w[2]
        elif op == VARIABLE:
            self.variables[w[1]] = (w[0], w[2])

    def rows(self, type_id, location, component, index):
        """Yields the Varyings of a value, and returns the location behind it."""
        op, *w = self.types[type_id]
        if op in (TYPE_MATRIX, TYPE_ARRAY):
            count = w[1] if op == TYPE_MATRIX else self.constants[w[1]]
            for _ in range(count):
                location = yield from self.rows(w[0], location, component, index)
            return location
        if op == TYPE_STRUCT:
            for n, member in enumerate(w):
                of_member = self.decorations[type_id, n]
                location = yield from self.rows(member, of_member.get(LOCATION, location), of_member.get(COMPONENT, 0), index)
            return location
        comps = w[1] if op == TYPE_VECTOR else 1
        scalar = self.types[w[0]] if op == TYPE_VECTOR else (op, *w)
        kind = "float" if scalar[0] == TYPE_FLOAT else "int" if scalar[2] else "uint"
        yield Varying(location, component, comps, kind, scalar[1], index)
        return location + (2 if scalar[1] == 64 and comps > 2 else 1)

    def of_class(self, storage):
        for variable, (pointer, where) in self.variables.items():
            d = self.decorations[variable]
            type_id = self.types[pointer][2]
            blocks = self.decorations[type_id, 0]
            if where != storage or variable not in self.entry or BUILTIN in d or BUILTIN in blocks:
                continue
            if LOCATION in d or LOCATION in blocks:
                yield from self.rows(type_id, d.get(LOCATION, 0), d.get(COMPONENT, 0), d.get(INDEX, 0))


def read(path):
    """Returns the Interface of a module's first entry point."""
    with open(path, "rb") as f:
        data = f.read()
    words = struct.unpack(f"<{len(data) // 4}I", data[:len(data) // 4 * 4])
    if not words or words[0] != MAGIC:
        return Interface(None, [], [], False)
    module = Module(words)
    reads_point = any(d.get(BUILTIN) == POINT_COORD for d in module.decorations.values())
    return Interface(module.stage, sorted(module.of_class(INPUT)), sorted(module.of_class(OUTPUT)), reads_point)
