#ifndef CSIMDJSON_H
#define CSIMDJSON_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Reads one GeoJSON Feature at a time with simdjson, without copies: texts point into the caller's
// buffer, or, if they had escapes, into the parser's own, and are valid until the next call.
// Nothing throws.

typedef struct csimdjson_parser csimdjson_parser;

// The number of bytes that must be readable after a Feature's text.
enum { CSIMDJSON_PADDING = 64 };

typedef enum {
  CSIMDJSON_ABSENT = 0,
  CSIMDJSON_NULL,
  CSIMDJSON_TRUE,
  CSIMDJSON_FALSE,
  CSIMDJSON_NUMBER,  // the text of the number, not yet checked
  CSIMDJSON_STRING,  // unescaped
  CSIMDJSON_NESTED   // the text of an object or array, not yet checked
} csimdjson_kind;

typedef struct {
  const char *text;
  uint32_t length;
  uint32_t kind;  // csimdjson_kind
} csimdjson_value;

typedef struct {
  const char *name;
  uint32_t name_length;
  uint32_t is_foreign;  // a member of the Feature or its geometry, not of `properties`
  csimdjson_value value;
} csimdjson_member;

typedef enum {
  CSIMDJSON_NO_GEOMETRY = 0,
  CSIMDJSON_NULL_GEOMETRY,
  CSIMDJSON_POINT,
  CSIMDJSON_OTHER_GEOMETRY
} csimdjson_geometry;

typedef struct {
  csimdjson_value type;           // of the Feature
  csimdjson_value id;
  uint32_t geometry;              // csimdjson_geometry
  uint32_t coordinate_count;      // of a point; at most 3 are returned
  csimdjson_value geometry_type;
  const char *geometry_text;      // the start of the geometry
  csimdjson_value coordinates[3];
  const csimdjson_member *members;
  size_t member_count;
} csimdjson_feature;

typedef enum {
  CSIMDJSON_OK = 0,
  CSIMDJSON_MALFORMED,       // not JSON; `message` says why
  CSIMDJSON_NO_OBJECT,       // JSON, but not an object
  CSIMDJSON_TOO_DEEP,
  CSIMDJSON_NO_MEMORY,
  CSIMDJSON_REPEATED,        // a member of the Feature appears twice
  CSIMDJSON_BAD_PROPERTIES,  // neither object nor null
  CSIMDJSON_BAD_GEOMETRY,    // neither object nor null, or a Point without an array of numbers
  CSIMDJSON_BAD_ID           // neither string nor number nor null
} csimdjson_status;

typedef struct {
  csimdjson_status status;
  size_t offset;        // of the error in the text
  const char *message;  // a constant; never null
} csimdjson_result;

// Returns NULL if memory is exhausted.
csimdjson_parser *csimdjson_create(void);
void csimdjson_destroy(csimdjson_parser *parser);

// Reads `length` bytes at `text`. CSIMDJSON_PADDING more bytes must be readable after them.
csimdjson_result csimdjson_read_feature(
    csimdjson_parser *parser, const char *text, size_t length, csimdjson_feature *feature);

// Reads a geometry on its own, as the geometry of a Feature without other members.
csimdjson_result csimdjson_read_geometry(
    csimdjson_parser *parser, const char *text, size_t length, csimdjson_feature *feature);

// Reads any object. Its members are returned as those of `properties`, and nothing else is set.
csimdjson_result csimdjson_read_object(
    csimdjson_parser *parser, const char *text, size_t length, csimdjson_feature *feature);

#ifdef __cplusplus
}
#endif

#endif
