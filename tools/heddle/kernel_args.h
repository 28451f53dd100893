/* A kernel's arguments on the command line, and their layout in the kernarg segment.
 *
 *     [NAME[+OFFSET]=]VALUE
 *
 *     42   -1   0x10   1.5   1.5f        a number, of the argument's size; a suffix h, f, d is a type
 *     u8:255   f32:1,2,3,4               one or several numbers of a type: scalars and vectors
 *     data:DESCRIPTION                   by value, any bytes (data_spec.h)
 *     buf:DESCRIPTION                    the address of a buffer of its own
 *     buf:same=NAME                      the address of another argument's buffer
 *     lds:SIZE                           that much of the group's memory, for pointers to it
 *     image:... sampler:...              the address of a T# or an S# (kernel_image.h)
 *
 * Values are assigned to the arguments in the kernel's metadata, in order, not counting hidden
 * ones; NAME= selects one. If the metadata does not describe the arguments, they are laid out in
 * the order given, each aligned to its size.
 */
#ifndef KERNEL_ARGS_H
#define KERNEL_ARGS_H

#include "data_spec.h"
#include "kernel_image.h"

#include "machine/memory.h"
#include "object/object.h"

typedef enum kernel_value {
    KERNEL_NUMBERS,
    KERNEL_DATA,
    KERNEL_BUFFER,
    KERNEL_SAME,
    KERNEL_LDS,
    KERNEL_IMAGE,
    KERNEL_SAMPLER,
} kernel_value;

/* One --arg. */
typedef struct kernel_arg {
    const char *text; /* as given */
    const char *name; /* NULL: the next one in order */
    kernel_value kind;
    bool has_type;
    data_type type;     /* NUMBERS */
    data_spec spec;     /* DATA, BUFFER; NUMBERS: its values; IMAGE: texels */
    const char *same;   /* SAME */
    uint64_t lds_bytes; /* LDS */
    mach_image image;   /* IMAGE: without layout */
    mach_sampler sampler;
} kernel_arg;

/* Parses one argument. On failure returns false and a message. */
bool
kernel_arg_parse(arena *a, const char *text, kernel_arg *out, const char **message);

/* Access to the files that descriptions name. `read` returns a file's bytes, or NULL. */
typedef struct kernel_files {
    const void *(*read)(void *user, const char *path, size_t *size);
    void *user;
} kernel_files;

/* An argument of the kernel with the value given for it. */
typedef struct kernel_slot {
    const obj_arg *arg;
    const kernel_arg *given;
    uint32_t number;     /* position among the arguments that are not hidden */
    mach_region *buffer; /* NULL: none; for an image its bytes in the target's layout */
    data_type type;      /* of the buffer's elements */
    bool in_parts;       /* its values are those of its parts */
    bool is_part;        /* not an argument, but bytes of argument `number`: ARG+OFFSET */
} kernel_slot;

typedef struct kernel_frame {
    kernel_slot
        *slots; /* arguments that are not hidden, in the metadata's order, then their parts */
    uint32_t n_slots;
    uint8_t *bytes; /* explicit arguments as in the kernarg segment */
    uint32_t size;
    uint32_t lds_bytes; /* per group, static and dynamic */
} kernel_frame;

/* Sets each argument of the kernel: makes buffers in `m` (with tracking of undefined ones, if
 * `track`) and lays out the bytes. On failure returns false and a message. */
bool
kernel_frame_make(arena *a, mach_memory *m, const obj_code *kernel, const kernel_arg *args,
                  size_t n_args, bool track, const kernel_files *files, kernel_frame *out,
                  const char **message);

/* Finds the slot named by `text` (`len` characters), by name or by number, or the part of one that
 * was given: ARG+OFFSET. NULL if there is none. */
const kernel_slot *
kernel_frame_find(const kernel_frame *f, const char *text, size_t len);

/* Appends the list of the kernel's arguments: "a (global_buffer, 8 bytes), ...". */
void
kernel_print_args(const obj_code *kernel, base_buf *out);

#endif
