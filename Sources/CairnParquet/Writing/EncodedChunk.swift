/// The pages of a column in a row group, and what the file says of them.
struct EncodedChunk: Sendable {
  /// A page of values.
  struct Page: Sendable {
    /// The offset in the bytes of the chunk, and the size with the header.
    let offset: Int
    let size: Int
    let firstRow: Int
    let statistics: ColumnStatistics
    let isNull: Bool
  }

  var bytes: [UInt8] = []
  /// The size of the bytes, which stays when they are written.
  var packedSize = 0
  var rowCount = 0
  /// The size that the bytes would have without a codec.
  var unpackedSize = 0
  /// The offset of the first page of values.
  var dataOffset = 0
  var hasDictionary = false
  var encodings: Set<Encoding> = [.rle]
  var pages: [Page] = []
  var statistics = ColumnStatistics()
}

/// The least and the greatest value of a page or a chunk.
struct ValueRange: Sendable {
  /// The values in the form that the file states, and in one that compares as they do.
  private(set) var least: [UInt8]?
  private(set) var greatest: [UInt8]?
  /// Whether the range is unknown, because a value is too long or not a number.
  private(set) var isOpen = false

  /// The longest text that a file states.
  private static let longest = 64

  /// Extends the range by the least and the greatest of some numbers.
  mutating func add<Number: Comparable & BitwiseCopyable>(
    _ values: UnsafeBufferPointer<Number>
  ) {
    guard var low = values.first else { return }
    var high = low
    for value in values {
      // A value that is not a number does not equal itself.
      guard value == value else {
        isOpen = true
        return
      }
      low = min(low, value)
      high = max(high, value)
    }
    if let old: Number = Self.number(least) { low = min(low, old) }
    if let old: Number = Self.number(greatest) { high = max(high, old) }
    (least, greatest) = (Self.bytes(low), Self.bytes(high))
  }

  /// Extends the range by a text.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    guard !isOpen else { return }
    guard bytes.count <= Self.longest else {
      isOpen = true
      return
    }
    if least.map({ bytes.lexicographicallyPrecedes($0) }) ?? true { least = Array(bytes) }
    if greatest.map({ $0.lexicographicallyPrecedes(bytes) }) ?? true { greatest = Array(bytes) }
  }

  /// Extends the range of texts by another one.
  mutating func formUnion(_ other: ValueRange) {
    isOpen = isOpen || other.isOpen
    if let low = other.least, least.map({ low.lexicographicallyPrecedes($0) }) ?? true {
      least = low
    }
    if let high = other.greatest, greatest.map({ $0.lexicographicallyPrecedes(high) }) ?? true {
      greatest = high
    }
  }

  func statistics(nullCount: Int) -> ColumnStatistics {
    ColumnStatistics(
      least: isOpen ? nil : least, greatest: isOpen ? nil : greatest, nullCount: Int64(nullCount))
  }

  private static func bytes<Number: BitwiseCopyable>(_ value: Number) -> [UInt8] {
    withUnsafeBytes(of: value) { Array($0) }
  }

  private static func number<Number: BitwiseCopyable>(_ bytes: [UInt8]?) -> Number? {
    bytes?.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
  }
}

extension ColumnStatistics {
  /// Writes the statistics.
  func append(to writer: inout ThriftWriter, as id: Int16) {
    writer.structure(id) { writer in
      if let nullCount { writer.int64(3, nullCount) }
      if let greatest { writer.binary(5, greatest) }
      if let least { writer.binary(6, least) }
      if greatest != nil { writer.bool(7, true) }
      if least != nil { writer.bool(8, true) }
    }
  }
}
