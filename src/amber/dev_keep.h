/* The images of a script in the machine layer's layout or the target's, kept from one dispatch to
 * the next (internal to Heddle's own devices).
 *
 * Buffers are used in place: an emulated machine maps the runner's own bytes. An image has another
 * layout, so it is converted when it is first bound, and again only when the other side has changed
 * it; a script that repeats a dispatch on a large image pays for what the dispatch touches. Each
 * image knows which side is newer.
 */
#ifndef AMBER_DEV_KEEP_H
#define AMBER_DEV_KEEP_H

#include "amber/device.h"
#include "family/family.h"

typedef struct amber_kept_image {
    const amber_buffer *source;
    mach_image image;
    enum {
        AMBER_KEPT_SAME,
        AMBER_KEPT_NEWER,
        AMBER_KEPT_OLDER
    } state; /* than the runner's bytes */
} amber_kept_image;

/* Zeros and an arena: nothing is kept. */
typedef struct amber_keep {
    arena *arena;
    const family_target *target; /* whose layout images have; NULL: the machine layer's */
    amber_kept_image **images;   /* by amber_buffer.index; NULL: none */
    size_t count, cap;
} amber_keep;

/* Is this kind of descriptor an image? Texel buffers are not. */
bool
amber_keep_is_image(amber_descriptor kind);

/* Before a dispatch: brings the bytes of all buffers up to date that it can use as buffers. */
void
amber_keep_before(amber_keep *k, const amber_dispatch *run);

/* The image of a buffer that a dispatch binds as one; NULL if the machine layer does not know its
 * format. Called after amber_keep_before. */
const mach_image *
amber_keep_image(amber_keep *k, const amber_buffer *b, const amber_memory *memory);

/* After a dispatch: notes what it may have changed. */
void
amber_keep_after(amber_keep *k, const amber_dispatch *run);

/* After a draw into the image of a buffer. */
void
amber_keep_drawn(amber_keep *k, const amber_buffer *b);

/* amber_device_functions.sync: `m` is the buffer's memory. */
void
amber_keep_sync(amber_keep *k, const amber_buffer *b, const amber_memory *m, bool write);

/* The same for all images, before they are dropped; `memory` is by amber_buffer.index. */
void
amber_keep_sync_all(amber_keep *k, const amber_memory *memory);

#endif
