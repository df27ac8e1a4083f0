/// A unique identifier of twelve bytes: four of seconds since 1970, five of the process, three that count.
public struct ObjectId: Hashable, Sendable {
  /// The first eight bytes, the first of them highest.
  @usableFromInline var high: UInt64
  /// The last four bytes, the first of them highest.
  @usableFromInline var low: UInt32

  @inlinable
  init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// The identifier of twelve zero bytes.
  public init() {
    self.init(high: 0, low: 0)
  }

  /// The identifier that 24 hexadecimal digits of either case give.
  ///
  /// - Throws: `ValueError` for any other text.
  public init(string: String) throws {
    guard let id = ObjectId(digits: string) else {
      throw ValueError("'\(string)' is not an ObjectId: 24 hexadecimal digits were expected.")
    }
    self = id
  }

  /// The identifier that 24 hexadecimal digits give; any other text is a programming error.
  public init(_ literal: StaticString) {
    guard let id = ObjectId(digits: literal.description) else {
      preconditionFailure("'\(literal)' is not an ObjectId: 24 hexadecimal digits were expected.")
    }
    self = id
  }

  /// The identifier that 24 hexadecimal digits give; nil for any other text.
  package init?(digits text: some StringProtocol) {
    var id = ObjectId()
    var count = 0
    for byte in text.utf8 {
      guard count < 24, let digit = Hexadecimal.value(byte) else { return nil }
      id.high = id.high << 4 | UInt64(id.low >> 28)
      id.low = id.low << 4 | UInt32(digit)
      count += 1
    }
    guard count == 24 else { return nil }
    self = id
  }

  /// The 24 lower-case hexadecimal digits.
  public var stringValue: String {
    var text = ""
    Hexadecimal.append(high, bytes: 8, to: &text)
    Hexadecimal.append(UInt64(low), bytes: 4, to: &text)
    return text
  }

  /// Whole seconds since 1970-01-01T00:00:00Z.
  package var secondsSince1970: UInt32 { UInt32(high >> 32) }
}

extension ObjectId: Comparable {
  /// By the bytes, the first of them first.
  @inlinable
  public static func < (a: ObjectId, b: ObjectId) -> Bool {
    (a.high, a.low) < (b.high, b.low)
  }
}

extension ObjectId: CustomStringConvertible, LosslessStringConvertible {
  /// The 24 lower-case hexadecimal digits.
  public var description: String { stringValue }

  /// The identifier that 24 hexadecimal digits give; nil for any other text.
  ///
  /// For literals there is an initialiser that is sure of them, which comes first.
  @_disfavoredOverload
  public init?(_ description: String) {
    self.init(digits: description)
  }
}

extension ObjectId: Codable {
  /// Reads 24 hexadecimal digits.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    try self.init(string: text)
  }

  /// Writes 24 hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}

extension ObjectId {
  /// The twelve bytes in order, as the store keeps them.
  @inlinable
  package func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      body(UnsafeRawBufferPointer(rebasing: $0[..<12]))
    }
  }

  /// The identifier that the store keeps as these twelve bytes.
  @inlinable
  package init(storedBytes bytes: UnsafeRawBufferPointer) {
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
  }
}
