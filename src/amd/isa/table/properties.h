/* Differences between generations by name (properties.def): amd_has(target, has_vscnt). */
#ifndef AMD_PROPERTIES_H
#define AMD_PROPERTIES_H

#include "amd/isa/isa.h"

/* Each property by generation. */
typedef struct amd_property_table {
#define AMD_PROPERTY(name, values, what) uint16_t name[AMD_GEN_COUNT];
#include "amd/isa/table/properties.def"
#undef AMD_PROPERTY
} amd_property_table;

extern const amd_property_table amd_properties;

/* The value of a property of properties.def for an amd_target. */
#define amd_has(target, property) (amd_properties.property[(target)->gen])

#endif
