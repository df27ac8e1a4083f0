import CairnIO
import CairnValues

/// The points of a GeoJSON text, read in the simplest possible way.
enum NaivePoints {
  /// Checks that a strict import finds exactly the points of the text.
  static func check(_ preview: ImportPreview, _ bytes: [UInt8], isLines: Bool) {
    // Coordinates are degrees unless the text names a reference system.
    guard preview.summary.systems.isEmpty,
      let location = preview.columns.firstIndex(where: { $0.type == .point }),
      let points = isLines ? points(ofLines: bytes) : NaiveJSON(bytes[...]).flatMap(points)
    else { return }
    let rows = preview.summary.inserted
    require(rows == points.count, "expected \(points.count) rows, found \(rows)")
    for (row, point) in zip(preview.firstRows, points) {
      require(isSame(row[location], point), "expected \(point), found \(row[location])")
    }
  }

  private static func isSame(_ value: Value, _ point: [Double]) -> Bool {
    guard case .point(let place) = value else { return point.isEmpty }
    return point.count >= 2 && place.longitude == point[0] && place.latitude == point[1]
  }

  private static func points(ofLines bytes: [UInt8]) -> [[Double]]? {
    var all: [[Double]] = []
    for line in bytes.split(separator: 0x0A) where !line.allSatisfy({ $0 <= 0x20 }) {
      guard let json = NaiveJSON(line), let points = points(of: json) else { return nil }
      all += points
    }
    return all
  }

  /// One point for each Feature, empty if it has no location; nil for a text that this reader does
  /// not cover.
  private static func points(of json: NaiveJSON) -> [[Double]]? {
    switch json.member("type")?.text {
    case "FeatureCollection":
      var all: [[Double]] = []
      for feature in json.member("features")?.elements ?? [] {
        guard let own = points(of: feature) else { return nil }
        all += own
      }
      return all
    case "Feature":
      guard let geometry = json.member("geometry") else { return nil }
      if geometry.isNull { return [[]] }
      guard geometry.member("type")?.text == "Point",
        let numbers = geometry.member("coordinates")?.elements?.map({ $0.number ?? .nan })
      else { return nil }
      return [numbers]
    default: return nil
    }
  }
}

/// A JSON value from the simplest possible parser, the oracle for the import.
indirect enum NaiveJSON {
  case object([(name: String, value: NaiveJSON)])
  case array([NaiveJSON])
  case string(String)
  case number(Double)
  case word(String)

  /// Returns nil for text that is not JSON, or that is nested more deeply than a few lines should
  /// be.
  init?(_ bytes: ArraySlice<UInt8>) {
    var reader = NaiveReader(rest: bytes)
    guard let value = reader.value(depth: 0) else { return nil }
    reader.skipSpace()
    guard reader.rest.isEmpty else { return nil }
    self = value
  }

  /// Returns the member with a name, or nil if the name is missing or repeated.
  func member(_ name: String) -> NaiveJSON? {
    guard case .object(let members) = self else { return nil }
    let found = members.filter { $0.name.utf8.elementsEqual(name.utf8) }
    return found.count == 1 ? found[0].value : nil
  }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  var elements: [NaiveJSON]? { if case .array(let elements) = self { elements } else { nil } }

  var number: Double? { if case .number(let number) = self { number } else { nil } }

  var isNull: Bool { if case .word("null") = self { true } else { false } }
}

private struct NaiveReader {
  var rest: ArraySlice<UInt8>

  mutating func skipSpace() { rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) } }

  private mutating func take(_ character: Character) -> Bool {
    skipSpace()
    guard let byte = character.asciiValue, rest.first == byte else { return false }
    rest.removeFirst()
    return true
  }

  mutating func value(depth: Int) -> NaiveJSON? {
    skipSpace()
    guard depth < 200, let first = rest.first else { return nil }
    switch Character(Unicode.Scalar(first)) {
    case "{": return object(depth)
    case "[": return array(depth)
    case "\"": return string().map { .string($0) }
    case "-", "0"..."9": return number().map { .number($0) }
    default: return word()
    }
  }

  private mutating func object(_ depth: Int) -> NaiveJSON? {
    guard take("{") else { return nil }
    var members: [(name: String, value: NaiveJSON)] = []
    if take("}") { return .object(members) }
    repeat {
      skipSpace()
      guard let name = string(), take(":"), let value = value(depth: depth + 1) else { return nil }
      members.append((name, value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func array(_ depth: Int) -> NaiveJSON? {
    guard take("[") else { return nil }
    var elements: [NaiveJSON] = []
    if take("]") { return .array(elements) }
    repeat {
      guard let value = value(depth: depth + 1) else { return nil }
      elements.append(value)
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  /// Reads a string and leaves escapes as they are.
  private mutating func string() -> String? {
    guard rest.first == UInt8(ascii: "\"") else { return nil }
    rest.removeFirst()
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\"") { return String(validating: bytes, as: UTF8.self) }
      guard byte >= 0x20 else { return nil }
      bytes.append(byte)
      if byte == UInt8(ascii: "\\") {
        guard let escaped = rest.popFirst(), "\"\\/bfnrtu".utf8.contains(escaped) else {
          return nil
        }
        bytes.append(escaped)
      }
    }
    return nil
  }

  private mutating func number() -> Double? {
    let text = rest.prefix { "+-.eE0123456789".utf8.contains($0) }
    rest = rest.dropFirst(text.count)
    let digits = text.drop { $0 == UInt8(ascii: "-") }
    let leadsWithZero = digits.first == UInt8(ascii: "0")
    if leadsWithZero, let next = digits.dropFirst().first, (48...57).contains(next) { return nil }
    return Double(String(decoding: text, as: UTF8.self))
  }

  private mutating func word() -> NaiveJSON? {
    for word in ["true", "false", "null"] where rest.starts(with: word.utf8) {
      rest = rest.dropFirst(word.utf8.count)
      return .word(word)
    }
    return nil
  }
}
