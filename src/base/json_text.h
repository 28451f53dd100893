/* Texts as strings of JSON (RFC 8259), for all that print it. */
#ifndef BASE_JSON_TEXT_H
#define BASE_JSON_TEXT_H

#include <stddef.h>

/* The most bytes of a piece. */
enum { BASE_JSON_PIECE = 6 };

/* Takes the next character of a text that has not ended, moves `*text` behind it, and writes how a
 * string of JSON has it, without a zero byte. A byte that is no UTF-8, such as in the name of a
 * file, is U+FFFD. Returns the number of bytes written. */
size_t
base_json_piece(const char **text, char piece[BASE_JSON_PIECE]);

#endif
