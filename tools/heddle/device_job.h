/* The file that --device program:PROGRAM hands to a program: a dispatch with the contents of its
 * buffers and images, which the program puts back in their place.
 *
 * Numbers are little-endian and of 32 bits. Behind the head: the module's words, pairs of
 * specialisation constants (id, value), push constants, the entry point's name, descriptors,
 * samplers, and of each buffer a device_job_buffer and its bytes. Push constants, the name and the
 * bytes of buffers are filled up to whole dwords. A program that does not have what the dispatch
 * needs exits with DEVICE_JOB_LACKS, and may leave a line of text in the file, in place of the job,
 * that says what. */
#ifndef HEDDLE_DEVICE_JOB_H
#define HEDDLE_DEVICE_JOB_H

#include <stdint.h>

enum { DEVICE_JOB_MAGIC = 0x324a4448, DEVICE_JOB_LACKS = 77 };

#define DEVICE_JOB_NONE UINT32_MAX

typedef struct device_job {
    uint32_t magic;
    uint32_t n_words, n_specs, push_bytes, name_bytes, n_descriptors, n_samplers, n_buffers;
    uint32_t groups[3];
    uint32_t subgroup_size; /* that is required; 0: none is */
    uint32_t full_subgroups;
    uint32_t
        storage_16bit; /* the script asks for 16-bit accesses, which its modules need not say */
} device_job;

typedef struct device_job_descriptor {
    uint32_t set, binding, element;
    uint32_t type;                          /* VkDescriptorType */
    uint32_t buffer;                        /* among the job's buffers; NONE: a sampler alone */
    uint32_t offset, range, dynamic_offset; /* bytes; range UINT32_MAX: to the end */
    uint32_t base_level;                    /* the view's first; that of a storage image has one */
    uint32_t sampler;                       /* among the job's; NONE: there is none */
} device_job_descriptor;

/* Numbers are those of Vulkan's enumerations and flags. */
typedef struct device_job_sampler {
    uint32_t mag, min, mip, address[3], border;
    float min_lod, max_lod;
    uint32_t max_anisotropy; /* 0 and 1: none */
    uint32_t unnormalized, compare, compare_op;
} device_job_sampler;

/* A buffer or an image. An image's bytes are level after level, of each all layers and slices, row
 * after row without padding; the samples of a texel are adjacent. */
typedef struct device_job_buffer {
    uint32_t size;                /* in bytes */
    uint32_t format, texel_bytes; /* VkFormat; 0: elements are no texels */
    uint32_t dim;                 /* 1 to 3; 0: not declared as an image */
    uint32_t width, height, depth, levels, samples;
    uint32_t layers; /* 0: no array */
    uint32_t cube;
} device_job_buffer;

#endif
