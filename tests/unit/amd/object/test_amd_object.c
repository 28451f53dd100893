/* AMD's code objects: written files are read by libelf and msgpack-c, and read back; malformed files are
 * rejected. tests/lit/object compares with LLVM's tools and reads objects made by clang. */
#include "../../object/world.h"

#include "amd/object/format.h"
#include "amd/object/object.h"
#include "object/elf.h"
#include "object/read.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>
#include <gelf.h>
#include <msgpack.h>

/* s_endpgm, s_nop 0, then two words of data. */
static const uint8_t code_bytes[] = {0, 0, 0x81, 0xbf, 0, 0, 0x80, 0xbf, 1, 2, 3, 4, 5, 6, 7, 8};
static const amd_obj_user_sgpr vulkan_users[] = {
    {AMD_OBJ_USER_DESCRIPTOR_SET, 0, 0, 1},
    {AMD_OBJ_USER_DESCRIPTOR_SET, 3, 1, 1},
    {AMD_OBJ_USER_PUSH_CONSTANTS_INLINE, 2, 2, 4},
    {AMD_OBJ_USER_WORKGROUP_COUNT, 0, 6, 3},
};
static const amd_obj_user_sgpr hsa_users[] = {
    {AMD_OBJ_USER_DISPATCH_POINTER, 0, 0, 2},
    {AMD_OBJ_USER_KERNARG_POINTER, 0, 2, 2},
};
static const obj_resource resources[] = {
    {0, 2, OBJ_DESCRIPTOR_SAMPLED_IMAGE, 3, 64, 32, 32, false, true},
    {1, 0, OBJ_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC, 1, 80, 16, 16, true, false},
};
static const obj_arg args[] = {{"out", "global_buffer", 0, 8}, {"", "by_value", 8, 4}};
static const char *const files[] = {"a.comp", "dir/b.glsl"};
static const obj_line lines[] = {{0, 0, 3, 0}, {4, 1, 70000, 5}};
static const amd_obj_register registers[] = {{0xa1b3, 0xdeadbeef}};

static const amd_obj_state states[] = {
    [OBJ_ABI_VULKAN] = {.sgprs = 17,
                        .vgprs = 200,
                        .spilled_sgprs = 2,
                        .spilled_vgprs = 129,
                        .address_high = 0x12345678,
                        .buffer_word3 = 0x9abcdef0,
                        .rsrc = {0x60af0000, 0x0000018c, 0x7},
                        .user_sgprs = vulkan_users,
                        .n_user_sgprs = 4,
                        .registers = registers,
                        .n_registers = 1},
    [OBJ_ABI_HSA] = {.sgprs = 17,
                     .vgprs = 200,
                     .spilled_sgprs = 2,
                     .spilled_vgprs = 129,
                     .rsrc = {0x60af0000, 0x0000018c, 0x7},
                     .user_sgprs = hsa_users,
                     .n_user_sgprs = 2},
};

static obj_code
sample(obj_abi abi)
{
    obj_code c = {.target = "gfx1030", .abi = abi, .stage = OBJ_STAGE_COMPUTE, .wave_size = 32};
    c.name = "main";
    c.code = code_bytes;
    c.code_size = sizeof code_bytes;
    c.data_offset = 8;
    c.lds_bytes = 40000;
    c.scratch_bytes = 260;
    c.workgroup_size[0] = 8;
    c.workgroup_size[1] = 4;
    c.workgroup_size[2] = 2;
    bool hsa = abi == OBJ_ABI_HSA;
    c.own = &states[abi];
    c.resources = resources;
    c.n_resources = 2;
    c.push_size = 72;
    c.args = args;
    c.n_args = hsa ? 2 : 0;
    c.args_size = hsa ? 12 : 0;
    c.args_align = hsa ? 16 : 0;
    c.files = files;
    c.n_files = 2;
    c.lines = lines;
    c.n_lines = 2;
    return c;
}

static base_buf
written(world *w, const obj_code *c)
{
    base_buf b = buf_make(&w->a);
    if (!DIAG_TRY(&w->d))
        fail_msg("%s", w->d.message);
    amd_obj_write(&w->d, c, &b);
    return b;
}

static void
check_same(const obj_code *want, const obj_code *got)
{
    const amd_obj_state *had = amd_obj_state_of(want), *has = amd_obj_state_of(got);
    assert_string_equal(got->target, want->target);
    assert_string_equal(got->name, want->name);
    assert_int_equal(got->abi, want->abi);
    assert_int_equal(got->stage, want->stage);
    assert_int_equal(got->wave_size, want->wave_size);
    assert_int_equal(got->code_size, want->code_size);
    assert_int_equal(got->data_offset, want->data_offset);
    assert_memory_equal(got->code, want->code, want->code_size);
    assert_int_equal(has->sgprs, had->sgprs);
    assert_int_equal(has->vgprs, had->vgprs);
    assert_int_equal(got->lds_bytes, want->lds_bytes);
    assert_int_equal(got->scratch_bytes, want->scratch_bytes);
    assert_int_equal(has->spilled_sgprs, had->spilled_sgprs);
    assert_int_equal(has->spilled_vgprs, had->spilled_vgprs);
    assert_memory_equal(got->workgroup_size, want->workgroup_size, sizeof want->workgroup_size);
    assert_memory_equal(has->rsrc, had->rsrc, sizeof had->rsrc);
    assert_int_equal(has->n_user_sgprs, had->n_user_sgprs);
    for (uint32_t i = 0; i < had->n_user_sgprs; i++)
        assert_memory_equal(&has->user_sgprs[i], &had->user_sgprs[i], sizeof(amd_obj_user_sgpr));
    assert_int_equal(has->address_high, had->address_high);
    assert_int_equal(has->buffer_word3, had->buffer_word3);
    assert_int_equal(got->push_size, want->push_size);
    assert_int_equal(got->n_resources, want->n_resources);
    for (uint32_t i = 0; i < want->n_resources; i++)
        assert_memory_equal(&got->resources[i], &want->resources[i], sizeof(obj_resource));
    assert_int_equal(has->n_registers, had->n_registers);
    for (uint32_t i = 0; i < had->n_registers; i++)
        assert_memory_equal(&has->registers[i], &had->registers[i], sizeof(amd_obj_register));
    assert_int_equal(got->args_size, want->args_size);
    assert_int_equal(got->args_align, want->args_align);
    assert_int_equal(got->n_args, want->n_args);
    for (uint32_t i = 0; i < want->n_args; i++) {
        assert_string_equal(got->args[i].name, want->args[i].name);
        assert_string_equal(got->args[i].kind, want->args[i].kind);
        assert_int_equal(got->args[i].offset, want->args[i].offset);
        assert_int_equal(got->args[i].size, want->args[i].size);
    }
    assert_int_equal(got->n_lines, want->n_lines);
    assert_int_equal(got->n_files, want->n_files);
    assert_memory_equal(got->lines, want->lines, want->n_lines * sizeof *want->lines);
    for (uint32_t i = 0; i < want->n_files; i++)
        assert_string_equal(got->files[i], want->files[i]);
}

static void
test_reads_back_what_it_wrote(void **state)
{
    world *w = *state;
    for (int abi = 0; abi < 2; abi++) {
        obj_code c = sample((obj_abi)abi);
        base_buf b = written(w, &c), again = written(w, &c);
        assert_int_equal(b.size, again.size);
        assert_memory_equal(b.data, again.data, b.size);
        obj_file f;
        if (!DIAG_TRY(&w->d))
            fail_msg("%s", w->d.message);
        amd_obj_read(&w->d, &w->a, b.data, b.size, &f);
        assert_int_equal(f.n_kernels, 1);
        assert_int_equal(f.n_segments, 3);
        assert_int_equal(amd_obj_version_of(&f)->xnack, AMD_OBJ_FEATURE_ANY);
        check_same(&c, &f.kernels[0]);
        assert_int_equal(f.kernels[0].entry_address % 256, 0);
        assert_ptr_equal(obj_find_kernel(&f, NULL), &f.kernels[0]);
        assert_ptr_equal(obj_find_kernel(&f, "main"), &f.kernels[0]);
        assert_null(obj_find_kernel(&f, "other"));
    }
}

static GElf_Shdr
section_named(Elf *e, const char *name, Elf_Data **data)
{
    size_t strings;
    GElf_Shdr header;
    Elf_Scn *s = NULL;
    assert_int_equal(elf_getshdrstrndx(e, &strings), 0);
    while ((s = elf_nextscn(e, s))) {
        assert_non_null(gelf_getshdr(s, &header));
        if (strcmp(elf_strptr(e, strings, header.sh_name), name) == 0) {
            *data = elf_getdata(s, NULL);
            return header;
        }
    }
    fail_msg("no section %s", name);
    return header;
}

/* libelf accepts the file and finds its symbols and notes. */
static void
test_libelf_agrees(void **state)
{
    world *w = *state;
    obj_code c = sample(OBJ_ABI_HSA);
    base_buf b = written(w, &c);
    elf_version(EV_CURRENT);
    Elf *e = elf_memory((char *)b.data, b.size);
    GElf_Ehdr header;
    Elf_Data *data, *text;
    assert_non_null(e);
    assert_non_null(gelf_getehdr(e, &header));
    assert_int_equal(header.e_machine, AMD_OBJ_EM_AMDGPU);
    assert_int_equal(header.e_type, ET_DYN);
    assert_int_equal(header.e_flags, 0x36);
    assert_int_equal(header.e_ident[EI_OSABI], 64);
    assert_int_equal(header.e_ident[EI_ABIVERSION], 3);
    GElf_Shdr dynsym = section_named(e, ".dynsym", &data);
    GElf_Shdr where = section_named(e, ".text", &text);
    assert_memory_equal(text->d_buf, code_bytes, sizeof code_bytes);
    GElf_Sym code, kd;
    assert_non_null(gelf_getsym(data, 1, &code));
    assert_non_null(gelf_getsym(data, 2, &kd));
    assert_null(gelf_getsym(data, 3, &code));
    gelf_getsym(data, 1, &code);
    assert_string_equal(elf_strptr(e, dynsym.sh_link, code.st_name), "main");
    assert_string_equal(elf_strptr(e, dynsym.sh_link, kd.st_name), "main.kd");
    assert_int_equal(code.st_value, where.sh_addr);
    assert_int_equal(GELF_ST_TYPE(code.st_info), STT_FUNC);
    assert_int_equal(GELF_ST_TYPE(kd.st_info), STT_OBJECT);
    section_named(e, ".rodata", &data);
    int64_t entry;
    memcpy(&entry, (char *)data->d_buf + 16, sizeof entry);
    assert_int_equal(kd.st_value + (uint64_t)entry, code.st_value);
    section_named(e, ".note", &data);
    GElf_Nhdr note;
    size_t name, description;
    assert_true(gelf_getnote(data, 0, &note, &name, &description) > 0);
    assert_int_equal(note.n_type, 32);
    assert_string_equal((char *)data->d_buf + name, "AMDGPU");
    size_t n_phdr;
    assert_int_equal(elf_getphdrnum(e, &n_phdr), 0);
    for (size_t i = 0; i < n_phdr; i++) {
        GElf_Phdr p;
        assert_non_null(gelf_getphdr(e, (int)i, &p));
        assert_int_equal(p.p_offset % 4096, p.p_vaddr % 4096);
    }
    elf_end(e);
}

/* The value of a key in one of msgpack-c's maps. */
static const msgpack_object *
member(const msgpack_object *map, const char *key)
{
    assert_int_equal(map->type, MSGPACK_OBJECT_MAP);
    for (uint32_t i = 0; i < map->via.map.size; i++) {
        const msgpack_object *k = &map->via.map.ptr[i].key;
        if (k->type == MSGPACK_OBJECT_STR && k->via.str.size == strlen(key) &&
            memcmp(k->via.str.ptr, key, strlen(key)) == 0)
            return &map->via.map.ptr[i].val;
    }
    fail_msg("no key %s", key);
    return NULL;
}

static void
test_msgpack_agrees(void **state)
{
    world *w = *state;
    obj_code c = sample(OBJ_ABI_VULKAN);
    base_buf b = written(w, &c);
    elf_version(EV_CURRENT);
    Elf *e = elf_memory((char *)b.data, b.size);
    Elf_Data *data;
    GElf_Nhdr note;
    size_t name, description, used = 0;
    section_named(e, ".note", &data);
    gelf_getnote(data, 0, &note, &name, &description);
    msgpack_unpacked un;
    msgpack_unpacked_init(&un);
    assert_int_equal(
        msgpack_unpack_next(&un, (char *)data->d_buf + description, note.n_descsz, &used),
        MSGPACK_UNPACK_SUCCESS);
    assert_int_equal(used, note.n_descsz);
    const msgpack_object *list = member(&un.data, "amdpal.pipelines");
    assert_int_equal(list->via.array.size, 1);
    const msgpack_object *pipeline = &list->via.array.ptr[0];
    const msgpack_object *cs = member(member(pipeline, ".hardware_stages"), ".cs");
    assert_int_equal(member(cs, ".vgpr_count")->via.u64, 200);
    assert_int_equal(member(cs, ".lds_size")->via.u64, 40000);
    const msgpack_object *regs = member(pipeline, ".registers");
    assert_int_equal(regs->via.map.size, 8);
    uint32_t found = 0;
    for (uint32_t i = 0; i < regs->via.map.size; i++) {
        const msgpack_object_kv *kv = &regs->via.map.ptr[i];
        found += kv->key.via.u64 == 0x2e12 && kv->val.via.u64 == 0x60af0000;
        found += kv->key.via.u64 == 0xa1b3 && kv->val.via.u64 == 0xdeadbeef;
        found += kv->key.via.u64 == 0x2e00 && kv->val.via.u64 == 0x8000;
    }
    assert_int_equal(found, 3);
    msgpack_unpacked_destroy(&un);
    elf_end(e);
}

static void
expect_error(world *w, const void *bytes, size_t size, diag_error want)
{
    obj_file f;
    if (DIAG_TRY(&w->d)) {
        amd_obj_read(&w->d, &w->a, bytes, size, &f);
        fail_msg("read without an error, %s wanted", diag_error_name(want));
    }
    assert_string_equal(diag_error_name(w->d.error), diag_error_name(want));
}

/* Replaces the first `old` by `new`, both of `len` bytes. */
static void
replace(uint8_t *bytes, size_t size, const char *old, size_t len, const char *new)
{
    for (size_t i = 0; i + len <= size; i++) {
        if (memcmp(bytes + i, old, len) == 0) {
            memcpy(bytes + i, new, len);
            return;
        }
    }
    fail_msg("no '%s' in the file", old);
}

static void
test_wrong_files_are_errors(void **state)
{
    world *w = *state;
    obj_code c = sample(OBJ_ABI_HSA);
    base_buf b = written(w, &c);
    uint8_t *t = arena_copy(&w->a, b.data, b.size);
    expect_error(w, "\177EL", 3, ERR_OBJECT_BAD_ELF);
    expect_error(w, b.data, 40, ERR_OBJECT_OUT_OF_FILE);
    expect_error(w, b.data, b.size - 1, ERR_OBJECT_OUT_OF_FILE);
    t[18] = 62; /* x86-64 */
    expect_error(w, t, b.size, ERR_OBJECT_BAD_ELF);
    t[18] = 224;
    t[16] = 2; /* ET_EXEC */
    expect_error(w, t, b.size, ERR_OBJECT_NOT_LINKED);
    t[16] = 3;
    t[48] = 0xfe; /* machine */
    expect_error(w, t, b.size, ERR_OBJECT_UNKNOWN_TARGET);
    t[48] = 0x36;
    t[64 + 40 + 7] = 1; /* memory size of the first segment */
    expect_error(w, t, b.size, ERR_OBJECT_TOO_LARGE);
    t[64 + 40 + 7] = 0;
    obj_file f;
    replace(t, b.size, "AMDGPU", 7, "AMDGPX"); /* the note's owner */
    amd_obj_read(&w->d, &w->a, t, b.size, &f); /* without a note, the descriptor names the kernel */
    assert_int_equal(f.n_kernels, 1);
    assert_string_equal(f.kernels[0].name, "main");
    replace(t, b.size, "\0main.kd", 9, "\0main.kx"); /* in .dynstr */
    replace(t, b.size, "\0main.kd", 9, "\0main.kx"); /* in .strtab */
    expect_error(w, t, b.size, ERR_OBJECT_BAD_METADATA);
    replace(t, b.size, "\0main.kx", 9, "\0main.kd");
    replace(t, b.size, "\0main.kx", 9, "\0main.kd");
    replace(t, b.size, "AMDGPX", 7, "AMDGPU");
    replace(t, b.size, "\0main.kd", 9, "\0moin.kd"); /* in .dynstr */
    replace(t, b.size, "\0main.kd", 9, "\0moin.kd"); /* in .strtab */
    expect_error(w, t, b.size, ERR_OBJECT_BAD_KERNEL);
    c.target = "gfx9999";
    if (DIAG_TRY(&w->d)) {
        amd_obj_write(&w->d, &c, &b);
        fail();
    }
    assert_int_equal(w->d.error, ERR_OBJECT_UNKNOWN_TARGET);
}

/* The file with `more` headers of a loaded section after its own; each has `size` bytes from the
 * file's start. */
static uint8_t *
with_sections(world *w, const base_buf *file, uint32_t more, uint64_t size, size_t *total)
{
    uint32_t n = elf_u16(file->data + 60);
    const uint8_t *own = file->data + elf_u64(file->data + 40);
    *total = file->size + ((size_t)n + more) * ELF_SECTION_SIZE;
    uint8_t *t = ARENA_ARRAY(&w->a, *total, uint8_t), *at = t + file->size;
    memcpy(t, file->data, file->size);
    memcpy(at, own, (size_t)n * ELF_SECTION_SIZE);
    at += (size_t)n * ELF_SECTION_SIZE;
    for (uint32_t i = 0; i < more; i++, at += ELF_SECTION_SIZE) {
        memset(at, 0, ELF_SECTION_SIZE);
        at[4] = ELF_SHT_PROGBITS;
        at[8] = ELF_SHF_ALLOC;
        memcpy(at + 32, &size, 8);
    }
    uint64_t headers = file->size;
    uint16_t count = (uint16_t)(n + more);
    memcpy(t + 40, &headers, 8);
    memcpy(t + 60, &count, 2);
    return t;
}

static void
test_section_headers_are_bounded(void **state)
{
    world *w = *state;
    obj_code c = sample(OBJ_ABI_HSA);
    base_buf b = written(w, &c);
    size_t size;
    obj_file f, g;
    amd_obj_read(&w->d, &w->a, b.data, b.size, &f);
    uint8_t *t = with_sections(w, &b, 2, 64, &size);
    amd_obj_read(&w->d, &w->a, t, size, &g);
    assert_int_equal(g.n_sections, f.n_sections + 2);
    t = with_sections(w, &b, 2, b.size, &size); /* both are the whole file */
    expect_error(w, t, size, ERR_OBJECT_BAD_ELF);
    t = with_sections(w, &b, 300, 1, &size);
    expect_error(w, t, size, ERR_OBJECT_TOO_LARGE);
}

/* Every truncation, and every byte changed in three ways: an error or a result, never a fault (the
 * sanitizer build sees reads outside). */
static void
test_damaged_files_are_safe(void **state)
{
    world *w = *state;
    for (int abi = 0; abi < 2; abi++) {
        obj_code c = sample((obj_abi)abi);
        base_buf b = written(w, &c);
        arena_mark mark = arena_save(&w->a);
        obj_file f;
        for (volatile size_t i = 0; i < b.size; i++) {
            uint8_t *cut = arena_copy(&w->a, b.data, i);
            if (DIAG_TRY(&w->d)) {
                amd_obj_read(&w->d, &w->a, cut, i, &f);
                fail_msg("a file cut at %u was read", (unsigned)i);
            }
            arena_release(&w->a, mark);
        }
        for (volatile size_t i = 0; i < b.size * 3; i++) {
            uint8_t *t = arena_copy(&w->a, b.data, b.size);
            t[i / 3] ^= (uint8_t)(i % 3 == 0 ? 0xff : i % 3 == 1 ? 1 : 0x80);
            if (DIAG_TRY(&w->d))
                amd_obj_read(&w->d, &w->a, t, b.size, &f);
            arena_release(&w->a, mark);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reads_back_what_it_wrote, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_libelf_agrees, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_msgpack_agrees, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_wrong_files_are_errors, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_section_headers_are_bounded, make_world, drop_world),
        cmocka_unit_test_setup_teardown(test_damaged_files_are_safe, make_world, drop_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
