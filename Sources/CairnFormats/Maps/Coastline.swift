/// The land areas of the world, as a background for maps: Natural Earth's data, to a tenth of a
/// degree.
enum Coastline {
  /// Closed rings in degrees, the largest first. None of them crosses the antimeridian.
  static let rings: [[Vertex]] = text.withUTF8Buffer(read)

  /// A vertex of a ring.
  struct Vertex {
    let longitude: Double
    let latitude: Double

    /// Whether the line to the next vertex is the edge of the map rather than a coast.
    func isMapEdge(to next: Vertex) -> Bool {
      abs(longitude) == 180 && longitude == next.longitude
        || latitude == -90 && next.latitude == -90
    }
  }

  /// Units in a degree.
  private static let units = 50.0
  private static let first = 36
  private static let base = 91
  /// Smaller numbers take one character.
  private static let short = 81
  private static let ringEnd = UInt8(ascii: "!")

  /// Decodes consecutive rings, each ended by `!`. The first vertex takes three digits of base 91
  /// for each coordinate, counted from the south-west. Then follow steps of one or more characters;
  /// even numbers are positive.
  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> [[Vertex]] {
    bytes.split(separator: ringEnd).map { ring in
      var digits = ring.lazy.filter { $0 > ringEnd }.map { Int($0) - first }.makeIterator()
      var x = number(&digits) - 180 * Int(units)
      var y = number(&digits) - 90 * Int(units)
      var vertices = [vertex(x, y: y)]
      while let right = step(&digits), let up = step(&digits) {
        x += right
        y += up
        vertices.append(vertex(x, y: y))
      }
      return vertices
    }
    .filter { $0.count > 3 }
  }

  private static func vertex(_ x: Int, y: Int) -> Vertex {
    Vertex(longitude: Double(x) / units, latitude: Double(y) / units)
  }

  private static func number(_ digits: inout some IteratorProtocol<Int>) -> Int {
    (0..<3).reduce(0) { number, _ in number * base + (digits.next() ?? 0) }
  }

  private static func step(_ digits: inout some IteratorProtocol<Int>) -> Int? {
    guard var code = digits.next() else { return nil }
    if code == base - 1 {
      code = number(&digits) + short
    } else if code >= short {
      code = (code - short) * base + (digits.next() ?? 0) + short
    }
    return code.isMultiple(of: 2) ? code / 2 : -(code + 1) / 2
  }
}
