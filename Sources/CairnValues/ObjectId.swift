import CairnSystem

/// A unique identifier of twelve bytes: four of seconds since 1970, five of the process, and three
/// of a counter.
public struct ObjectId: Hashable, Sendable {
  /// The first eight bytes in big-endian order.
  @usableFromInline var high: UInt64
  /// The last four bytes in big-endian order.
  @usableFromInline var low: UInt32

  @inlinable
  init(high: UInt64, low: UInt32) {
    self.high = high
    self.low = low
  }

  /// Creates the identifier of twelve zero bytes.
  public init() {
    self.init(high: 0, low: 0)
  }

  /// Creates an identifier from 24 hexadecimal digits of either case.
  ///
  /// - Throws: ``ValueError`` for any other text.
  public init(string: String) throws {
    guard let id = ObjectId(digits: string) else {
      throw ValueError("'\(string)' is not an ObjectId: expected 24 hexadecimal digits")
    }
    self = id
  }

  /// Creates an identifier from 24 hexadecimal digits. Any other text is a programming error.
  public init(_ literal: StaticString) {
    guard let id = ObjectId(digits: literal.description) else {
      preconditionFailure("'\(literal)' is not an ObjectId: expected 24 hexadecimal digits")
    }
    self = id
  }

  /// Creates an identifier from 24 hexadecimal digits; returns nil for any other text.
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
  /// Whether `a` is before `b` in the order of their bytes.
  @inlinable
  public static func < (a: ObjectId, b: ObjectId) -> Bool {
    (a.high, a.low) < (b.high, b.low)
  }
}

extension ObjectId: CustomStringConvertible, LosslessStringConvertible {
  /// The 24 lower-case hexadecimal digits.
  public var description: String { stringValue }

  /// Creates an identifier from 24 hexadecimal digits; returns nil for any other text.
  ///
  /// A literal selects the initializer that does not return an optional.
  @_disfavoredOverload
  public init?(_ description: String) {
    self.init(digits: description)
  }
}

extension ObjectId: Codable {
  /// Decodes 24 hexadecimal digits.
  ///
  /// - Throws: `DecodingError`, or ``ValueError`` for any other text.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    try self.init(string: text)
  }

  /// Encodes 24 hexadecimal digits.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(stringValue)
  }
}

extension ObjectId {
  /// Calls `body` with the twelve bytes as stored, which are valid during the call.
  @inlinable
  package func withStoredBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      body(UnsafeRawBufferPointer(rebasing: $0[..<12]))
    }
  }

  /// Creates the identifier of twelve stored bytes.
  @inlinable
  package init(storedBytes bytes: UnsafeRawBufferPointer) {
    assert(bytes.count >= 12, "an identifier has 12 bytes")
    self.init(
      high: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
      low: UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self)))
  }
}

extension ObjectId {
  /// Returns a new identifier: the time, five random bytes of this process, and the next number of
  /// a counter.
  public static func generate() -> ObjectId {
    let seconds = UInt64(UInt32(truncatingIfNeeded: time(nil)))
    let count = counter.next()
    let process = processBytes
    return ObjectId(
      high: seconds << 32 | process >> 8,
      low: UInt32(truncatingIfNeeded: process & 0xFF) << 24 | UInt32(count & 0xFF_FFFF))
  }

  /// Returns an identifier of a time, machine and process, with the next number of the counter.
  package static func generate(seconds: UInt32, machine: UInt32, process: UInt16) -> ObjectId {
    let maker = UInt64(machine & 0xFF_FFFF) << 16 | UInt64(process)
    return ObjectId(
      high: UInt64(seconds) << 32 | maker >> 8,
      low: UInt32(truncatingIfNeeded: maker & 0xFF) << 24 | UInt32(counter.next() & 0xFF_FFFF))
  }

  /// Five random bytes, the same for the life of the process.
  private static let processBytes = UInt64.random(in: 0..<(1 << 40))
  private static let counter = Counter(startingAt: UInt64.random(in: 0..<(1 << 24)))
}

/// A counter that returns every number once.
private final class Counter: @unchecked Sendable {
  // Sendable: the number is only touched under the lock.
  private let lock = Lock()
  private var number: UInt64

  init(startingAt number: UInt64) { self.number = number }

  func next() -> UInt64 {
    lock.withLock {
      number += 1
      return number
    }
  }
}
