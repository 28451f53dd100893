// The program's only C++ file: SPIRV-Tools has no C interface to its optimizer.
#include "optimize.h"

#include <spirv-tools/optimizer.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

extern "C" optimize_result
optimize_spirv(const uint32_t *words, size_t n_words, int env, const char *const *flags,
               size_t n_flags)
{
    optimize_result r = {};
    std::string message;
    std::vector<uint32_t> out;
    spvtools::Optimizer optimizer(static_cast<spv_target_env>(env));
    optimizer.SetMessageConsumer([&message](spv_message_level_t level, const char *,
                                            const spv_position_t &, const char *text) {
        if (message.empty() && level <= SPV_MSG_ERROR)
            message = text;
    });
    for (size_t i = 0; i < n_flags; i++) {
        if (!optimizer.FlagHasValidForm(flags[i]) || !optimizer.RegisterPassFromFlag(flags[i])) {
            std::snprintf(r.message, sizeof r.message, "%.80s: %s", flags[i],
                          message.empty() ? "not a pass of spirv-opt" : message.c_str());
            return r;
        }
    }
    if (!optimizer.Run(words, n_words, &out)) {
        std::snprintf(r.message, sizeof r.message, "the optimizer fails: %s", message.c_str());
        return r;
    }
    r.n_words = out.size();
    r.words = static_cast<uint32_t *>(std::malloc(out.size() * sizeof *r.words + 1));
    r.ok = r.words != nullptr;
    if (r.ok)
        std::memcpy(r.words, out.data(), out.size() * sizeof *r.words);
    else
        std::snprintf(r.message, sizeof r.message, "out of memory");
    return r;
}
