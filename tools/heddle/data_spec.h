/* Descriptions of data on the command line: the contents of a buffer before a kernel runs, and the
 * expected contents afterwards.
 *
 *     f32,count=256,iota          ITEM{,ITEM}
 *     u32,values=1:2:3
 *     file=x.bin
 *
 * An item is an element type (u8 i8 u16 i16 u32 i32 u64 i64 f16 f32 f64; u32 by default), a size
 * (`count=N` elements or `size=N` bytes, with k, m, g for 2^10, 2^20, 2^30), or the source of the
 * contents: `zeros`, `fill=V`, `iota[=START[:STEP]]`, `random[=SEED]`, `values=V:V...`,
 * `file=PATH`, `undefined`. Only comparisons accept: `offset=N` elements to skip, `tolerance=X`
 * (absolute), `relative=X`, `ulps=N`.
 *
 * These functions never end the process: a wrong text returns false and a message.
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
    DATA_ZEROS, /* also the default */
    DATA_FILL,
    DATA_IOTA,
    DATA_RANDOM, /* integers: all bits; floats: in [0, 1) */
    DATA_VALUES, /* repeated if there are more elements */
    DATA_FILE,
    DATA_UNDEFINED, /* the emulator's checks treat the bytes as never written */
} data_source;

/* A number as written. */
typedef struct data_number {
    bool is_float, is_negative;
    uint64_t magnitude; /* integers */
    double real;        /* the value of any number */
    int suffix;         /* the data_type named by a suffix (1.5f), or -1 */
} data_number;

typedef struct data_spec {
    data_type type;
    data_source source;
    bool has_type, has_source, has_count, has_size;
    uint64_t count, size; /* elements; bytes */
    data_number *values;  /* for FILL (1), IOTA (2) and VALUES */
    uint32_t n_values;
    uint64_t seed;
    const char *path;
    uint64_t offset; /* for comparisons, in elements */
    double tolerance, relative;
    uint64_t ulps;
} data_spec;

enum { DATA_MAX_BYTES = 1 << 30 };

/* The size of an element in bytes, and the type's name; and the type with the name of `len`
 * characters at `name`. */
unsigned
data_type_size(data_type type);
const char *
data_type_name(data_type type);
bool
data_type_find(const char *name, size_t len, data_type *type);

/* Reads the number at `*text` and advances past it: decimal or 0x integers, decimal floats, a
 * suffix h, f or d. On failure returns false and a message. */
bool
data_number_parse(const char **text, data_number *out, const char **message);

/* Stores a number as an element of `type` in `out`. Returns false and a message if it does not fit.
 */
bool
data_number_store(const data_number *n, data_type type, void *out, const char **message);

/* Reads a size up to `end`: an integer, optionally followed by k, m or g. */
bool
data_size_parse(const char *text, const char *end, uint64_t *out);

/* Reads a description; `is_expectation` allows the items for comparisons. On failure returns false
 * and a message. */
bool
data_spec_parse(arena *a, const char *text, bool is_expectation, data_spec *out,
                const char **message);

/* Makes the data for a description: `*size` bytes in the arena. If the description has no size,
 * `otherwise` bytes are made; it is an error if that is 0. `file` holds the contents of `path`, for
 * DATA_FILE. On failure returns false and a message. */
bool
data_spec_make(arena *a, const data_spec *s, uint64_t otherwise, const void *file, size_t file_size,
               uint8_t **bytes, uint64_t *size, const char **message);

/* Appends element `index` of `bytes` as text. */
void
data_print_element(const void *bytes, uint64_t index, data_type type, base_buf *out);

/* Compares the elements in bytes [0, size). Returns the number of elements that differ beyond the
 * tolerances of `s`, and the first one. NaNs are equal to NaNs. */
uint64_t
data_compare(const data_spec *s, const void *got, const void *want, uint64_t size, uint64_t *first);

#endif
