/* Code shared by Heddle's own devices: the features they claim, conversion of a script's SPIR-V to
 * HIR, and conversion of a script's images and samplers to the machine layer's form (internal).
 */
#ifndef AMBER_DEV_EMU_H
#define AMBER_DEV_EMU_H

#include "amber/dev_keep.h"
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

/* What a device has made of an entry point: `own` is the device's. */
typedef struct amber_emu_program {
    struct amber_emu_program *next;
    const uint32_t *words;
    const amber_attach *stage;
    uint32_t wave_size;
    void *own;
} amber_emu_program;

/* The work of a device, one dispatch after the other. The arenas fail through `diag`. It must live
 * outside the function that arms `diag`. */
typedef struct amber_emu_job {
    diag diag;
    arena arena, scratch; /* until the dispatch ends */
    arena kept;           /* until the script ends */
    ir_ctx ctx;           /* allocates in `arena` */
    ir_ctx kept_ctx;      /* allocates in `kept` */
    spirv_options options;
    bool fuses_sums; /* of these, for the target */
    amber_emu_program *programs;
    amber_keep images;
} amber_emu_job;

/* Initialises the job of a device, which takes no memory until a dispatch begins. */
void
amber_emu_job_open(amber_emu_job *j);

/* Begins a dispatch, with the wave size as a constant of the shader. */
void
amber_emu_job_begin(amber_emu_job *j, const amber_dispatch *run, uint32_t wave_size);

/* Calls `work`. An error that leaves through the job's exit sets the result, as a skip for an
 * unsupported feature, else as a failure. Returns false then, else what `work` returns. */
bool
amber_emu_protect(amber_emu_job *j, bool (*work)(void *user), void *user, amber_result *r);

/* Ends a dispatch: frees its memory, and unless it is lasting all that is kept. */
void
amber_emu_job_end(amber_emu_job *j, const amber_dispatch *run);

/* Frees all memory. */
void
amber_emu_job_close(amber_emu_job *j);

/* What the device has made of the dispatch's entry point, or NULL; and sets it. */
void *
amber_emu_find_program(const amber_emu_job *j, const amber_dispatch *run);
void
amber_emu_add_program(amber_emu_job *j, const amber_dispatch *run, void *own);

/* Reads the entry point as HIR, which is kept, with the stage's specialisation constants. Leaves
 * through the job's error exit on failure. */
ir_fn *
amber_emu_read(amber_emu_job *j, const amber_dispatch *run);

/* The bytes of the buffer that the binding covers: [*offset, *offset + result). */
uint64_t
amber_emu_range(const amber_binding *b, uint64_t *offset);

/* Describes a script's image with all levels. Returns the size of its contents in the machine
 * layer's layout, or 0 if that does not know the format. Leaves `data` and `size` empty. */
uint64_t
amber_emu_image(const amber_buffer *b, mach_image *m);

/* The kept image of a buffer that the dispatch binds as one; NULL (with a skip) if its format is
 * not known. */
const mach_image *
amber_emu_get_image(amber_emu_job *j, const amber_dispatch *run, const amber_buffer *b,
                    amber_result *r);

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
