/* Declares our printf-like functions for the compiler's -Wformat.
 *
 * src/ uses no compiler extensions, so its declarations cannot mark an argument as a format. Lint
 * (rule_printf_formats) makes the compiler read this file before every other: it declares the same
 * functions with the attribute. An enumeration is declared as `unsigned`, with which it is
 * compatible in gcc and clang. Two functions are missing: diag_fail, whose formats are in
 * errors.def, and hazard_report, whose format may be "" (no further words).
 */
#ifndef DEV_FORMATS_H
#define DEV_FORMATS_H

#include <stdbool.h>

#define FORMAT(at) __attribute__((format(printf, at, at + 1)))

struct base_buf;
struct arena;
struct emu_wave;
struct spirv_reader;
struct amd_program;
struct amber_result;

void
buf_printf(struct base_buf *b, const char *format, ...) FORMAT(2);
char *
arena_printf(struct arena *a, const char *format, ...) FORMAT(2);
void
emu_find(struct emu_wave *w, unsigned check, int lane, const char *format, ...) FORMAT(4);
void
emu_stop(struct emu_wave *w, unsigned status, const char *format, ...) FORMAT(3);
_Noreturn void
spirv_invalid(struct spirv_reader *r, const char *format, ...) FORMAT(2);
_Noreturn void
spirv_unsupported(struct spirv_reader *r, const char *format, ...) FORMAT(2);
_Noreturn void
spirv_limit(struct spirv_reader *r, const char *format, ...) FORMAT(2);
void
amd_perfwarn(const struct amd_program *p, const char *format, ...) FORMAT(2);
bool
amber_set_result(struct amber_result *r, unsigned status, const char *format, ...) FORMAT(3);

#undef FORMAT

#endif
