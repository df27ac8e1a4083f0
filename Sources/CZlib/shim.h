#include <zlib.h>

// The macros that zlib initialises its streams with, which Swift cannot call.
static inline int czlib_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
static inline int czlib_inflate_raw(z_stream *stream) { return inflateInit2(stream, -15); }
static inline int czlib_deflate_gzip(z_stream *stream, int level) {
  return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
}
static inline int czlib_inflate_any(z_stream *stream) { return inflateInit2(stream, 15 + 32); }
