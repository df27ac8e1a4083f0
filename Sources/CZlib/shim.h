#include <zlib.h>

// The macros that zlib initialises its streams with, which Swift cannot call.
static inline int czlib_inflate_gzip(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
