/* What the devices of our own have in common: the features they claim, how a script's SPIR-V
 * becomes HIR, images and samplers of a script as the machine layer has them (internal).
 */
#ifndef AMBER_DEV_EMU_H
#define AMBER_DEV_EMU_H

#include "amber/device.h"
#include "machine/image.h"
#include "spirv/spirv.h"

/* The questions of amber_device_functions. */
bool
amber_emu_has_feature(amber_device *d, const char *name);
bool
amber_emu_has_device_extension(amber_device *d, const char *name);
bool
amber_emu_has_instance_extension(amber_device *d, const char *name);
bool
amber_emu_has_property(amber_device *d, const char *name);

/* The subgroup size for a stage: what it requires, else `wanted`, else 64. False (with a skip) if
 * the stage requires a size that is not 32 or 64. */
bool
amber_emu_wave_size(const amber_attach *stage, uint32_t wanted, uint32_t *size, amber_result *r);

/* One compile: its arenas and its error exit. The arenas fail by `diag`. Lives outside the function
 * that arms `diag`. */
typedef struct amber_emu_job {
    diag diag;
    arena arena, scratch;
    ir_ctx ctx;
    spirv_options options;
} amber_emu_job;

/* Makes a job for the dispatch's entry point, with the wave size as a constant of the shader. */
void
amber_emu_job_init(amber_emu_job *j, const amber_dispatch *run, uint32_t wave_size);

/* Gives its memory back. */
void
amber_emu_job_free(amber_emu_job *j);

/* The entry point as HIR, with the stage's specialisation constants. Leaves by the job's error
 * exit.
 */
ir_fn *
amber_emu_read(amber_emu_job *j, const amber_dispatch *run);

/* The result of an error that `j->diag` has recorded: a skip of what is not built, else a failure.
 */
void
amber_emu_job_result(const amber_emu_job *j, amber_result *r);

/* The bytes of the buffer that the binding shows: [*offset, *offset + result). */
uint64_t
amber_emu_range(const amber_binding *b, uint64_t *offset);

/* Describes a script's image, all levels, and gives the bytes that its contents take in the machine
 * layer's layout; 0 if it has no format that is known there. `data` and `size` stay empty. */
uint64_t
amber_emu_image(const amber_buffer *b, mach_image *m);

/* Narrows an image to what the binding shows. */
void
amber_emu_image_view(const amber_binding *b, mach_image *m);

/* The texel buffer of a binding over the buffer's own bytes; false if its type is no texel format.
 */
bool
amber_emu_texel_buffer(const amber_binding *b, uint8_t *bytes, mach_image *m);

/* Copies contents between the runner's layout and the image's. */
void
amber_emu_image_put(const mach_image *m, const amber_buffer *b, const uint8_t *bytes);
void
amber_emu_image_get(const mach_image *m, const amber_buffer *b, uint8_t *bytes);

/* The sampler as the machine layer has it. */
mach_sampler
amber_emu_sampler(const amber_sampler *s);

#endif
