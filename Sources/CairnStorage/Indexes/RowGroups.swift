/// The rows of one chunk that have a word, as a text index stores them.
///
/// 512 rows and more are a bitmap over the chunk. Fewer are the distances from one row to the next,
/// the first one from 0.
struct RowGroup {
  let chunk: Int
  let count: Int
  /// The bitmap, or the distances.
  let bytes: UnsafeRawBufferPointer

  /// The number of rows from which on a bitmap is the shorter form.
  static let bitmapCount = 512
  static let bitmapBytes = ChunkShape.words * 8

  /// Sets the bits of the rows in a bitmap over the chunk.
  func add(to words: UnsafeMutablePointer<UInt64>) {
    if count >= Self.bitmapCount {
      for word in 0..<ChunkShape.words {
        words[word] |= bytes.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)
      }
      return
    }
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
      words[row >> 6] |= 1 << UInt64(row & 63)
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
  /// Whether the bytes are not a list of groups.
  private(set) var isDamaged = false

  /// - Parameter firstChunk: The chunk that the first group counts from.
  init(_ bytes: UnsafeRawBufferPointer, firstChunk: Int) {
    self.bytes = bytes
    chunk = firstChunk
  }

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
      bytes: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + size]))
  }

  private mutating func short() -> Int? {
    var number = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      guard offset < bytes.count else { return nil }
      let byte = bytes[offset]
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
  /// The chunk of the last group, from which the next one counts.
  private var chunk = 0

  /// Begins the groups of another word.
  mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    chunk = 0
  }

  var isEmpty: Bool { bytes.isEmpty }

  /// Appends a group as another run stores it.
  mutating func append(_ group: RowGroup, at chunk: Int) {
    begin(chunk, count: group.count)
    if group.count < RowGroup.bitmapCount { append(group.bytes.count) }
    bytes.append(contentsOf: group.bytes)
  }

  /// Appends the rows of a chunk in rising order, at least one.
  mutating func append(_ rows: ArraySlice<UInt16>, at chunk: Int) {
    begin(chunk, count: rows.count)
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
    append(chunk - self.chunk)
    append(count)
    self.chunk = chunk
  }

  private mutating func append(_ number: Int) {
    var rest = number
    while rest > 0x7F {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
}
