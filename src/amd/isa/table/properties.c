#include "amd/isa/table/properties.h"

#define VALUES(...)                                                                                \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

const amd_property_table amd_properties = {
#define AMD_PROPERTY(name, values, what) .name = VALUES values,
#include "amd/isa/table/properties.def"
#undef AMD_PROPERTY
};
