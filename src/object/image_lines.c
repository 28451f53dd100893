/* Line tables of an image: a table and a compile unit for each section that has lines. */
#include "object/image.h"

#include "object/dwarf.h"

enum { ABBREV, INFO, LINES };

/* 8 bytes that receive the address of a section. */
typedef struct line_patch {
    uint32_t in; /* ABBREV ... */
    size_t at;
    uint32_t section;
} line_patch;

struct obj_image_lines {
    base_buf data[OBJ_LINE_SECTIONS];
    line_patch *patches;
    uint32_t n_patches;
    uint32_t first; /* of the three sections */
};

static void
add_patch(obj_image_lines *l, uint32_t in, size_t at, uint32_t section)
{
    l->patches[l->n_patches++] = (line_patch){in, at, section};
}

obj_image_lines *
obj_image_add_lines(arena *a, obj_image *image, const obj_code *codes)
{
    static const char *const names[] = {".debug_abbrev", ".debug_info", ".debug_line"};
    obj_image_lines *l = ARENA_NEW(a, obj_image_lines);
    l->patches = ARENA_ARRAY(a, 2 * image->n_sections, line_patch);
    l->first = image->n_sections;
    for (int i = 0; i < OBJ_LINE_SECTIONS; i++)
        l->data[i] = buf_make(a);
    for (uint32_t i = 0; i < l->first; i++) {
        if (!codes[i].n_lines)
            continue;
        uint32_t at = (uint32_t)l->data[LINES].size;
        add_patch(l, INFO, dwarf_write_unit(&codes[i], at, &l->data[INFO], &l->data[ABBREV]), i);
        add_patch(l, LINES, dwarf_write_lines(&codes[i], &l->data[LINES]), i);
    }
    for (int i = 0; i < OBJ_LINE_SECTIONS && l->n_patches; i++)
        image->sections[image->n_sections++] = (obj_section){.name = names[i],
                                                             .is_kept = true,
                                                             .align = 1,
                                                             .data = l->data[i].data,
                                                             .size = l->data[i].size};
    return l;
}

void
obj_image_set_lines(obj_image_lines *l, const obj_image *image)
{
    for (uint32_t i = 0; i < l->n_patches; i++)
        buf_set_u64(&l->data[l->patches[i].in], l->patches[i].at,
                    image->sections[l->patches[i].section].address);
}
