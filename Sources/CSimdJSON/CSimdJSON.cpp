#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <cstring>
#include <new>
#include <vector>

#include "CSimdJSON.h"

using namespace simdjson;

struct csimdjson_parser {
  ondemand::parser features;
  std::vector<csimdjson_member> members;
};

static_assert(SIMDJSON_PADDING <= CSIMDJSON_PADDING, "more padding is needed");

namespace {

/// An error of simdjson, or one of this module.
struct Failure {
  csimdjson_status status = CSIMDJSON_OK;
  error_code code = SUCCESS;

  explicit operator bool() const { return status != CSIMDJSON_OK; }
};

Failure failure(csimdjson_status status) { return {status, SUCCESS}; }

Failure failure(error_code code) {
  switch (code) {
    case SUCCESS: return {};
    case MEMALLOC: return {CSIMDJSON_NO_MEMORY, code};
    case DEPTH_ERROR: return {CSIMDJSON_TOO_DEEP, code};
    default: return {CSIMDJSON_MALFORMED, code};
  }
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

/// The token of a scalar, without the white space after it.
std::string_view token(ondemand::value &value) {
  std::string_view text = value.raw_json_token();
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

void set(csimdjson_value &target, csimdjson_kind kind, std::string_view text) {
  target = {text.data(), uint32_t(text.size()), uint32_t(kind)};
}

Failure read_string(ondemand::value &value, csimdjson_value &target) {
  std::string_view text = token(value);
  bool is_whole = text.size() >= 2 && text.back() == '"';
  if (is_whole && !std::memchr(text.data(), '\\', text.size())) {
    set(target, CSIMDJSON_STRING, text.substr(1, text.size() - 2));
    return {};
  }
  if (auto code = value.get_string().get(text)) return failure(code);
  set(target, CSIMDJSON_STRING, text);
  return {};
}

Failure read_nested(ondemand::value &value, csimdjson_value &target) {
  std::string_view text;
  ondemand::json_type type;
  if (auto code = value.type().get(type)) return failure(code);
  if (type == ondemand::json_type::object) {
    ondemand::object object;
    if (auto code = value.get_object().get(object)) return failure(code);
    if (auto code = object.raw_json().get(text)) return failure(code);
  } else {
    ondemand::array array;
    if (auto code = value.get_array().get(array)) return failure(code);
    if (auto code = array.raw_json().get(text)) return failure(code);
  }
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  set(target, CSIMDJSON_NESTED, text);
  return {};
}

Failure read_value(ondemand::value &value, csimdjson_value &target) {
  ondemand::json_type type;
  if (auto code = value.type().get(type)) return failure(code);
  std::string_view text;
  switch (type) {
    case ondemand::json_type::string: return read_string(value, target);
    case ondemand::json_type::number:
      set(target, CSIMDJSON_NUMBER, token(value));
      return {};
    case ondemand::json_type::null:
      text = token(value);
      if (text != "null") return failure(N_ATOM_ERROR);
      set(target, CSIMDJSON_NULL, text);
      return {};
    case ondemand::json_type::boolean:
      text = token(value);
      if (text == "true") set(target, CSIMDJSON_TRUE, text);
      else if (text == "false") set(target, CSIMDJSON_FALSE, text);
      else return failure(T_ATOM_ERROR);
      return {};
    default: return read_nested(value, target);
  }
}

Failure read_name(ondemand::field &field, std::string_view &name) {
  const char *start = field.key().raw();
  const char *end = static_cast<const char *>(std::memchr(start, '"', SIZE_MAX >> 1));
  name = std::string_view(start, size_t(end - start));
  if (!std::memchr(start, '\\', name.size())) return {};
  return failure(field.unescaped_key().get(name));
}

/// Keeps a member for the caller, which checks what on-demand parsing has skipped.
Failure keep_member(
    csimdjson_parser &parser, std::string_view name, ondemand::value &value, bool is_foreign) {
  parser.members.push_back({name.data(), uint32_t(name.size()), is_foreign, {}});
  return read_value(value, parser.members.back().value);
}

/// Visits the members of an object, or of a document that is one: `visit(name, value)` returns a
/// Failure.
template <typename Holder, typename Visit>
Failure each_member(Holder &holder, Visit visit) {
  ondemand::object object;
  if (auto code = holder.get_object().get(object)) return failure(code);
  for (auto result : object) {
    ondemand::field field;
    if (auto code = std::move(result).get(field)) return failure(code);
    std::string_view name;
    if (auto problem = read_name(field, name)) return problem;
    if (auto problem = visit(name, field.value())) return problem;
  }
  return {};
}

Failure read_coordinates(ondemand::value &value, csimdjson_feature &feature, bool &are_numbers) {
  ondemand::array array;
  if (value.get_array().get(array)) return {};
  are_numbers = true;
  for (auto result : array) {
    ondemand::value element;
    if (auto code = std::move(result).get(element)) return failure(code);
    ondemand::json_type type;
    if (auto code = element.type().get(type)) return failure(code);
    if (type != ondemand::json_type::number) {
      are_numbers = false;
      return {};
    }
    if (feature.coordinate_count < 3) {
      set(feature.coordinates[feature.coordinate_count], CSIMDJSON_NUMBER, token(element));
    } else {
      // The caller receives at most three coordinates, so the rest is checked here.
      double number;
      if (auto code = element.get_double().get(number)) return failure(code);
    }
    feature.coordinate_count++;
  }
  return {};
}

template <typename Holder>
Failure read_geometry_members(csimdjson_parser &parser, Holder &holder, csimdjson_feature &feature) {
  bool are_numbers = false;
  auto problem = each_member(holder, [&](std::string_view name, ondemand::value member) -> Failure {
    if (name == "type") return read_value(member, feature.geometry_type);
    if (name == "coordinates") return read_coordinates(member, feature, are_numbers);
    return keep_member(parser, name, member, true);
  });
  if (problem) return problem;
  auto &kind = feature.geometry_type;
  if (kind.kind != CSIMDJSON_STRING) return failure(CSIMDJSON_BAD_GEOMETRY);
  bool is_point = std::string_view(kind.text, kind.length) == "Point";
  if (is_point && !are_numbers) return failure(CSIMDJSON_BAD_GEOMETRY);
  feature.geometry = is_point ? CSIMDJSON_POINT : CSIMDJSON_OTHER_GEOMETRY;
  return {};
}

Failure read_geometry(csimdjson_parser &parser, ondemand::value &value, csimdjson_feature &feature) {
  ondemand::json_type type;
  if (auto code = value.type().get(type)) return failure(code);
  if (type == ondemand::json_type::null) {
    feature.geometry = CSIMDJSON_NULL_GEOMETRY;
    return token(value) == "null" ? Failure{} : failure(N_ATOM_ERROR);
  }
  if (type != ondemand::json_type::object) return failure(CSIMDJSON_BAD_GEOMETRY);
  feature.geometry_text = value.raw_json_token().data();
  return read_geometry_members(parser, value, feature);
}

Failure read_properties(csimdjson_parser &parser, ondemand::value &value) {
  ondemand::json_type type;
  if (auto code = value.type().get(type)) return failure(code);
  if (type == ondemand::json_type::null)
    return token(value) == "null" ? Failure{} : failure(N_ATOM_ERROR);
  if (type != ondemand::json_type::object) return failure(CSIMDJSON_BAD_PROPERTIES);
  return each_member(value, [&](std::string_view name, ondemand::value member) -> Failure {
    return keep_member(parser, name, member, false);
  });
}

Failure read_id(ondemand::value &value, csimdjson_feature &feature) {
  if (auto problem = read_value(value, feature.id)) return problem;
  switch (feature.id.kind) {
    case CSIMDJSON_NULL: case CSIMDJSON_NUMBER: case CSIMDJSON_STRING: return {};
    default: return failure(CSIMDJSON_BAD_ID);
  }
}

/// The members of the Feature that were found.
struct Seen {
  bool type = false, id = false, geometry = false, properties = false;

  static bool repeats(bool &flag) {
    bool before = flag;
    flag = true;
    return before;
  }
};

Failure read_member(
    csimdjson_parser &parser, std::string_view name, ondemand::value value,
    csimdjson_feature &feature, Seen &seen) {
  if (name == "geometry") {
    if (Seen::repeats(seen.geometry)) return failure(CSIMDJSON_REPEATED);
    return read_geometry(parser, value, feature);
  }
  if (name == "properties") {
    if (Seen::repeats(seen.properties)) return failure(CSIMDJSON_REPEATED);
    return read_properties(parser, value);
  }
  if (name == "type") {
    if (Seen::repeats(seen.type)) return failure(CSIMDJSON_REPEATED);
    return read_value(value, feature.type);
  }
  if (name == "id") {
    if (Seen::repeats(seen.id)) return failure(CSIMDJSON_REPEATED);
    return read_id(value, feature);
  }
  return keep_member(parser, name, value, true);
}

/// The kind of text to read.
enum class Kind { feature, geometry, object };

Failure read_document(
    csimdjson_parser &parser, ondemand::document &document, csimdjson_feature &feature, Kind kind) {
  ondemand::json_type type;
  if (auto code = document.type().get(type)) return failure(code);
  if (type != ondemand::json_type::object) return failure(CSIMDJSON_NO_OBJECT);
  Seen seen;
  auto problem = kind == Kind::geometry
      ? read_geometry_members(parser, document, feature)
      : each_member(document, [&](std::string_view name, ondemand::value value) {
          return kind == Kind::object ? keep_member(parser, name, value, false)
                                      : read_member(parser, name, value, feature, seen);
        });
  if (problem) return problem;
  bool is_at_end = document.current_location().error() == OUT_OF_BOUNDS;
  return is_at_end ? Failure{} : failure(TRAILING_CONTENT);
}

size_t place(ondemand::document &document, const char *text, size_t length) {
  const char *location = nullptr;
  if (document.current_location().get(location) || location < text) return length;
  return size_t(location - text) < length ? size_t(location - text) : length;
}

csimdjson_result result(Failure problem, size_t offset) {
  return {problem.status, offset, problem.code ? error_message(problem.code) : ""};
}

csimdjson_result read(
    csimdjson_parser *parser, const char *text, size_t length, csimdjson_feature *feature,
    Kind kind) {
  try {
    *feature = {};
    parser->members.clear();
    ondemand::document document;
    padded_string_view view(text, length, length + CSIMDJSON_PADDING);
    if (auto code = parser->features.iterate(view).get(document)) return result(failure(code), 0);
    auto problem = read_document(*parser, document, *feature, kind);
    if (kind == Kind::geometry) feature->geometry_text = text;
    feature->members = parser->members.data();
    feature->member_count = parser->members.size();
    return result(problem, problem ? place(document, text, length) : 0);
  } catch (...) {
    return result(failure(CSIMDJSON_NO_MEMORY), 0);
  }
}

}  // namespace

csimdjson_parser *csimdjson_create(void) {
  auto parser = new (std::nothrow) csimdjson_parser;
  // Allocates enough for ordinary Features; longer ones make it grow.
  if (parser && parser->features.allocate(1 << 16)) {
    delete parser;
    return nullptr;
  }
  return parser;
}

void csimdjson_destroy(csimdjson_parser *parser) { delete parser; }

csimdjson_result csimdjson_read_feature(
    csimdjson_parser *parser, const char *text, size_t length, csimdjson_feature *feature) {
  return read(parser, text, length, feature, Kind::feature);
}

csimdjson_result csimdjson_read_geometry(
    csimdjson_parser *parser, const char *text, size_t length, csimdjson_feature *feature) {
  return read(parser, text, length, feature, Kind::geometry);
}

csimdjson_result csimdjson_read_object(
    csimdjson_parser *parser, const char *text, size_t length, csimdjson_feature *feature) {
  return read(parser, text, length, feature, Kind::object);
}
