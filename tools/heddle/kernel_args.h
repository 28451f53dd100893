/* A kernel's arguments as the command line gives them, and what the kernarg segment makes of them.
 *
 *     [NAME=]VALUE
 *
 *     42   -1   0x10   1.5   1.5f        a number, of the argument's size; a suffix h, f, d is a type
 *     u8:255   f32:1,2,3,4               one or several numbers of a type: scalars and vectors
 *     data:DESCRIPTION                   by value, any bytes (data_spec.h)
 *     buf:DESCRIPTION                    the address of a buffer of its own
 *     buf:same=NAME                      the address of another argument's buffer
 *     lds:SIZE                           that much of the group's memory, for pointers to it
 *     image:... sampler:...              the address of a T# or an S# (kernel_image.h)
 *
 * Values are for the arguments that the kernel's metadata names, in their order, hidden ones not
 * counted; NAME= picks one. Where a kernel has arguments that its metadata does not describe, they
 * are laid out as they are given, each aligned to its size.
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
    const char *name; /* NULL: the next in order */
    kernel_value kind;
    bool has_type;
    data_type type;     /* NUMBERS */
    data_spec spec;     /* DATA, BUFFER; NUMBERS: its values; IMAGE: texels */
    const char *same;   /* SAME */
    uint64_t lds_bytes; /* LDS */
    mach_image image;   /* IMAGE: not laid out */
    mach_sampler sampler;
} kernel_arg;

/* Reads one; false with a message. */
bool
kernel_arg_parse(arena *a, const char *text, kernel_arg *out, const char **message);

/* The files that descriptions name. `read` gives a file's bytes, or NULL. */
typedef struct kernel_files {
    const void *(*read)(void *user, const char *path, size_t *size);
    void *user;
} kernel_files;

/* An argument of the kernel with what was given for it. */
typedef struct kernel_slot {
    const obj_arg *arg;
    const kernel_arg *given;
    uint32_t number;     /* among the arguments that are not hidden */
    mach_region *buffer; /* NULL: none; of an image its bytes, laid out as the target does */
    data_type type;      /* of the buffer's elements */
} kernel_slot;

typedef struct kernel_frame {
    kernel_slot *slots; /* those that are not hidden, in the metadata's order */
    uint32_t n_slots;
    uint8_t *bytes; /* explicit arguments as they stand in the kernarg segment */
    uint32_t size;
    uint32_t lds_bytes; /* a group, static and dynamic */
} kernel_frame;

/* Gives each argument of the kernel its value: makes buffers in `m` (undefined ones tracked, if
 * `track`), lays out the bytes. False with a message. */
bool
kernel_frame_make(arena *a, mach_memory *m, const obj_code *kernel, const kernel_arg *args,
                  size_t n_args, bool track, const kernel_files *files, kernel_frame *out,
                  const char **message);

/* The slot that `text` (`len` characters) names: by name or by number. NULL if there is none. */
const kernel_slot *
kernel_frame_find(const kernel_frame *f, const char *text, size_t len);

/* Appends the arguments that the kernel takes: "a (global_buffer, 8 bytes), ...". */
void
kernel_print_args(const obj_code *kernel, base_buf *out);

#endif
