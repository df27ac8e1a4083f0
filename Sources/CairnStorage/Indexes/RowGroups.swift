/// The rows of one chunk that have a word, as a text index stores them.
///
/// 512 rows and more are a bitmap over the chunk. Fewer are the distances from one row to the next,
/// the first one from 0.
struct RowGroup {
  let chunk: Int
  let count: Int
  /// The bitmap, or the distances, valid like the bytes of the run.
  let bytes: UnsafeRawBufferPointer
  /// The positions of the word in the texts of these rows, valid like the bytes of the run; empty if
  /// they are not stored.
  let positions: UnsafeRawBufferPointer

  /// The number of rows from which on a bitmap is the shorter form.
  static let bitmapCount = 512
  static let bitmapBytes = ChunkShape.words * 8

  /// Whether the bytes are a whole bitmap, or a list, for the asserts.
  private var hasWholeBitmap: Bool {
    count < Self.bitmapCount || bytes.count == Self.bitmapBytes
  }

  /// Sets the bits of the rows in a bitmap over the chunk.
  func add(to words: UnsafeMutablePointer<UInt64>) {
    assert(hasWholeBitmap, "a bitmap has 512 bytes")
    if count >= Self.bitmapCount {
      for word in 0..<ChunkShape.words {
        words[word] |= bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
      }
      return
    }
    forEachListed { words[$0 >> 6] |= 1 << UInt64($0 & 63) }
  }

  /// Clears the bits of the rows in a bitmap over the chunk.
  func remove(from words: UnsafeMutablePointer<UInt64>) {
    assert(hasWholeBitmap, "a bitmap has 512 bytes")
    guard count >= Self.bitmapCount else {
      return forEachListed { words[$0 >> 6] &= ~(1 << UInt64($0 & 63)) }
    }
    for word in 0..<ChunkShape.words {
      words[word] &= ~bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
    }
  }

  /// Calls `body` with each row, in rising order.
  func forEachRow(_ body: (Int) -> Void) {
    assert(hasWholeBitmap, "a bitmap has 512 bytes")
    guard count >= Self.bitmapCount else { return forEachListed(body) }
    for word in 0..<ChunkShape.words {
      var bits = bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
      while bits != 0 {
        body(word << 6 | bits.trailingZeroBitCount)
        bits &= bits &- 1
      }
    }
  }

  /// Calls `body` with each row of a list of distances.
  @inline(__always)
  func forEachListed(_ body: (Int) -> Void) {
    var row = 0
    var gap = 0
    var shift = 0
    for byte in bytes {
      gap |= Int(byte & 0x7F) << shift
      if byte >= 0x80 {
        shift = 7
        continue
      }
      // The mask keeps damaged bytes within the chunk.
      row = (row &+ gap) & (ChunkShape.rows - 1)
      body(row)
      gap = 0
      shift = 0
    }
  }
}

/// Reads the groups of one word, in rising order of chunks. It stops where the bytes are damaged.
struct RowGroupReader: IteratorProtocol, Sequence {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var chunk: Int
  private var positions: PositionList?
  /// Whether the bytes are not a list of groups.
  private(set) var isDamaged = false

  /// - Parameters:
  ///   - bytes: The groups, which outlive the reader.
  ///   - firstChunk: The chunk that the first group counts from.
  ///   - positions: The positions of the word; nil for a caller that needs none.
  init(_ bytes: UnsafeRawBufferPointer, firstChunk: Int, positions: PositionList? = nil) {
    self.bytes = bytes
    self.positions = positions
    chunk = firstChunk
  }

  /// Whether the last group was read and there is no list of positions behind it.
  var isAtEnd: Bool { offset == bytes.count && positions?.isAtEnd ?? true }

  mutating func next() -> RowGroup? {
    guard offset < bytes.count, !isDamaged else { return nil }
    guard let gap = short(), let count = short(), count > 0, count <= ChunkShape.rows,
      let size = count >= RowGroup.bitmapCount ? RowGroup.bitmapBytes : short(),
      size <= bytes.count - offset
    else {
      isDamaged = true
      return nil
    }
    chunk += gap
    defer { offset += size }
    return RowGroup(
      chunk: chunk, count: count,
      bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size]),
      positions: positions?.next() ?? UnsafeRawBufferPointer(start: nil, count: 0))
  }

  private mutating func short() -> Int? { bytes.short(at: &offset) }
}

extension UnsafeRawBufferPointer {
  /// Reads a number in bytes of seven bits, the lowest first; nil if it does not end.
  @inline(__always)
  func short(at offset: inout Int) -> Int? {
    var number = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      guard offset < count else { return nil }
      let byte = self[offset]
      offset += 1
      number |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }
}

/// Writes the groups of one word.
struct RowGroupWriter {
  private(set) var bytes: [UInt8] = []
  /// The positions of all groups, one after the other.
  private(set) var positions: [UInt8] = []
  /// The number of bytes of the positions of each group.
  private var positionSizes: [Int] = []
  /// The chunk of the last group, from which the next one counts.
  private var chunk = 0
  /// The number of rows of all groups.
  private(set) var rowCount = 0

  /// Begins the groups of another word.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    positionSizes.removeAll(keepingCapacity: true)
    chunk = 0
    rowCount = 0
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// The positions as a ``PositionList`` stores them.
  var positionList: [UInt8] { PositionList.encoded(sizes: positionSizes, positions) }

  /// Calls `body` with the groups.
  func withGroups<Result>(_ body: (RowGroupReader) -> Result) -> Result {
    bytes.withUnsafeBytes { bytes in
      positions.isEmpty
        ? body(RowGroupReader(bytes, firstChunk: 0))
        : positionList.withUnsafeBytes {
          body(RowGroupReader(bytes, firstChunk: 0, positions: PositionList($0)))
        }
    }
  }

  /// Appends a group as another run stores it.
  mutating func append(_ group: RowGroup, at chunk: Int) {
    begin(chunk, count: group.count)
    if group.count < RowGroup.bitmapCount { append(group.bytes.count) }
    bytes.append(contentsOf: group.bytes)
    append(positions: group.positions)
  }

  /// Appends the rows of a chunk in rising order, at least one.
  ///
  /// - Parameter positions: The positions of the word in the texts of these rows.
  mutating func append(
    _ rows: ArraySlice<UInt16>, at chunk: Int,
    positions: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0)
  ) {
    assert(!rows.isEmpty && rows.allSatisfy { $0 < ChunkShape.rows }, "no rows of a chunk")
    begin(chunk, count: rows.count)
    append(positions: positions)
    if rows.count >= RowGroup.bitmapCount {
      let start = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: RowGroup.bitmapBytes))
      for row in rows { bytes[start + Int(row >> 3)] |= 1 << UInt8(row & 7) }
      return
    }
    var last = 0
    var size = 0
    for row in rows {
      size += Int(row) - last < 0x80 ? 1 : 2
      last = Int(row)
    }
    append(size)
    last = 0
    for row in rows {
      append(Int(row) - last)
      last = Int(row)
    }
  }

  /// Appends the rows whose bits are set in a bitmap over a chunk; nothing if none is.
  mutating func append(_ rows: ChunkBitmap, at chunk: Int) {
    var list: [UInt16] = []
    list.reserveCapacity(rows.count)
    rows.forEach { list.append(UInt16($0)) }
    if !list.isEmpty { append(list[...], at: chunk) }
  }

  private mutating func begin(_ chunk: Int, count: Int) {
    assert(chunk >= self.chunk, "the chunks are out of order")
    append(chunk - self.chunk)
    append(count)
    self.chunk = chunk
    rowCount += count
  }

  private mutating func append(positions bytes: UnsafeRawBufferPointer) {
    positions.append(contentsOf: bytes)
    positionSizes.append(bytes.count)
  }

  private mutating func append(_ number: Int) { bytes.append(short: number) }
}

extension [UInt8] {
  /// Appends a number in bytes of seven bits, the lowest first.
  @inline(__always)
  mutating func append(short number: Int) {
    assert(number >= 0, "a negative number has no end")
    var rest = number
    while rest > 0x7F {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}
