/* Where the code of a pipeline or of shader objects is, learnt from RADV itself: a command buffer is
 * recorded that binds them and dispatches, or draws, and is never submitted, and the registers that
 * its stream sets are read. The stream is in a buffer of the device; for gfx6, whose streams RADV
 * moves there as they are submitted, it is in the process's memory, two pointers away from the
 * command buffer.
 */
#include "probe.h"

#include "gpu/code/code.h"
#include "gpu/cp/cp.h"
#include "pipelines.h"
#include "radeon.h"

#include <stdlib.h>
#include <string.h>

/* What is recorded on: a device's command buffer. */
typedef struct probe {
    struct probe *next;
    VkDevice device;
    VkCommandPool pool;
    VkCommandBuffer commands;
} probe;

static struct {
    pthread_mutex_t probing;
    probe *probes;
    uint32_t buffer; /* handle of the buffer that held the last probe's stream */
    PFN_vkGetDeviceProcAddr device_proc;
} own = {.probing = PTHREAD_MUTEX_INITIALIZER};

/* A handle as a number, whatever its type is. */
#define NUMBER_OF(handle) ((uint64_t)(handle))

void
radeon_probe_by(PFN_vkGetDeviceProcAddr device_proc)
{
    own.device_proc = device_proc;
}

static const uint64_t KNOWN = UINT64_C(0xffffffffff); /* the bits of an address that are */

/* The grid of the dispatch that is recorded and never executed; the vertices of the draw. */
static const uint32_t mark[3] = {0x4a11, 0x4a12, 0x4a13};

static void
note_address(void *user, uint32_t reg, uint32_t value)
{
    static const amd_hw_reg low[RADEON_PROGRAMS] = {
        AMD_HW_COMPUTE_PGM_LO, AMD_HW_SPI_SHADER_PGM_LO_VS, AMD_HW_SPI_SHADER_PGM_LO_ES,
        AMD_HW_SPI_SHADER_PGM_LO_PS};
    static const amd_hw_reg data[RADEON_PROGRAMS] = {
        [RADEON_VERTEX] = AMD_HW_SPI_SHADER_USER_DATA_VS_0,
        [RADEON_NGG] = AMD_HW_SPI_SHADER_USER_DATA_GS_0};
    radeon_addresses *c = user;
    for (unsigned p = 0; p < RADEON_PROGRAMS; p++) {
        uint32_t first = data[p] ? amd_hw_reg_address(data[p], c->gen) : 0;
        if (reg && reg == amd_hw_reg_address(low[p], c->gen))
            c->address[p] = (uint64_t)value << 8 | (KNOWN + 1);
        if (first && reg >= first && reg < first + 4 * RADEON_USER_DATA)
            c->user[p][(reg - first) / 4] = value;
    }
}

/* Is it the packet with the mark? It is taken out, so that it is never met again. */
static bool
take_mark(const radeon_addresses *c, const gpu_packet *p, uint8_t *host)
{
    bool is_draw = c->draws && p->op == GPU_OP_DRAW_INDEX_AUTO;
    bool is_dispatch = !c->draws && p->op == GPU_OP_DISPATCH_DIRECT;
    size_t size = is_draw ? sizeof mark[0] : sizeof mark;
    if ((!is_draw && !is_dispatch) || memcmp(p->words, mark, size) != 0)
        return false;
    memset(host + 4 * (p->at + UINT64_C(1)), 0, size);
    return true;
}

/* Fills in the addresses that are set where the stream has the mark; false if it has not. */
static bool
take_address(radeon_addresses *c, uint8_t *host, uint64_t size)
{
    enum { MAX_DWORDS = 1 << 14 };
    gpu_stream s = {.dwords = (const uint32_t *)(const void *)host,
                    .count = size / 4 < MAX_DWORDS ? (uint32_t)(size / 4) : MAX_DWORDS,
                    .gen = c->gen};
    gpu_packet p;
    memset(c->address, 0, sizeof c->address);
    memset(c->user, 0, sizeof c->user);
    while (gpu_stream_next(&s, &p) == GPU_STREAM_PACKET && (p.type != 3 || p.opcode)) {
        gpu_packet_registers(&p, note_address, c);
        if (take_mark(c, &p, host))
            return true;
    }
    return false;
}

/* Looks into all buffers, the one that it was in before first. */
static bool
find_address(radeon *r, radeon_addresses *c)
{
    bool found = false;
    pthread_mutex_lock(&r->lock);
    for (uint32_t k = 0; !found && k < r->n_buffers; k++) {
        uint32_t handle = k ? k : own.buffer;
        const radeon_buffer *b = handle < r->n_buffers ? r->buffers[handle] : NULL;
        if (!b || b->is_users)
            continue;
        found = take_address(c, b->base.host, b->base.size);
        if (found)
            own.buffer = handle;
    }
    pthread_mutex_unlock(&r->lock);
    return found;
}

/* Copies from where a word points to, if it may be a pointer. */
static bool
follow(void *to, uint64_t pointer, size_t size)
{
    enum { PAGE = 4096 };
    uint64_t page = pointer & ~(uint64_t)(PAGE - 1);
    return pointer % 4 == 0 && radeon_is_mapped(page, pointer + size - page) &&
           radeon_copy_in(to, pointer, size);
}

/* Looks for the stream behind a command buffer's handle: it points to what points to it. */
static bool
chase_address(VkCommandBuffer commands, radeon_addresses *c)
{
    enum { WORDS = 4096, MORE_WORDS = 16, STREAM = 1024 /* bytes */, DRAWN = 4096 };
    uint64_t word, more[MORE_WORDS];
    bool found = false;
    for (uint32_t k = 0; !found && k < WORDS; k++) {
        if (!follow(&word, NUMBER_OF(commands) + 8ul * k, sizeof word))
            break;
        if (!follow(more, word, sizeof more))
            continue;
        for (uint32_t m = 0; !found && m < MORE_WORDS; m++) {
            uint32_t stream[DRAWN / 4];
            size_t size = c->draws ? DRAWN : STREAM;
            if (follow(stream, more[m], size))
                found = take_address(c, (uint8_t *)stream, size);
        }
    }
    return found;
}

#define DEVICE_FUNCTION(device, name) ((PFN_##name)own.device_proc(device, #name))

/* The device's command buffer, made at first use; NULL if there is none. */
static probe *
probe_of(VkDevice device)
{
    probe *p = own.probes;
    while (p && p->device != device)
        p = p->next;
    if (p)
        return p;
    p = calloc(1, sizeof *p);
    if (!p)
        return NULL;
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
                                          .queueFamilyIndex = radeon_hidden_families()};
    VkCommandBufferAllocateInfo buffer = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                          .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                          .commandBufferCount = 1};
    *p = (probe){.next = own.probes, .device = device};
    if (DEVICE_FUNCTION(device, vkCreateCommandPool)(device, &pool, NULL, &p->pool) == VK_SUCCESS)
        buffer.commandPool = p->pool;
    if (p->pool)
        DEVICE_FUNCTION(device, vkAllocateCommandBuffers)(device, &buffer, &p->commands);
    own.probes = p;
    return p;
}

static void
bind(const probe *p, const radeon_bound *b)
{
    enum { GRAPHICS_STAGES = 5 }; /* from VK_SHADER_STAGE_VERTEX_BIT on */
    const VkPipelineBindPoint point = b->draws ? VK_PIPELINE_BIND_POINT_GRAPHICS
                                               : VK_PIPELINE_BIND_POINT_COMPUTE;
    VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
    if (b->pipeline) {
        DEVICE_FUNCTION(p->device, vkCmdBindPipeline)(p->commands, point, b->pipeline);
    } else if (!b->draws) {
        DEVICE_FUNCTION(p->device, vkCmdBindShadersEXT)(p->commands, 1, &stage, &b->compute);
    } else {
        const VkShaderEXT objects[GRAPHICS_STAGES] = {[0] = b->vertex, [4] = b->fragment};
        for (unsigned k = 0; k < GRAPHICS_STAGES; k++) {
            stage = (VkShaderStageFlagBits)(VK_SHADER_STAGE_VERTEX_BIT << k);
            DEVICE_FUNCTION(p->device, vkCmdBindShadersEXT)(p->commands, 1, &stage, &objects[k]);
        }
    }
}

/* Records the work with the mark. */
static void
record_mark(const probe *p, const radeon_bound *b)
{
    bind(p, b);
    if (b->draws)
        DEVICE_FUNCTION(p->device, vkCmdDraw)(p->commands, mark[0], 1, 0, 0);
    else
        DEVICE_FUNCTION(p->device, vkCmdDispatch)(p->commands, mark[0], mark[1], mark[2]);
}

/* Where vertices are shaded by a prolog first, its address is set, and the shader's is in its user
 * data; of the address bits 39:8 are known, the upper ones are those of the other. */
static void
follow_prologs(void *user, const mach_memory *m)
{
    radeon_addresses *c = user;
    const gpu_code code = {.gen = c->gen};
    for (unsigned p = RADEON_VERTEX; p <= RADEON_NGG; p++) {
        const gpu_code_user data = {c->user[p], RADEON_USER_DATA,
                                    p == RADEON_NGG ? AMD_DRAW_NGG_FIRST_USER : 0};
        for (unsigned k = 0; c->address[p] && k + 1 < RADEON_USER_DATA; k++) {
            uint64_t next = c->user[p][k] | (uint64_t)c->user[p][k + 1] << 32, to,
                     entry = (next & ~KNOWN) | (c->address[p] & KNOWN);
            if (gpu_code_goes_on(&code, m, entry, &data, &to) && to == next) {
                c->address[p] = next;
                break;
            }
        }
    }
}

radeon_addresses
radeon_code_addresses(VkDevice device, const radeon_bound *bound)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    radeon_addresses c = {.gen = radeon_get()->chip->gen, .draws = bound->draws};
    pthread_mutex_lock(&own.probing);
    const probe *p = own.device_proc ? probe_of(device) : NULL;
    if (p && p->commands &&
        DEVICE_FUNCTION(device, vkBeginCommandBuffer)(p->commands, &begin) == VK_SUCCESS) {
        record_mark(p, bound);
        DEVICE_FUNCTION(device, vkEndCommandBuffer)(p->commands);
        if (!find_address(radeon_get(), &c) && !chase_address(p->commands, &c))
            memset(c.address, 0, sizeof c.address);
        if (c.draws)
            gpu_device_look(radeon_get()->device, follow_prologs, &c);
        DEVICE_FUNCTION(device, vkResetCommandBuffer)(p->commands, 0);
    }
    pthread_mutex_unlock(&own.probing);
    return c;
}

void
radeon_forget_probe(VkDevice device)
{
    pthread_mutex_lock(&own.probing);
    for (probe **at = &own.probes; *at; at = &(*at)->next) {
        probe *p = *at;
        if (p->device != device)
            continue;
        if (p->pool)
            DEVICE_FUNCTION(device, vkDestroyCommandPool)(device, p->pool, NULL);
        *at = p->next;
        free(p);
        break;
    }
    pthread_mutex_unlock(&own.probing);
}
