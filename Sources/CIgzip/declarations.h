#ifndef CAIRN_CIGZIP_DECLARATIONS_H
#define CAIRN_CIGZIP_DECLARATIONS_H

#include <stdint.h>

// The structure of ISA-L's compressor. Cairn opens libisal at run time and declares the functions in
// Swift, so that building it does not need ISA-L's headers. The name differs from ISA-L's, because a
// program may import those headers too.

/// The beginning of an isal_zstream, which its caller fills in (igzip_lib.h, unchanged in version 2 of
/// the shared library).
typedef struct {
  const uint8_t *next_in;
  uint32_t avail_in;
  uint32_t total_in;
  uint8_t *next_out;
  uint32_t avail_out;
  uint32_t total_out;
  void *hufftables;
  uint32_t level;
  uint32_t level_buf_size;
  uint8_t *level_buf;
  uint16_t end_of_stream;
  uint16_t flush;
  uint16_t gzip_flag;
  uint16_t hist_bits;
} cairn_igzip_stream;

#endif
