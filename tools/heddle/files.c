/* Reads and writes whole files, and makes folders. */
#define _POSIX_C_SOURCE 200809L
#include "cli.h"

#include "base/number.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Limits inputs, so that /dev/zero does not fill memory. */
enum { LARGEST = 1 << 30 };

static bool
read_stream(FILE *f, uint8_t **data, size_t *size)
{
    size_t cap = 64 * 1024, used = 0;
    uint8_t *bytes = malloc(cap + 1);
    while (bytes) {
        used += fread(bytes + used, 1, cap - used, f);
        if (used < cap)
            break;
        uint8_t *grown = used < LARGEST ? realloc(bytes, cap * 2 + 1) : NULL;
        if (used >= LARGEST)
            errno = EFBIG;
        if (!grown)
            free(bytes);
        bytes = grown;
        cap *= 2;
    }
    if (!bytes || ferror(f)) {
        free(bytes);
        return false;
    }
    bytes[used] = 0; /* allows use as a string */
    *data = bytes;
    *size = used;
    return true;
}

bool
cli_read_file_quietly(const char *path, uint8_t **data, size_t *size)
{
    FILE *f = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!f)
        return false;
    bool ok = read_stream(f, data, size);
    if (f != stdin)
        fclose(f);
    return ok;
}

bool
cli_read_file(const char *path, uint8_t **data, size_t *size)
{
    errno = 0;
    if (cli_read_file_quietly(path, data, size))
        return true;
    cli_error(path, "FILE_READ", "cannot be read: %s", errno ? strerror(errno) : "error");
    return false;
}

bool
cli_write_file(const char *path, const void *data, size_t size)
{
    bool is_stdout = strcmp(path, "-") == 0;
    errno = 0;
    FILE *f = is_stdout ? stdout : fopen(path, "wb");
    bool ok = f && (!size || fwrite(data, 1, size, f) == size) && fflush(f) == 0;
    if (f && !is_stdout && fclose(f) != 0)
        ok = false;
    if (!ok)
        cli_error(path, "FILE_WRITE", "cannot be written: %s", errno ? strerror(errno) : "error");
    return ok;
}

bool
cli_make_folder(const char *path)
{
    char part[4096];
    size_t size = strlen(path);
    struct stat s;
    for (size_t i = 1; i <= size && size < sizeof part; i++) {
        if (path[i] && path[i] != '/')
            continue;
        snprintf(part, sizeof part, "%.*s", (int)i, path);
        mkdir(part, 0777);
    }
    if (stat(path, &s) == 0 && S_ISDIR(s.st_mode))
        return true;
    cli_error(path, "FILE_WRITE", "there is no such folder, and it cannot be made");
    return false;
}

bool
cli_has_words(const char *path)
{
    const size_t n = strlen(path);
    return n > 6 && strcmp(path + n - 6, ".words") == 0;
}

bool
cli_decode_words(uint8_t *bytes, size_t *size)
{
    size_t n = 0, at = 0;
    while (at < *size) {
        uint64_t word = 0;
        size_t digits = 0;
        for (unsigned digit; at < *size && (digit = base_digit_value((char)bytes[at])) < 16; at++) {
            word = word << 4 | digit;
            digits++;
        }
        if (!digits && bytes[at] && strchr(" \t\r\n", bytes[at])) {
            at++;
            continue;
        }
        if (digits != 8 && digits != 16)
            return false;
        for (size_t i = 0; i < digits / 2; i++)
            bytes[n++] = (uint8_t)(word >> 8 * i);
    }
    *size = n;
    return true;
}
