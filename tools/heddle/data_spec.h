/* Descriptions of data on the command line: what a buffer holds before a kernel runs, and what it
 * must hold behind it.
 *
 *     f32,count=256,iota          ITEM{,ITEM}
 *     u32,values=1:2:3
 *     file=x.bin
 *
 * An item is an element type (u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64; u32 where none is named),
 * a size (`count=N` elements or `size=N` bytes, with k, m, g for 2^10, 2^20, 2^30), or where the
 * contents come from: `zeros`, `fill=V`, `iota[=START[:STEP]]`, `random[=SEED]`, `values=V:V...`,
 * `file=PATH`, `undefined`. What only comparisons take: `offset=N` elements to begin with,
 * `tolerance=X` (absolute), `relative=X`, `ulps=N`.
 *
 * Nothing here ends the process: a wrong text gives false and a message.
 */
#ifndef DATA_SPEC_H
#define DATA_SPEC_H

#include "base/buf.h"

typedef enum data_type {
    DATA_U8,
    DATA_I8,
    DATA_U16,
    DATA_I16,
    DATA_U32,
    DATA_I32,
    DATA_U64,
    DATA_I64,
    DATA_F16,
    DATA_F32,
    DATA_F64,
    DATA_TYPE_COUNT,
} data_type;

typedef enum data_source {
    DATA_ZEROS, /* also where nothing is said */
    DATA_FILL,
    DATA_IOTA,
    DATA_RANDOM, /* integers: all bits; floats: from 0 up to but without 1 */
    DATA_VALUES, /* repeated where there are more elements */
    DATA_FILE,
    DATA_UNDEFINED, /* the emulator's checker is told that nothing was written there */
} data_source;

/* A number as it is written. */
typedef struct data_number {
    bool is_float, is_negative;
    uint64_t magnitude; /* integers */
    double real;        /* of any number */
    int suffix;         /* data_type that a suffix names (1.5f), or -1 */
} data_number;

typedef struct data_spec {
    data_type type;
    data_source source;
    bool has_type, has_source, has_count, has_size;
    uint64_t count, size; /* elements; bytes */
    data_number *values;  /* of FILL (1), IOTA (2) and VALUES */
    uint32_t n_values;
    uint64_t seed;
    const char *path;
    uint64_t offset; /* comparisons: elements */
    double tolerance, relative;
    uint64_t ulps;
} data_spec;

enum { DATA_MAX_BYTES = 1 << 30 };

/* Bytes of an element, and the type's name; the type called by the `len` characters at `name`. */
unsigned
data_type_size(data_type type);
const char *
data_type_name(data_type type);
bool
data_type_find(const char *name, size_t len, data_type *type);

/* Reads the number at `*text` and goes behind it: decimal or 0x integers, decimal floats, a suffix
 * h, f or d. False with a message. */
bool
data_number_parse(const char **text, data_number *out, const char **message);

/* Writes a number as an element of `type` to `out`; false with a message where it does not fit. */
bool
data_number_store(const data_number *n, data_type type, void *out, const char **message);

/* Reads a size: an integer with perhaps k, m or g behind, up to `end`. */
bool
data_size_parse(const char *text, const char *end, uint64_t *out);

/* Reads a description; `is_expectation` allows what comparisons take. False with a message. */
bool
data_spec_parse(arena *a, const char *text, bool is_expectation, data_spec *out,
                const char **message);

/* The bytes that a description stands for: `*size` of them in the arena. Where it states no size,
 * `otherwise` bytes; 0 then is an error. `file` is what `path` holds, for DATA_FILE. False with a
 * message. */
bool
data_spec_make(arena *a, const data_spec *s, uint64_t otherwise, const void *file, size_t file_size,
               uint8_t **bytes, uint64_t *size, const char **message);

/* Appends element `index` of `bytes` as text. */
void
data_print_element(const void *bytes, uint64_t index, data_type type, base_buf *out);

/* Compares elements [0, size) bytes: gives how many differ beyond the tolerances of `s`, and the
 * first that does. NaNs are equal to NaNs. */
uint64_t
data_compare(const data_spec *s, const void *got, const void *want, uint64_t size, uint64_t *first);

#endif
