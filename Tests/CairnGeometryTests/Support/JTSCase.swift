import CairnTestSupport
import Foundation

@testable import CairnGeometry

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A test of the JTS Topology Suite: an operation on one or two geometries, and its result.
struct JTSCase: CustomStringConvertible {
  let file: String
  let title: String
  let operation: String
  /// The texts of the geometries.
  let one: String
  let other: String?
  /// The arguments that are not geometries.
  let number: Double?
  let expected: String

  var description: String { "\(file), \(title): \(operation) \(number.map { "\($0)" } ?? "")" }

  /// The cases of some files.
  static func all(_ files: [String]) throws -> [JTSCase] {
    try files.flatMap { try JTSReader(file: $0).cases }
  }

  /// The geometries and the result in the plane of longitude and latitude; nil if one of them breaks
  /// a rule of well-known text.
  func placed(_ place: JTSPlace? = nil) -> (one: Geometry, other: Geometry?, expected: Geometry)? {
    let place = place ?? JTSPlace(shrinking: [one, other ?? "", expected])
    let all = [one, other ?? "POINT EMPTY", expected].compactMap {
      try? Geometry(wkt: place.moved($0))
    }
    return all.count == 3 ? (all[0], other.map { _ in all[1] }, all[2]) : nil
  }
}

/// A place on the earth for geometries of a plane: their coordinates are moved, and scaled by a power of two.
struct JTSPlace {
  let scale: Double
  let origin: (x: Double, y: Double)

  /// Within 80 degrees of the origin, with as little change as possible.
  init(shrinking texts: [String]) {
    let most = texts.flatMap(Self.numbers).map(abs).max() ?? 0
    var scale = 1.0
    while most * scale > 80 { scale /= 2 }
    self.scale = scale
    origin = (0, 0)
  }

  /// So small and so near to the equator that the plane is true to 1e-6.
  init(nearEquator text: String) {
    scale = 1.0 / 16_384
    let numbers = Self.numbers(text)
    origin = numbers.count > 1 ? (numbers[0], numbers[1]) : (0, 0)
  }

  /// The text of a geometry with other coordinates.
  func moved(_ text: String) -> String {
    var isX = true
    return Self.tokens(text).map { token in
      // Spaces between a number and its name would be lost, and rings are lines here.
      guard let number = Double(token) else {
        if token == "," || token == "(" { isX = true }
        return token.uppercased() == "LINEARRING" ? "LINESTRING" : token
      }
      defer { isX.toggle() }
      return "\((number - (isX ? origin.x : origin.y)) * scale)"
    }.joined(separator: " ")
  }

  private static func numbers(_ text: String) -> [Double] { tokens(text).compactMap(Double.init) }

  private static func tokens(_ text: String) -> [String] {
    var tokens: [String] = []
    var word = ""
    for character in text {
      if "(), \n\t\r".contains(character) {
        if !word.isEmpty { tokens.append(word) }
        word = ""
        if "(),".contains(character) { tokens.append(String(character)) }
      } else {
        word.append(character)
      }
    }
    return word.isEmpty ? tokens : tokens + [word]
  }
}

/// Reads a file of cases.
private final class JTSReader: NSObject, XMLParserDelegate {
  private(set) var cases: [JTSCase] = []
  private let file: String
  private var texts: [String: String] = [:]
  private var attributes: [String: String] = [:]
  private var text = ""

  init(file: String) throws {
    self.file = file
    super.init()
    let url = URL(fileURLWithPath: Repository.data("jts/\(file).xml"))
    let parser = XMLParser(data: try Data(contentsOf: url))
    parser.delegate = self
    guard parser.parse() else { throw parser.parserError ?? CocoaError(.fileReadCorruptFile) }
  }

  func parser(
    _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
    qualifiedName: String?, attributes: [String: String]
  ) {
    if name == "case" { texts = [:] }
    if name == "op" { self.attributes = attributes }
    text = ""
  }

  func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

  func parser(
    _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
    qualifiedName: String?
  ) {
    let trimmed = text.trimmingCharacters(in: .whitespacesAndNewlines)
    if ["a", "b", "desc"].contains(name) { texts[name] = trimmed }
    guard name == "op" else { return }
    let arguments = ["arg1", "arg2"].compactMap { attributes[$0]?.lowercased() }
    cases.append(
      JTSCase(
        file: file, title: texts["desc"] ?? "", operation: (attributes["name"] ?? "").lowercased(),
        one: texts[arguments.first ?? "a"] ?? "",
        other: arguments.dropFirst().first.flatMap { texts[$0] },
        number: arguments.dropFirst().first.flatMap(Double.init), expected: trimmed))
  }
}
