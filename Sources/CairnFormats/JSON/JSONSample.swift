/// The first records of a file of plain JSON. They tell which members are the coordinates.
struct JSONSample {
  private static let recordLimit = 100
  private static let longest = 4 << 20
  /// Bytes of a value that are looked at.
  private static let valueLimit = 4096

  /// The members of all records, in the order in which they are met.
  private(set) var names: [String] = []
  /// The values as text, by name; empty where there is none. Nested ones as they are written.
  private(set) var rows: [[String]] = []
  /// The kind of place that each member's nested values describe, where they agree.
  private(set) var places: [JSONPlaceKind?] = []
  private var numbers: [String: Int] = [:]

  /// The member of the only record that holds an array of objects; nil: there is none.
  var listName: String? {
    guard rows.count == 1 else { return nil }
    let place = rows[0].firstIndex { text in
      let bytes = text.utf8.filter { !JSONScan.isSpace($0) }
      return bytes.starts(with: "[{".utf8)
    }
    return place.map { names[$0] }
  }

  /// - Parameter start: where the text begins, behind a byte order mark.
  init(_ input: InputFile, start: Int) throws(ImportError) {
    let section = InputSection(capacity: min(Self.longest, max(GeoJSONShape.sampleSize, 1)))
    while true {
      let count = try section.fill(from: input, at: 0)
      read(JSONScan(bytes: section.bytes, count: count), start)
      if !rows.isEmpty || Int64(count) == input.size || section.capacity >= Self.longest { break }
      section.grow()
    }
    for row in rows.indices {
      rows[row] += Array(repeating: "", count: names.count - rows[row].count)
    }
  }

  private mutating func read(_ scan: JSONScan, _ start: Int) {
    var index = scan.skipSpace(start)
    if index < scan.count, scan.bytes[index] == UInt8(ascii: "[") { index += 1 }
    while rows.count < Self.recordLimit {
      index = scan.skipSpace(index)
      while index < scan.count,
        scan.bytes[index] == UInt8(ascii: ",") || scan.bytes[index] == LineCutter.recordSeparator
      {
        index = scan.skipSpace(index + 1)
      }
      guard index < scan.count, scan.bytes[index] == UInt8(ascii: "{"),
        let end = scan.skipValue(index)
      else { return }
      readRecord(scan, index)
      index = end
    }
  }

  private mutating func readRecord(_ scan: JSONScan, _ start: Int) {
    var row = Array(repeating: "", count: names.count)
    scan.forEachMember(ofObjectAt: start) { name, value in
      guard let value else { return false }
      let place = number(of: scan.unescaped(name))
      while row.count <= place { row.append("") }
      row[place] = text(scan, value, place)
      return true
    }
    rows.append(row)
  }

  private mutating func number(of name: String) -> Int {
    if let known = numbers[name] { return known }
    numbers[name] = names.count
    names.append(name)
    places.append(nil)
    return names.count - 1
  }

  private mutating func text(_ scan: JSONScan, _ value: Range<Int>, _ place: Int) -> String {
    let end = min(value.upperBound, value.lowerBound + Self.valueLimit)
    switch scan.bytes[value.lowerBound] {
    case UInt8(ascii: "n"): return ""
    case UInt8(ascii: "\""):
      note(.none, place)
      return scan.unescaped(
        value.lowerBound + 1..<max(value.lowerBound + 1, min(end, value.upperBound - 1)))
    case UInt8(ascii: "{"):
      note(JSONPlaceKind(scan, objectAt: value.lowerBound), place)
    default: note(.none, place)
    }
    return scan.text(value.lowerBound, end)
  }

  /// Takes in what a value is; one of another kind than those before makes the member no place.
  private mutating func note(_ kind: JSONPlaceKind, _ place: Int) {
    places[place] = places[place].map { $0 == kind ? kind : .none } ?? kind
  }
}

/// The kind of place that a nested object describes.
enum JSONPlaceKind: Sendable, Equatable {
  case none
  /// Two coordinates, under these names.
  case coordinates(latitude: String, longitude: String)
  /// A geometry, as GeoJSON has it.
  case geometry

  private static let names: [(latitude: String, longitude: String)] = [
    ("latitude", "longitude"), ("lat", "lon"), ("lat", "lng"), ("lat", "long"), ("y", "x"),
  ]

  init(_ scan: JSONScan, objectAt start: Int) {
    if let type = scan.member("type", ofObjectAt: start),
      GeoJSONShape.geometryTypes.contains(scan.content(type)),
      scan.member("coordinates", ofObjectAt: start) != nil
        || scan.member("geometries", ofObjectAt: start) != nil
    {
      self = .geometry
      return
    }
    let known = Self.names.first {
      scan.member($0.latitude, ofObjectAt: start) != nil
        && scan.member($0.longitude, ofObjectAt: start) != nil
    }
    self = known.map { .coordinates(latitude: $0.latitude, longitude: $0.longitude) } ?? .none
  }
}

extension JSONScan {
  /// The text between quotes, its escapes resolved; escapes that make no sense stay as they are.
  func unescaped(_ range: Range<Int>) -> String {
    let text = text(range.lowerBound, range.upperBound)
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var units: [UInt16] = []
    var rest = Array(text.utf16)[...]
    while let unit = rest.popFirst() {
      guard unit == 0x5C, let escaped = rest.first else {
        units.append(unit)
        continue
      }
      rest.removeFirst()
      switch escaped {
      case 0x62: units.append(8)
      case 0x66: units.append(12)
      case 0x6E: units.append(10)
      case 0x72: units.append(13)
      case 0x74: units.append(9)
      case 0x75:
        let digits = String(decoding: rest.prefix(4), as: UTF16.self)
        guard digits.utf16.count == 4, let value = UInt16(digits, radix: 16) else {
          units += [unit, escaped]
          continue
        }
        rest.removeFirst(4)
        units.append(value)
      default: units.append(escaped)
      }
    }
    return String(decoding: units, as: UTF16.self)
  }
}
