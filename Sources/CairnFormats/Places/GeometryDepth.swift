/// How deep geometries are nested. GEOS reads nested ones by recursion, which text from outside must not lead.
enum GeometryDepth {
  /// Deeper nesting is refused: collections of collections are not nested by hand.
  static let most = 128

  /// Whether a geometry is nested deeper than is read.
  static func isExceeded(
    by text: UnsafeBufferPointer<UInt8>, _ notation: ShapeReader.Notation
  ) -> Bool {
    switch notation {
    case .wkt: exceeds(text, open: "(", close: ")")
    case .geoJSON: exceeds(text, open: "{", close: "}")
    case .hexWKB: binaryExceeds(text)
    }
  }

  private static func exceeds(
    _ text: UnsafeBufferPointer<UInt8>, open: Unicode.Scalar, close: Unicode.Scalar
  ) -> Bool {
    let (open, close) = (UInt8(ascii: open), UInt8(ascii: close))
    var depth = 0
    for byte in text {
      if byte == open {
        depth += 1
        if depth > most { return true }
      } else if byte == close {
        depth -= 1
      }
    }
    return false
  }

  /// Walks through collections alone. What is not well formed is left to GEOS, which reads no further than this does.
  private static func binaryExceeds(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    guard var reader = BinaryHead.Reader(text) else { return false }
    // Parts that are still to be read, of each collection that is open.
    var open: [Int] = []
    while let head = reader.readHead() {
      switch head.type {
      case 1...3:
        guard reader.skip(head) else { return false }
      default:
        guard let parts = reader.readCount() else { return false }
        open.append(parts)
        if open.count > most { return true }
      }
      while let parts = open.last, parts == 0 { open.removeLast() }
      guard let parts = open.popLast() else { return false }
      open.append(parts - 1)
    }
    return false
  }
}

/// The head of a geometry in WKB.
struct BinaryHead {
  let type: Int
  /// Numbers of a position.
  let dimensions: Int

  /// Reads one head behind the other, in hexadecimal digits.
  struct Reader {
    private let text: UnsafeBufferPointer<UInt8>
    private var index = 0
    private var isLittleEndian = true

    init?(_ text: UnsafeBufferPointer<UInt8>) {
      guard text.count >= 18 else { return nil }
      self.text = text
    }

    mutating func readHead() -> BinaryHead? {
      guard let order = byte(), order <= 1 else { return nil }
      isLittleEndian = order == 1
      guard let code = readCount().map({ UInt32($0) }) else { return nil }
      if code & 0x2000_0000 != 0, readCount() == nil { return nil }
      let plain = Int(code & 0x1FFF_FFFF)
      let hasZ = code & 0x8000_0000 != 0 || plain / 1000 == 1 || plain / 1000 == 3
      let hasM = code & 0x4000_0000 != 0 || plain / 1000 >= 2
      return BinaryHead(type: plain % 1000, dimensions: 2 + (hasZ ? 1 : 0) + (hasM ? 1 : 0))
    }

    /// A number of 32 bits.
    mutating func readCount() -> Int? {
      var value = 0
      for place in 0..<4 {
        guard let byte = byte() else { return nil }
        value |= Int(byte) << (8 * (isLittleEndian ? place : 3 - place))
      }
      return value
    }

    /// Passes the positions of a point, a line or a polygon.
    mutating func skip(_ head: BinaryHead) -> Bool {
      switch head.type {
      case 1: return skip(positions: 1, head)
      case 2: return readCount().map { skip(positions: $0, head) } ?? false
      default:
        guard let rings = readCount() else { return false }
        for _ in 0..<rings {
          guard let count = readCount(), skip(positions: count, head) else { return false }
        }
        return true
      }
    }

    private mutating func skip(positions: Int, _ head: BinaryHead) -> Bool {
      index += positions * head.dimensions * 16
      return index <= text.count
    }

    private mutating func byte() -> UInt8? {
      guard index + 2 <= text.count else { return nil }
      defer { index += 2 }
      guard let high = Self.digit(text[index]), let low = Self.digit(text[index + 1]) else {
        return nil
      }
      return high << 4 | low
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
      if Digits.isDigit(byte) { return byte - 48 }
      let letter = (byte | 0x20) &- 97
      return letter < 6 ? letter + 10 : nil
    }
  }
}
