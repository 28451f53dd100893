/* The pictures of --png: images of a script when it has run. */
#ifndef RUN_PICTURES_H
#define RUN_PICTURES_H

#include "amber/run.h"

typedef struct run_pictures {
    arena *arena;
    const char *dir;
    const char *path;   /* of the script */
    const char *target; /* as the files name it */
    bool has_samples;   /* the contents of multisampled images are known */
} run_pictures;

/* amber_observer.finished; `user` is a run_pictures. Writes
 *   DIR/SCRIPT.TARGET.IMAGE.png           each image, and each buffer of texels in two dimensions
 *   DIR/SCRIPT.TARGET.IMAGE.level1.png    its other mip levels
 *   DIR/SCRIPT.TARGET.IMAGE.stencil.png   beside a depth
 * and of an image that a comparison has found wrong IMAGE.expected.png, IMAGE.actual.png and
 * IMAGE.difference.png. */
void
run_write_pictures(void *user, const amber_script *script, const amber_memory *memory,
                   const amber_command *failed);

#endif
