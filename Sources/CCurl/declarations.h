#ifndef CAIRN_CCURL_DECLARATIONS_H
#define CAIRN_CCURL_DECLARATIONS_H

#include <stddef.h>
#include <stdint.h>

// The parts of libcurl that Swift cannot declare. Cairn opens libcurl at run time and declares most
// functions in Swift, so that building it does not need libcurl's headers. The names differ from
// libcurl's, because a program may import those headers too.

/// A finished transfer, as curl_multi_info_read returns it (multi.h, unchanged since libcurl 7.9).
typedef struct {
  /// 1 for a transfer that is done.
  int kind;
  void *transfer;
  union {
    void *other;
    /// A CURLcode; 0 for success.
    int code;
  } result;
} cairn_curl_message;

/// A function of libcurl, whatever its parameters are.
typedef void (*cairn_curl_function)(void);

// curl_easy_setopt and curl_easy_getinfo take any number of arguments. Swift cannot call such
// functions, and on some machines they get their arguments in other places than functions with
// a fixed number, so C has to know which kind it calls.

/// Sets an option that is a `long`.
static inline int cairn_curl_set_number(
    cairn_curl_function set, void *transfer, int option, long value) {
  return ((int (*)(void *, int, ...))set)(transfer, option, value);
}

/// Sets an option that is a `curl_off_t`.
static inline int cairn_curl_set_size(
    cairn_curl_function set, void *transfer, int option, int64_t value) {
  return ((int (*)(void *, int, ...))set)(transfer, option, value);
}

/// Sets an option that is a pointer to a text or to anything else.
static inline int cairn_curl_set_pointer(
    cairn_curl_function set, void *transfer, int option, const void *value) {
  return ((int (*)(void *, int, ...))set)(transfer, option, value);
}

/// Receives a part of a response; returns the number of bytes, or another number to end the transfer.
typedef size_t (*cairn_curl_receiver)(char *bytes, size_t size, size_t count, void *context);

/// Sets an option that is a function.
static inline int cairn_curl_set_receiver(
    cairn_curl_function set, void *transfer, int option, cairn_curl_receiver value) {
  return ((int (*)(void *, int, ...))set)(transfer, option, value);
}

/// Reads a figure of a transfer that is a `long`; 0 if it is not known.
static inline long cairn_curl_number(cairn_curl_function get, void *transfer, int figure) {
  long value = 0;
  return ((int (*)(void *, int, ...))get)(transfer, figure, &value) == 0 ? value : 0;
}

/// Reads a figure of a transfer that is a time in seconds; 0 if it is not known.
static inline double cairn_curl_seconds(cairn_curl_function get, void *transfer, int figure) {
  double value = 0;
  return ((int (*)(void *, int, ...))get)(transfer, figure, &value) == 0 ? value : 0;
}

#endif
