/* What the files of all families share. The container: a file of a made-up machine, as its family
 * says it is marked, is what libelf reads, and is read back; another machine's file is refused.
 * MessagePack: the same bytes as msgpack-c. */
#include "world.h"

#include "object/dwarf.h"
#include "object/elf.h"
#include "object/image.h"
#include "object/pack.h"
#include "object/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <gelf.h>
#include <msgpack.h>

static const obj_format loom = {
    .machine = 0x4c4d,
    .machine_name = "the loom",
    .note_owner = "Loom Works",
    .note_type = 7,
    .code_align = 32,
    .relative64 = 9,
};

static const uint8_t code_bytes[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};

static base_buf
note_of(world *w)
{
    base_buf b = buf_make(&w->a);
    pack_map(&b, 1);
    pack_key_text(&b, "shuttle", "flying");
    return b;
}

/* A file with one kernel, with a record of 16 bytes if `with_record`. */
static base_buf
written(world *w, const obj_code *code, bool with_record)
{
    static const uint8_t record[16] = {0xaa, 0xbb};
    base_buf b = buf_make(&w->a), note = note_of(w);
    obj_envelope e = {.format = &loom,
                      .marks = {.os_abi = 77, .abi_version = 2, .flags = 0x12345678},
                      .metadata = &note,
                      .symbol = "weave"};
    if (with_record)
        e.record = (obj_record){"weave.card", record, sizeof record, 16, 8};
    obj_write(code, &e, &b);
    return b;
}

static elf_reader
reader_of(world *w, const base_buf *b, obj_file *f)
{
    return (elf_reader){
        .d = &w->d, .a = &w->a, .bytes = b->data, .size = b->size, .format = &loom, .out = f};
}

/* The symbol called `name` of the file's whole table. */
static GElf_Sym
symbol_named(Elf *e, const char *name)
{
    GElf_Shdr header;
    GElf_Sym found = {0};
    Elf_Scn *s = NULL;
    while ((s = elf_nextscn(e, s))) {
        assert_non_null(gelf_getshdr(s, &header));
        Elf_Data *data = elf_getdata(s, NULL);
        for (int i = 1; header.sh_type == SHT_SYMTAB && gelf_getsym(data, i, &found); i++)
            if (strcmp(elf_strptr(e, header.sh_link, found.st_name), name) == 0)
                return found;
    }
    fail_msg("no symbol %s", name);
    return found;
}

/* libelf sees the machine, the marks and the symbols as they were given. */
static void
test_libelf_agrees(void **state)
{
    world *w = *state;
    const obj_code code = {.code = code_bytes, .code_size = 12, .data_offset = 8};
    base_buf b = written(w, &code, true);
    GElf_Ehdr header;
    elf_version(EV_CURRENT);
    Elf *e = elf_memory((char *)b.data, b.size);
    assert_non_null(e);
    assert_non_null(gelf_getehdr(e, &header));
    assert_int_equal(header.e_machine, 0x4c4d);
    assert_int_equal(header.e_flags, 0x12345678);
    assert_int_equal(header.e_ident[EI_OSABI], 77);
    assert_int_equal(header.e_ident[EI_ABIVERSION], 2);
    assert_int_equal(symbol_named(e, "weave").st_value % 32, 0);
    assert_int_equal(symbol_named(e, "weave").st_size, 8);
    assert_int_equal(symbol_named(e, "heddle.data").st_size, 4);
    assert_int_equal(symbol_named(e, "weave.card").st_size, 16);
    elf_end(e);
}

/* The reader finds the note, the code, the record and the distance in it, and the source lines. */
static void
test_reads_back(void **state)
{
    world *w = *state;
    static const char *const files[] = {"pattern"};
    static const obj_line lines[] = {{0, 0, 4, 2}, {4, 0, 9, 0}};
    const obj_code code = {.code = code_bytes,
                           .code_size = 12,
                           .data_offset = 12,
                           .files = files,
                           .n_files = 1,
                           .lines = lines,
                           .n_lines = 2};
    base_buf b = written(w, &code, true), note = note_of(w);
    obj_file f = {0};
    obj_code kernel = {0};
    elf_note_place place = {0};
    size_t size;
    if (!DIAG_TRY(&w->d))
        fail_msg("%s", w->d.message);
    elf_reader r = reader_of(w, &b, &f);
    elf_read_header(&r);
    assert_int_equal(r.marks.os_abi, 77);
    assert_int_equal(r.marks.flags, 0x12345678);
    elf_read_tables(&r);
    obj_section *sections = elf_list_sections(&r);
    const uint8_t *metadata = elf_next_note(&r, &place, &size);
    assert_int_equal(size, note.size);
    assert_memory_equal(metadata, note.data, size);
    assert_null(elf_next_note(&r, &place, &size));
    const elf_symbol *entry = elf_find_symbol(&r, "weave");
    const elf_symbol *card = elf_find_symbol(&r, "weave.card");
    elf_set_code(&r, &kernel, entry->value, entry->size);
    assert_int_equal(kernel.code_size, 12);
    assert_memory_equal(kernel.code, code_bytes, 12);
    const uint8_t *record = elf_address_bytes(&r, card->value, &(uint64_t){0});
    assert_int_equal(record[1], 0xbb);
    assert_int_equal(card->value + elf_u64(record + 8), entry->value);
    f.kernels = &kernel;
    f.n_kernels = 1;
    elf_read_lines(&r, &kernel, sections);
    assert_int_equal(kernel.n_lines, 2);
    assert_memory_equal(kernel.lines, lines, sizeof lines);
    assert_string_equal(kernel.files[0], "pattern");
}

static void
test_other_files_are_refused(void **state)
{
    world *w = *state;
    const obj_code code = {.code = code_bytes, .code_size = 12, .data_offset = 12};
    base_buf b = written(w, &code, false);
    obj_file f = {0};
    elf_note_place place = {0};
    size_t size;
    assert_true(obj_is_elf_for(b.data, b.size, 0x4c4d));
    assert_false(obj_is_elf_for(b.data, b.size, 224));
    assert_false(obj_is_elf_for(b.data, 19, 0x4c4d));
    elf_reader r = reader_of(w, &b, &f);
    if (!DIAG_TRY(&w->d))
        fail_msg("%s", w->d.message);
    elf_read_header(&r);
    elf_read_tables(&r);
    assert_null(elf_find_symbol(&r, "weave.card"));
    obj_format other = loom;
    other.note_owner = "Loom Work";
    r.format = &other;
    assert_null(elf_next_note(&r, &place, &size));
    other = loom;
    other.note_type = 8;
    place = (elf_note_place){0};
    assert_null(elf_next_note(&r, &place, &size));
    other.machine++;
    if (DIAG_TRY(&w->d)) {
        elf_read_header(&r);
        fail_msg("read a file of another machine");
    }
    assert_int_equal(w->d.error, ERR_OBJECT_BAD_ELF);
    assert_string_equal(w->d.message, "not a code object: not for the loom");
}

/* Relocations of the format's type, and no others, are what a loader applies. */
static void
test_relocations_are_the_formats(void **state)
{
    world *w = *state;
    base_buf b = buf_make(&w->a), note = note_of(w);
    static const uint8_t zeros[16];
    obj_section section = {.name = ".data",
                           .is_loaded = true,
                           .is_writable = true,
                           .align = 8,
                           .data = zeros,
                           .size = 16};
    const obj_dynamic dynamic = {0, 8, 0x1234};
    obj_image image = {.format = &loom,
                       .metadata = note.data,
                       .metadata_size = note.size,
                       .sections = &section,
                       .n_sections = 1,
                       .dynamics = &dynamic,
                       .n_dynamics = 1,
                       .max_dynamics = 1};
    obj_file f = {0};
    obj_format other = loom;
    obj_image_place(&w->a, &image);
    obj_image_write(&image, &b);
    elf_reader r = reader_of(w, &b, &f);
    if (!DIAG_TRY(&w->d))
        fail_msg("%s", w->d.message);
    elf_read_header(&r);
    elf_read_tables(&r);
    assert_int_equal(f.n_relocs, 1);
    assert_int_equal(f.relocs[0].addend, 0x1234);
    assert_true(f.relocs[0].is_relative);
    assert_int_equal(f.relocs[0].address, section.address + 8);
    other.relative64 = 0;
    f = (obj_file){0};
    r.format = &other;
    if (DIAG_TRY(&w->d)) {
        elf_read_tables(&r);
        fail_msg("read a relocation that the format does not have");
    }
    assert_int_equal(w->d.error, ERR_OBJECT_UNSUPPORTED);
}

static const pack_value *
unpacked(world *w, const void *bytes, size_t size)
{
    if (!DIAG_TRY(&w->d))
        fail_msg("%s", w->d.message);
    return pack_read(&w->d, &w->a, bytes, size);
}

/* Reads what msgpack-c packs, in every size class; the writer gives the same bytes. */
static void
test_pack_every_size(void **state)
{
    world *w = *state;
    static const uint64_t numbers[] = {
        0, 0x7f, 0x80, 0xff, 0x100, 0xffff, 0x10000, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX};
    static const uint32_t lengths[] = {0, 15, 16, 31, 32, 255, 256, 65535, 65536};
    for (size_t i = 0; i < 10; i++) {
        msgpack_sbuffer s;
        msgpack_packer p;
        base_buf b = buf_make(&w->a);
        msgpack_sbuffer_init(&s);
        msgpack_packer_init(&p, &s, msgpack_sbuffer_write);
        msgpack_pack_uint64(&p, numbers[i]);
        pack_uint(&b, numbers[i]);
        assert_int_equal(b.size, s.size);
        assert_memory_equal(b.data, s.data, s.size);
        const pack_value *v = unpacked(w, b.data, b.size);
        assert_int_equal(v->kind, PACK_UINT);
        assert_true(v->number == numbers[i]);
        msgpack_sbuffer_clear(&s);
        int64_t negative = -(int64_t)(numbers[i] / 2) - 1;
        msgpack_pack_int64(&p, negative);
        v = unpacked(w, s.data, s.size);
        assert_int_equal(v->kind, PACK_INT);
        assert_true((int64_t)v->number == negative);
        msgpack_sbuffer_destroy(&s);
    }
    for (size_t i = 0; i < 9; i++) {
        msgpack_sbuffer s;
        msgpack_packer p;
        base_buf b = buf_make(&w->a);
        char *text = arena_zalloc(&w->a, lengths[i] + 1);
        memset(text, 'x', lengths[i]);
        msgpack_sbuffer_init(&s);
        msgpack_packer_init(&p, &s, msgpack_sbuffer_write);
        msgpack_pack_array(&p, lengths[i]);
        pack_array(&b, lengths[i]);
        for (uint32_t k = 0; k < lengths[i]; k++) {
            msgpack_pack_true(&p);
            pack_bool(&b, true);
        }
        msgpack_pack_str(&p, lengths[i]);
        msgpack_pack_str_body(&p, text, lengths[i]);
        pack_text(&b, text);
        assert_int_equal(b.size, s.size);
        assert_memory_equal(b.data, s.data, s.size);
        const pack_value *v = unpacked(w, b.data, b.size);
        assert_int_equal(pack_count(v), lengths[i]);
        assert_null(pack_at(v, lengths[i]));
        msgpack_sbuffer_destroy(&s);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_libelf_agrees, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_reads_back, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_other_files_are_refused, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_relocations_are_the_formats, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_pack_every_size, make_world, drop_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
