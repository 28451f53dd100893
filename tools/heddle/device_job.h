/* The file that --device program:PROGRAM hands to a program: a dispatch with the contents of its
 * buffers, which the program puts back in their place.
 *
 * Numbers are little-endian and of 32 bits. Behind the head: the module's words, pairs of
 * specialisation constants (id, value), push constants, the entry point's name, descriptors, and
 * each buffer's size and bytes. Push constants, the name and the bytes of buffers are filled up to
 * whole dwords. A program that does not have what the dispatch needs exits with DEVICE_JOB_LACKS,
 * and says what on standard error. */
#ifndef HEDDLE_DEVICE_JOB_H
#define HEDDLE_DEVICE_JOB_H

#include <stdint.h>

enum { DEVICE_JOB_MAGIC = 0x424a4448, DEVICE_JOB_LACKS = 77 };

typedef struct device_job {
    uint32_t magic;
    uint32_t n_words, n_specs, push_bytes, name_bytes, n_descriptors, n_buffers;
    uint32_t groups[3];
    uint32_t subgroup_size; /* that is required; 0: none is */
    uint32_t full_subgroups;
    uint32_t
        storage_16bit; /* the script asks for 16-bit accesses, which its modules need not say */
} device_job;

typedef struct device_job_descriptor {
    uint32_t set, binding, element;
    uint32_t type;                          /* VkDescriptorType, a buffer's */
    uint32_t buffer;                        /* among the job's buffers */
    uint32_t offset, range, dynamic_offset; /* bytes; range UINT32_MAX: to the end */
} device_job_descriptor;

#endif
