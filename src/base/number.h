/* Numbers in text, the same in every locale.
 *
 * C's strtod, sscanf and printf("%f") take and give the decimal point of the process's locale,
 * which belongs to the application and may change at any time. Heddle's texts have a point always,
 * so src/ reads and prints numbers here (lint forbids C's functions). Both directions are exact: a
 * text gives the nearest number of the size wanted, rounded once, and a number prints the digits
 * of its value. */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a character stands for as a digit of a base up to 36; 99 where it is none. */
unsigned
base_digit_value(char c);

/* Reads digits of `base` (2 to 36) and returns how many there are. Too large a number becomes
 * UINT64_MAX. */
size_t
base_integer_read(const char *text, size_t size, unsigned base, uint64_t *value);

/* The length of the decimal number that `text` begins with: digits with or without a point among
 * them, then an exponent ("e", a sign or none, digits) where it is whole. 0 where there is no
 * digit. No sign and no white space. */
size_t
base_float_length(const char *text, size_t size);

/* The pattern of `bits` bits (16, 32, 64) next to the number of such a text, of two equally near
 * ones the even one; infinity above the greatest. */
uint64_t
base_float_read(const char *text, size_t size, unsigned bits);

/* The same as a number. */
double
base_double_read(const char *text, size_t size);

enum {
    BASE_FLOAT_PRECISION = 40, /* the greatest precision */
    BASE_FLOAT_TEXT = 400      /* room for the longest text with its terminating zero */
};

/* `x` as printf's %.*f, %.*e or %.*g (`style`) prints it in the C locale, "inf" and "nan" with
 * their sign too. Returns the length. */
size_t
base_float_print(char out[BASE_FLOAT_TEXT], double x, char style, int precision);

#endif
