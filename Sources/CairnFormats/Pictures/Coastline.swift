/// The land of the earth, for orientation: Natural Earth's, to a tenth of a degree.
enum Coastline {
  /// Closed rings in degrees, the largest first; none crosses the antimeridian.
  static let rings: [[Place]] = text.withUTF8Buffer(read)

  struct Place {
    let longitude: Double
    let latitude: Double

    /// Whether the line to the next is no coast, but the edge of the map.
    func isSeam(to next: Place) -> Bool {
      abs(longitude) == 180 && longitude == next.longitude
        || latitude == -90 && next.latitude == -90
    }
  }

  /// Steps in a degree.
  private static let units = 50.0
  private static let first = 36
  private static let base = 91
  /// Numbers below it take one character.
  private static let short = 81
  private static let ringEnd = UInt8(ascii: "!")

  /// Rings one after the other, each ended by `!`: the first place by three digits of base 91 for each coordinate,
  /// counted from the south-west; then steps, of one character or more, even numbers upwards.
  private static func read(_ bytes: UnsafeBufferPointer<UInt8>) -> [[Place]] {
    bytes.split(separator: ringEnd).map { ring in
      var digits = ring.lazy.filter { $0 > ringEnd }.map { Int($0) - first }.makeIterator()
      var x = number(&digits) - 180 * Int(units)
      var y = number(&digits) - 90 * Int(units)
      var places = [place(x, y)]
      while let right = step(&digits), let up = step(&digits) {
        x += right
        y += up
        places.append(place(x, y))
      }
      return places
    }
    .filter { $0.count > 3 }
  }

  private static func place(_ x: Int, _ y: Int) -> Place {
    Place(longitude: Double(x) / units, latitude: Double(y) / units)
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
