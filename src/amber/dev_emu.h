/* Code shared by Heddle's own devices: the features they claim, conversion of a script's SPIR-V to
 * HIR, and conversion of a script's images and samplers to the machine layer's form (internal).
 */
#ifndef AMBER_DEV_EMU_H
#define AMBER_DEV_EMU_H

#include "amber/device.h"
#include "machine/image.h"
#include "spirv/spirv.h"

/* Queries of amber_device_functions. */
bool
amber_emu_has_feature(amber_device *d, const char *name);
bool
amber_emu_has_device_extension(amber_device *d, const char *name);
bool
amber_emu_has_instance_extension(amber_device *d, const char *name);
bool
amber_emu_has_property(amber_device *d, const char *name);

/* The wave sizes of a device. */
typedef struct amber_emu_waves {
    uint32_t sizes;  /* their sum; each is a power of two */
    uint32_t wanted; /* for stages that require none */
} amber_emu_waves;

/* The subgroup size for a stage: the size it requires, else the one that is wanted. Returns false
 * (with a skip) if the device does not have that size. */
bool
amber_emu_wave_size(const amber_attach *stage, const amber_emu_waves *waves, uint32_t *size,
                    amber_result *r);

/* One compile: its arenas and its error exit. The arenas fail through `diag`. It must live outside
 * the function that arms `diag`. */
typedef struct amber_emu_job {
    diag diag;
    arena arena, scratch;
    ir_ctx ctx;
    spirv_options options;
} amber_emu_job;

/* Initialises a job for the dispatch's entry point, with the wave size as a constant of the shader.
 */
void
amber_emu_job_init(amber_emu_job *j, const amber_dispatch *run, uint32_t wave_size);

/* Frees the job's memory. */
void
amber_emu_job_free(amber_emu_job *j);

/* Reads the entry point as HIR, with the stage's specialisation constants. Leaves through the job's
 * error exit on failure.
 */
ir_fn *
amber_emu_read(amber_emu_job *j, const amber_dispatch *run);

/* Sets the result for an error recorded in `j->diag`: a skip for an unsupported feature, else a
 * failure.
 */
void
amber_emu_job_result(const amber_emu_job *j, amber_result *r);

/* The bytes of the buffer that the binding covers: [*offset, *offset + result). */
uint64_t
amber_emu_range(const amber_binding *b, uint64_t *offset);

/* Describes a script's image with all levels. Returns the size of its contents in the machine
 * layer's layout, or 0 if that does not know the format. Leaves `data` and `size` empty. */
uint64_t
amber_emu_image(const amber_buffer *b, mach_image *m);

/* Narrows an image to the binding's view. */
void
amber_emu_image_view(const amber_binding *b, mach_image *m);

/* Makes the texel buffer of a binding over the buffer's own bytes. Returns false if its type is not
 * a texel format.
 */
bool
amber_emu_texel_buffer(const amber_binding *b, uint8_t *bytes, mach_image *m);

/* Copies contents between the runner's layout and the image's. */
void
amber_emu_image_put(const mach_image *m, const amber_buffer *b, const uint8_t *bytes);
void
amber_emu_image_get(const mach_image *m, const amber_buffer *b, uint8_t *bytes);

/* Converts a sampler to the machine layer's form. */
mach_sampler
amber_emu_sampler(const amber_sampler *s);

#endif
