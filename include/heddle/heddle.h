/* Heddle: a standalone GPU shader compiler. The public C API. */
#ifndef HEDDLE_H
#define HEDDLE_H

#define HEDDLE_VERSION_MAJOR 0
#define HEDDLE_VERSION_MINOR 1
#define HEDDLE_VERSION_PATCH 0

#endif
