#ifndef CAIRN_CARROW_DECLARATIONS_H
#define CAIRN_CARROW_DECLARATIONS_H

#include <stdint.h>

// The structures of Arrow's C data interface, whose layout is fixed for all time. GDAL hands over
// the rows of a layer in them. The names differ from Arrow's, because a program may import those
// declarations too.

/// The type of a column (ArrowSchema).
typedef struct cairn_arrow_schema {
  const char *format;
  const char *name;
  const char *metadata;
  int64_t flags;
  int64_t n_children;
  struct cairn_arrow_schema **children;
  struct cairn_arrow_schema *dictionary;
  void (*release)(struct cairn_arrow_schema *);
  void *private_data;
} cairn_arrow_schema;

/// The values of a column (ArrowArray).
typedef struct cairn_arrow_array {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void **buffers;
  struct cairn_arrow_array **children;
  struct cairn_arrow_array *dictionary;
  void (*release)(struct cairn_arrow_array *);
  void *private_data;
} cairn_arrow_array;

/// A sequence of arrays of one type (ArrowArrayStream).
typedef struct cairn_arrow_stream {
  int (*get_schema)(struct cairn_arrow_stream *, cairn_arrow_schema *);
  int (*get_next)(struct cairn_arrow_stream *, cairn_arrow_array *);
  const char *(*get_last_error)(struct cairn_arrow_stream *);
  void (*release)(struct cairn_arrow_stream *);
  void *private_data;
} cairn_arrow_stream;

#endif
