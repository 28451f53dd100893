#include "amber/device.h"

#include <stdarg.h>
#include <stdio.h>

bool
amber_set_result(amber_result *r, amber_status status, const char *format, ...)
{
    va_list args;
    char text[AMBER_REASON_MAX];
    size_t n = 0;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    r->status = status;
    for (const char *p = text; *p && n + 3 < sizeof r->reason; p++) {
        if (*p != '\n') {
            r->reason[n++] = *p;
        } else if (p[1]) {
            r->reason[n++] = ';';
            r->reason[n++] = ' ';
        }
    }
    r->reason[n] = '\0';
    return status == AMBER_PASS;
}
