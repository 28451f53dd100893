/* Conversion between numbers and text, the same in every locale.
 *
 * C's strtod, sscanf and printf("%f") use the decimal point of the process's locale, which belongs
 * to the application and may change at any time. Heddle's texts always use a point, so src/ reads
 * and prints numbers with these functions (lint forbids C's). Both directions are exact: reading
 * gives the nearest number of the requested size, rounded once, and printing gives the digits of
 * the number's exact value. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of a character as a digit in bases up to 36, or 99 if it is not a digit. */
unsigned
base_digit_value(char c);

/* Reads digits of `base` (2 to 36) and returns their count. A number that is too large becomes
 * UINT64_MAX. */
size_t
base_integer_read(const char *text, size_t size, unsigned base, uint64_t *value);

/* The length of the decimal number at the start of `text`: digits with an optional point, then an
 * exponent ("e", an optional sign, digits) if it is complete. Returns 0 if there is no digit. Signs
 * and white space are not accepted. */
size_t
base_float_length(const char *text, size_t size);

/* The pattern of `bits` bits (16, 32, 64) nearest to the number in the text. Ties go to even;
 * numbers above the largest finite one become infinity. */
uint64_t
base_float_read(const char *text, size_t size, unsigned bits);

/* The same, returned as a double. */
double
base_double_read(const char *text, size_t size);

enum {
    BASE_FLOAT_PRECISION = 40, /* the largest precision */
    BASE_FLOAT_TEXT = 400      /* room for the longest text and its terminating zero */
};

/* Prints `x` as printf's %.*f, %.*e or %.*g (chosen by `style`) does in the C locale, including
 * "inf" and "nan" with their sign. Returns the length. */
size_t
base_float_print(char out[BASE_FLOAT_TEXT], double x, char style, int precision);

#endif
