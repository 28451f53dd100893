// A driver in small, in C++: like launch.c, but it launches from code objects, as a loader does that
// has not compiled them, and also without a layout.
//
//     launch FOLDER TARGET WAVE ABI [inferred]
//
// With a layout, the shaders share the memory of the sets. Without one, each has sets of its own, and
// the places are those that its code object reports.
#include <heddle/heddle.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace
{

constexpr std::uint64_t scratch = 0x600000000000; // where the machine has its scratch memory

struct Free {
    void
    operator()(heddle_output *o) const
    {
        heddle_destroy_output(o);
    }
    void
    operator()(heddle_context *c) const
    {
        heddle_destroy_context(c);
    }
};
using Output = std::unique_ptr<heddle_output, Free>;
using Context = std::unique_ptr<heddle_context, Free>;
using Words = std::vector<std::uint32_t>;

void
check(heddle_result result)
{
    if (result != HEDDLE_OK)
        throw std::runtime_error(heddle_result_text(result));
}

// ---- memory ----

struct Memory {
    std::uint64_t address;
    std::vector<std::uint8_t> bytes;
    std::string name;

    void
    put(std::size_t at, const void *from, std::size_t size)
    {
        if (at + size > bytes.size())
            throw std::runtime_error("a write outside of " + name);
        std::memcpy(bytes.data() + at, from, size);
    }
    void
    put(std::size_t at, const Words &words)
    {
        put(at, words.data(), 4 * words.size());
    }
};

struct Device {
    std::vector<std::unique_ptr<Memory>> all;
    std::uint64_t next = 0x100000000;

    Memory *
    make(std::size_t size, const char *name)
    {
        all.push_back(
            std::unique_ptr<Memory>(new Memory{next, std::vector<std::uint8_t>(size), name}));
        next += (size + 0x1ffff) / 0x10000 * 0x10000;
        return all.back().get();
    }
    Memory *
    make(const Words &words, std::size_t at, const char *name)
    {
        Memory *m = make(at + 4 * words.size(), name);
        m->put(at, words);
        return m;
    }
};

// ---- resources: what the shaders mean, whatever kind of descriptor stands for it ----

struct Resource {
    Memory *memory;
    std::uint32_t from; // the first byte of a buffer
    Words sampler;
};
using Resources = std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Resource>>;

Words
make_sampler(std::uint32_t clamp, std::uint32_t border)
{
    return {clamp | clamp << 3, 0, 1u << 26, border << 30};
}

Memory *
make_image(Device &d, float first)
{
    Memory *m = d.make(512, "image");
    for (int x = 0; x < 64; x++) {
        float texel = first + static_cast<float>(x);
        m->put(4 * static_cast<std::size_t>(x), &texel, 4);
    }
    return m;
}

Resources
make_resources(Device &d, Memory *out, Memory *sums)
{
    Resources r;
    Memory *image = make_image(d, 2);
    const Words wrap = make_sampler(0, 0), edge = make_sampler(2, 0);
    r[{0, 0}] = {{out, 0, {}}};
    r[{0, 1}] = {{d.make(Words{3}, 0, "scale"), 0, {}}};
    r[{0, 2}] = {{image, 0, wrap}, {image, 0, edge}, {image, 0, make_sampler(6, 2)}};
    r[{0, 3}] = {{d.make(Words{0, 5, 0, 0, 0, 0, 1, 0}, 0, "inline block"), 0, {}}};
    r[{0, 4}] = {{sums, 64, {}}};
    r[{0, 5}] = {{d.make(Words{2, 0, 0, 10}, 256, "weights"), 256, {}}};
    r[{0, 6}] = {{nullptr, 0, edge}};
    r[{0, 7}] = {{make_image(d, 100), 0, {}}};
    for (std::uint32_t part = 0; part < 4; part++) {
        Words words;
        for (std::uint32_t k = 0; k < 128; k++)
            words.push_back(part * 1000 + k * 7);
        r[{1, 0}].push_back({d.make(words, 0, "part"), 0, {}});
    }
    return r;
}

// ---- the layout ----

struct Layout {
    Words samplers;
    std::vector<heddle_layout_binding> first, second;
    heddle_set_layout sets[2] = {};
    const heddle_set_layout *list[2] = {&sets[0], &sets[1]};
    heddle_push_range range = {sizeof range, 0, 0, 24};
    heddle_pipeline_layout pipeline = {sizeof pipeline, list, 2, &range, 1};

    static heddle_layout_binding
    row(std::uint32_t binding, heddle_descriptor_type type, std::uint32_t count,
        const std::uint32_t *words = nullptr)
    {
        return {sizeof(heddle_layout_binding), binding, type, count, 0, words};
    }
    Layout()
    {
        for (const Words &w : {make_sampler(0, 0), make_sampler(2, 0), make_sampler(6, 2)})
            samplers.insert(samplers.end(), w.begin(), w.end());
        first = {row(0, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 1), row(1, HEDDLE_DESCRIPTOR_MUTABLE, 1),
                 row(2, HEDDLE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER, 3, samplers.data()),
                 row(3, HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK, 64),
                 row(4, HEDDLE_DESCRIPTOR_STORAGE_BUFFER_DYNAMIC, 1),
                 row(5, HEDDLE_DESCRIPTOR_UNIFORM_BUFFER_DYNAMIC, 1),
                 // the shader has only a sampler here, and only an image
                 row(6, HEDDLE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER, 1),
                 row(7, HEDDLE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER, 1)};
        second = {row(0, HEDDLE_DESCRIPTOR_STORAGE_BUFFER, 8)};
        sets[0] = {sizeof sets[0], first.data(), first.size()};
        sets[1] = {sizeof sets[1], second.data(), second.size()};
    }
    Layout(const Layout &) = delete;
    Layout &
    operator=(const Layout &) = delete;
};

// ---- shaders ----

struct Shader {
    std::string file;
    Words push;
    std::uint32_t groups[3];
    Memory *out;
    std::uint32_t out_at, out_words;
    Output output = nullptr;
    heddle_shader_info info = {};
    Memory *code = nullptr, *block = nullptr, *arguments = nullptr;
    std::map<std::uint32_t, Memory *> sets = {};
};

Words
read_words(const std::string &path)
{
    std::ifstream f(path, std::ios::binary);
    std::vector<char> bytes((std::istreambuf_iterator<char>(f)), std::istreambuf_iterator<char>());
    Words words(bytes.size() / 4);
    if (words.empty())
        throw std::runtime_error(path + " cannot be read");
    std::memcpy(words.data(), bytes.data(), 4 * words.size());
    return words;
}

// Compiles, and keeps only what the code object says.
void
compile(heddle_context *c, const heddle_compile_options &options, const std::string &folder,
        Shader &s)
{
    const Words words = read_words(folder + "/" + s.file + ".spv");
    heddle_output *made = nullptr, *read = nullptr;
    check(heddle_compile(c, words.data(), words.size(), &options, &made));
    Output object(made);
    check(heddle_read_kernel(c, heddle_output_data(made), heddle_output_size(made), nullptr, 0,
                             &read));
    s.output.reset(read);
    s.info.struct_size = sizeof s.info;
    check(heddle_output_info(read, &s.info));
}

Words
buffer_descriptor(const Resource &r, std::uint32_t word3)
{
    const std::uint64_t address = r.memory->address + r.from;
    return {static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32) & 0xffff,
            static_cast<std::uint32_t>(r.memory->bytes.size()) - r.from, word3};
}

// 64 by 2 texels of 32_FLOAT, in lines. gfx10 alone has the bit RESOURCE_LEVEL; gfx12 has
// the format three bits lower.
Words
image_descriptor(const Resource &r, const std::string &target)
{
    const unsigned format_at = target.compare(0, 5, "gfx12") == 0 ? 17 : 20;
    const std::uint32_t resource_level = target.compare(0, 5, "gfx10") == 0 ? 1u << 31 : 0;
    const std::uint64_t address = r.memory->address;
    return {static_cast<std::uint32_t>(address >> 8),
            (static_cast<std::uint32_t>(address >> 40) & 0xff) | 22u << format_at | (63u & 3) << 30,
            63u >> 2 | 1u << 14 | resource_level,
            4u | 1u << 9 | 9u << 28,
            0,
            0,
            0,
            0};
}

void
put_descriptor(Shader &s, const heddle_binding_place &p, std::uint32_t element, const Resource &r,
               bool has_layout)
{
    Memory *m = p.in_block ? s.block : s.sets.at(p.set);
    const std::size_t at = p.offset + std::size_t(element) * p.stride;
    switch (p.type) {
    case HEDDLE_DESCRIPTOR_INLINE_UNIFORM_BLOCK:
        m->put(at, r.memory->bytes.data(), r.memory->bytes.size());
        break;
    case HEDDLE_DESCRIPTOR_COMBINED_IMAGE_SAMPLER:
        if (r.memory)
            m->put(at, image_descriptor(r, s.info.target));
        if (!has_layout || p.binding == 6) // the others are immutable
            m->put(at + 32, r.sampler);
        break;
    case HEDDLE_DESCRIPTOR_SAMPLED_IMAGE: m->put(at, image_descriptor(r, s.info.target)); break;
    case HEDDLE_DESCRIPTOR_SAMPLER: m->put(at, r.sampler); break;
    default: m->put(at, buffer_descriptor(r, s.info.buffer_word3)); break;
    }
}

void
put_descriptors(Shader &s, const Resources &resources, bool has_layout)
{
    for (std::size_t k = 0; k < s.info.n_bindings; k++) {
        const heddle_binding_place &p = s.info.bindings[k];
        const std::vector<Resource> &list = resources.at({p.set, p.binding});
        for (std::uint32_t e = 0; p.used && e < list.size(); e++)
            put_descriptor(s, p, e, list[e], has_layout);
    }
}

// The memory of the sets that a shader reads: as large as its descriptors need.
void
make_own_sets(Device &d, Shader &s)
{
    std::map<std::uint32_t, std::uint32_t> sizes;
    for (std::size_t k = 0; k < s.info.n_bindings; k++) {
        const heddle_binding_place &p = s.info.bindings[k];
        std::uint32_t end = p.offset + p.count * p.stride;
        sizes[p.set] = std::max(sizes[p.set], end);
    }
    for (const auto &size : sizes)
        s.sets[size.first] = d.make(size.second, "set");
}

void
make_arguments(Device &d, Shader &s)
{
    s.arguments = d.make(s.info.kernarg_size, "arguments");
    for (std::size_t k = 0; k < s.info.n_args; k++) {
        const heddle_kernel_arg &a = s.info.args[k];
        const std::string name = a.name, kind = a.kind;
        if (name.compare(0, 3, "set") == 0)
            s.arguments->put(a.offset,
                             &s.sets.at(std::uint32_t(std::stoul(name.substr(3))))->address, 8);
        else if (name == "push_block")
            s.arguments->put(a.offset, &s.block->address, 8);
        else if (name == "push_constants")
            s.arguments->put(a.offset, s.push.data(), a.size);
        else if (kind.compare(0, 19, "hidden_block_count_") == 0)
            s.arguments->put(a.offset, &s.groups[kind[19] - 'x'], 4);
        else
            throw std::runtime_error("argument " + name);
    }
}

Words
user_words(const Shader &s, const heddle_user_sgpr &u)
{
    const std::string kind = u.kind;
    std::uint64_t v;
    if (kind == "push_constants_inline")
        return Words(s.push.begin() + u.index, s.push.begin() + u.index + u.count);
    if (kind == "workgroup_count")
        return Words(s.groups, s.groups + 3);
    if (kind == "descriptor_set")
        v = s.sets.at(u.index)->address;
    else if (kind == "push_constants")
        v = s.block->address;
    else if (kind == "kernarg_pointer")
        v = s.arguments->address;
    else if (kind == "scratch" || kind == "flat_scratch_init")
        v = scratch;
    else
        throw std::runtime_error("user SGPR " + kind);
    return {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(v >> 32)};
}

void
print_launch(const Shader &s)
{
    const heddle_shader_info &i = s.info;
    std::cout << "entry " << s.code->address << "\nwave " << i.wave_size << "\nrsrc " << i.rsrc[0]
              << ' ' << i.rsrc[1] << ' ' << i.rsrc[2] << '\n';
    if (i.abi == HEDDLE_ABI_HSA)
        std::cout << "lds " << i.lds_bytes << '\n';
    if (i.scratch_bytes)
        std::cout << "scratch " << scratch << ' ' << i.scratch_bytes << '\n';
    for (std::size_t k = 0; k < i.n_user_sgprs; k++) {
        const heddle_user_sgpr &u = i.user_sgprs[k];
        const Words words = user_words(s, u);
        for (std::uint32_t w = 0; w < u.count; w++)
            std::cout << "sgpr " << u.first_sgpr + w << ' ' << words.at(w) << '\n';
    }
    std::cout << "group " << i.workgroup_size[0] << ' ' << i.workgroup_size[1] << ' '
              << i.workgroup_size[2] << "\ngroups " << s.groups[0] << ' ' << s.groups[1] << ' '
              << s.groups[2] << "\nrun\nprint " << s.out->address + s.out_at << ' ' << s.out_words
              << '\n';
}

void
print_memory(const Device &d)
{
    static const char digits[] = "0123456789abcdef";
    for (const auto &m : d.all) {
        std::string hex;
        for (std::uint8_t byte : m->bytes)
            hex += {digits[byte >> 4], digits[byte & 15]};
        std::cout << "memory " << m->address << ' ' << m->bytes.size() << ' ' << m->name
                  << "\nbytes " << m->address << ' ' << hex << '\n';
    }
}

void
drive(const std::string &folder, heddle_compile_options options, bool has_layout)
{
    heddle_context *made = nullptr;
    heddle_context_options context_options = {};
    context_options.struct_size = sizeof context_options;
    context_options.diagnostic = [](void *, const heddle_diagnostic *d) {
        std::cerr << d->text << '\n';
    };
    check(heddle_create_context(&context_options, &made));
    Context context(made);
    Device d;
    const Layout layout;
    options.layout = has_layout ? &layout.pipeline : nullptr;
    Memory *out = d.make(512, "out"), *sums = d.make(128, "sums");
    Shader shaders[3];
    shaders[0] = {"buffers", {2, 1000}, {2, 1, 1}, out, 0, 128};
    shaders[1] = {"dynamic", {7, 0, 1, 2, 3, 4}, {3, 2, 1}, sums, 64, 6};
    shaders[2] = {"images", {2}, {1, 1, 1}, out, 0, 64};
    const Resources resources = make_resources(d, out, sums);
    for (Shader &s : shaders) {
        compile(context.get(), options, folder, s);
        s.code = d.make(s.info.code_size, "code");
        s.code->put(0, s.info.code, s.info.code_size);
    }
    // Sets and blocks lie where the code takes the high half of their addresses from.
    if (options.abi == HEDDLE_ABI_VULKAN)
        d.next = (std::uint64_t(shaders[0].info.address_high) << 32) + 0x10000;
    heddle_layout_info places = {};
    places.struct_size = sizeof places;
    check(heddle_place_layout(context.get(), options.target, &layout.pipeline, &places));
    std::map<std::uint32_t, Memory *> shared;
    for (std::uint32_t k = 0; k < 2; k++) {
        heddle_set_info info = {};
        info.struct_size = sizeof info;
        check(heddle_place_set(context.get(), options.target, &layout.sets[k], &info, nullptr));
        shared[k] = d.make(info.size, "set");
    }
    for (Shader &s : shaders) {
        s.block = d.make(places.block_size, "block");
        s.block->put(0, s.push);
        s.sets = shared;
        if (!has_layout)
            make_own_sets(d, s);
        put_descriptors(s, resources, has_layout);
        if (s.info.abi == HEDDLE_ABI_HSA)
            make_arguments(d, s);
    }
    std::cout << "target " << shaders[0].info.target << '\n';
    print_memory(d);
    for (const Shader &s : shaders)
        print_launch(s);
}

} // namespace

int
main(int argc, char **argv)
{
    if (argc < 5) {
        std::cerr << "usage: launch FOLDER TARGET WAVE ABI [inferred]\n";
        return 2;
    }
    heddle_compile_options options = {};
    options.struct_size = sizeof options;
    options.target = argv[2];
    options.wave_size = std::uint32_t(std::atoi(argv[3]));
    options.abi = std::string(argv[4]) == "hsa" ? HEDDLE_ABI_HSA : HEDDLE_ABI_VULKAN;
    try {
        drive(argv[1], options, argc == 5);
    } catch (const std::exception &e) {
        std::cerr << "launch: " << e.what() << '\n';
        return 1;
    }
}
