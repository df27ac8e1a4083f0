import CairnGeometry
import CairnQuery
import CairnValues

/// Parses the JSON form of CQL2.
struct CQL2JSONParser {
  private let text: String
  private let shapes: CQL2Shapes

  /// Parses a whole text.
  static func parse(
    _ text: String, shapes: CQL2Shapes, maxDepth: Int
  ) throws(PredicateError) -> CQL2Term {
    let parser = CQL2JSONParser(text: text, shapes: shapes)
    return try parser.term(parser.read(maxDepth: maxDepth))
  }

  private func read(maxDepth: Int) throws(PredicateError) -> ParsedJSON {
    do throws(JSONReader.SyntaxError) {
      // An operation takes two levels, the object and its arguments; a geometry takes five.
      return try JSONReader.read(text, maxDepth: maxDepth * 2 + 5)
    } catch { throw self.error("not JSON: \(error.message)", at: error.offset) }
  }

  private func error(_ message: String, at offset: Int) -> PredicateError {
    PredicateError(.syntax, message: message, text: text, offset: offset)
  }

  private func term(_ json: ParsedJSON) throws(PredicateError) -> CQL2Term {
    CQL2Term(content: try content(json), offset: json.offset)
  }

  private func terms(_ list: [ParsedJSON]) throws(PredicateError) -> [CQL2Term] {
    var terms: [CQL2Term] = []
    for json in list { terms.append(try term(json)) }
    return terms
  }

  private func content(_ json: ParsedJSON) throws(PredicateError) -> CQL2Term.Content {
    switch json.content {
    case .null:
      throw error("null is not a value; the operator isNull tests for it", at: json.offset)
    case .bool(let flag): return .bool(flag)
    case .number(let text):
      guard let value = CQL2Number.value(text) else {
        throw error("'\(text)' is not a number", at: json.offset)
      }
      return .number(value)
    case .string(let text): return .text(text)
    case .array(let elements): return .list(try terms(elements))
    case .object: return try object(json)
    }
  }

  private func object(_ json: ParsedJSON) throws(PredicateError) -> CQL2Term.Content {
    if let operation = json["op"]?.string {
      guard let arguments = json["args"]?.elements else {
        throw error("the operation has no array 'args'", at: json.offset)
      }
      return .operation(operation.lowercased(), try terms(arguments))
    }
    if let name = json["property"]?.string { return .property(name) }
    for name in ["date", "timestamp"] {
      if let text = json[name]?.string { return .instant(try instant(text, at: json.offset)) }
    }
    if let ends = json["interval"]?.elements {
      guard ends.count == 2 else { throw error("an interval has two ends", at: json.offset) }
      return .interval(try end(ends[0]), try end(ends[1]))
    }
    if json["bbox"]?.elements != nil || json["type"] != nil { return .shape(try shape(json)) }
    throw error(
      "expected a member op, property, date, timestamp, interval or bbox, or a geometry",
      at: json.offset)
  }

  private func end(_ json: ParsedJSON) throws(PredicateError) -> CQL2Term? {
    guard let text = json.string else { return try term(json) }
    if text == ".." { return nil }
    return CQL2Term(
      content: .instant(try instant(text, at: json.offset)), offset: json.offset)
  }

  private func instant(_ text: String, at offset: Int) throws(PredicateError) -> Double {
    guard let seconds = ISODate.parse(text.uppercased()) else {
      throw error("'\(text)' is not a date or a time such as 2024-01-31T12:00:00Z", at: offset)
    }
    return seconds
  }

  private func shape(_ json: ParsedJSON) throws(PredicateError) -> Shape {
    let bytes = Array(text.utf8)[json.offset..<json.end]
    let text = String(decoding: bytes, as: UTF8.self)
    do { return try shapes.shape(geoJSON: json, text: text) } catch {
      throw self.error(Problem(error).detail, at: json.offset)
    }
  }
}
