import CairnIndex
import CairnValues

/// Up to 4096 rows of one column, read in place. A chunk is a view of memory that a snapshot or a
/// transaction keeps alive.
///
/// The chunk of a snapshot, and all pointers into it, are valid until the snapshot ends. The chunk
/// of a transaction is valid until the next change of its rows, and that of a `ChunkBuffer` until
/// the next change of the buffer.
///
/// Arrays are padded to a multiple of 64 rows; the contents of the padding are undefined. A null
/// row has code 0, an empty byte string, or zeros.
package struct Chunk {
  /// The start of the header, valid like the chunk.
  package let base: UnsafeRawPointer
  /// The encoding of the rows.
  package let encoding: Encoding
  /// The number of bytes from `heap` on, for the asserts.
  @usableFromInline let heapSize: UInt32
  /// The number of written rows; later rows of the chunk do not exist.
  package let count: Int
  /// The width of a code, an offset or a fixed value in bytes. Codes have 0 (every row equals the
  /// frame), 1, 2, 4 or 8 bytes.
  package let width: Int
  /// The power of ten of `Encoding.decimals`.
  package let exponent: Int
  /// The base that codes are added to; for `.dictionary` the number of entries.
  package let frame: Int64
  /// The null bitmap of 64 words, in which a set bit is a null row; nil if no row is null. It is
  /// valid like the chunk.
  package let nulls: UnsafePointer<UInt64>?
  /// The codes, values, offsets or slots, valid like the chunk.
  package let codes: UnsafeRawPointer
  /// The bytes that offsets and slots refer to, valid like the chunk.
  package let heap: UnsafeRawPointer

  /// Makes a view of encoded rows; the parameters are those of the header.
  ///
  /// - Parameter heapSize: The number of bytes from `heap` on.
  package init(
    base: UnsafeRawPointer, encoding: Encoding, count: Int, width: Int = 0, exponent: Int = 0,
    frame: Int64 = 0, nulls: UnsafePointer<UInt64>?, codes: UnsafeRawPointer,
    heap: UnsafeRawPointer, heapSize: Int
  ) {
    assert(count >= 0 && count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    self.base = base
    self.encoding = encoding
    self.heapSize = UInt32(truncatingIfNeeded: heapSize)
    self.count = count
    self.width = width
    self.exponent = exponent
    self.frame = frame
    self.nulls = nulls
    self.codes = codes
    self.heap = heap
  }

  /// Reads the header of an encoded chunk; nil if the header is invalid, or leads outside of the
  /// bytes.
  package init?(encoded base: UnsafeRawPointer, size: Int) {
    guard size >= ChunkShape.headerSize, Int(bitPattern: base) & 15 == 0,
      let encoding = Encoding(rawValue: base.load(as: UInt8.self))
    else { return nil }
    let hasNulls = base.load(fromByteOffset: 2, as: UInt8.self) & ChunkHeader.hasNulls != 0
    let nullsSize = hasNulls ? ChunkShape.words * 8 : 0
    let codes = base + ChunkShape.headerSize + nullsSize
    let count = Int(base.load(fromByteOffset: 4, as: UInt32.self))
    let heapOffset = Int(base.load(fromByteOffset: 24, as: UInt32.self))
    let heapSize = size - ChunkShape.headerSize - nullsSize - heapOffset
    guard count <= ChunkShape.rows, heapSize >= 0 else { return nil }
    self.init(
      base: base, encoding: encoding, count: count,
      width: Int(base.load(fromByteOffset: 1, as: UInt8.self)),
      exponent: Int(base.load(fromByteOffset: 3, as: UInt8.self)),
      frame: base.load(fromByteOffset: 16, as: Int64.self),
      nulls: hasNulls
        ? (base + ChunkShape.headerSize).assumingMemoryBound(to: UInt64.self) : nil,
      codes: codes, heap: codes + heapOffset, heapSize: heapSize)
  }

  /// Returns whether a row is null.
  @inlinable @inline(__always)
  package func isNull(_ row: Int) -> Bool {
    assert(row >= 0 && row < ChunkShape.rows, "a chunk has up to 4096 rows")
    guard let nulls else { return false }
    return nulls[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// The number of entries in the dictionary.
  @inlinable package var dictionaryCount: Int { Int(frame) }
}

/// Constants in the header of a chunk.
package enum ChunkHeader {
  /// The flag of a chunk with a null bitmap after the header.
  package static let hasNulls: UInt8 = 1
  /// The flag of a chunk in which rows may be references to large values.
  static let hasReferences: UInt8 = 2
  /// The exponent of an `Encoding.points` chunk with altitudes in its heap, a double for each row.
  package static let altitudesPresent = 1
}

extension Chunk {
  /// Whether the arrays have an entry for a row; they are padded to whole words.
  @inlinable
  func hasEntry(_ row: Int) -> Bool { row >= 0 && row & ~63 < count }

  /// Returns the stored code of a row, without the frame.
  @inlinable @inline(__always)
  package func code(at row: Int) -> UInt64 {
    assert(hasEntry(row), "the chunk does not have the row")
    return switch width {
    case 0: 0
    case 1: UInt64(codes.load(fromByteOffset: row, as: UInt8.self))
    case 2: UInt64(codes.load(fromByteOffset: row * 2, as: UInt16.self))
    case 4: UInt64(codes.load(fromByteOffset: row * 4, as: UInt32.self))
    default: codes.load(fromByteOffset: row * 8, as: UInt64.self)
    }
  }

  /// Returns the integer of a row of `.integers`.
  @inlinable @inline(__always)
  package func int(at row: Int) -> Int64 { frame &+ Int64(bitPattern: code(at: row)) }

  /// Returns the double of a row of `.doubles` or `.decimals`.
  @inlinable @inline(__always)
  package func double(at row: Int) -> Double {
    assert(hasEntry(row), "the chunk does not have the row")
    return encoding == .doubles
      ? codes.load(fromByteOffset: row * 8, as: Double.self)
      : Double(int(at: row)) / Decimals.powers[exponent]
  }

  /// Returns the float of a row of `.floats`.
  @inlinable @inline(__always)
  package func float(at row: Int) -> Float {
    assert(hasEntry(row), "the chunk does not have the row")
    return codes.load(fromByteOffset: row * 4, as: Float.self)
  }

  /// Returns the bytes of a row of `.bytes`, `.dictionary`, `.slots`, `.fixed` or `.spans`, valid
  /// like the chunk.
  @inlinable
  package func bytes(at row: Int) -> UnsafeRawBufferPointer {
    // The padding of `.spans` is not initialized.
    assert(encoding == .spans ? row >= 0 && row < count : hasEntry(row), "no such row")
    return switch encoding {
    case .dictionary: entry(Int(code(at: row)))
    case .bytes: span(from: offset(row), to: offset(row + 1))
    case .slots: slot(row)
    case .spans: codes.load(fromByteOffset: row * 16, as: UnsafeRawBufferPointer.self)
    default: UnsafeRawBufferPointer(start: codes + row * width, count: width)
    }
  }

  /// Returns the dictionary entry of a code, valid like the chunk.
  @inlinable
  package func entry(_ code: Int) -> UnsafeRawBufferPointer {
    assert(code >= 0 && code < dictionaryCount, "the dictionary does not have the entry")
    let offsets = heap - (dictionaryCount + 1) * 4
    return span(
      from: Int(offsets.load(fromByteOffset: code * 4, as: UInt32.self)),
      to: Int(offsets.load(fromByteOffset: code * 4 + 4, as: UInt32.self)))
  }

  /// Returns the start of a row of `.bytes` in the heap, which is the end of the row before.
  @inlinable
  func offset(_ row: Int) -> Int {
    assert(row == 0 || hasEntry(row - 1), "the chunk does not have the row")
    return width == 2
      ? Int(codes.load(fromByteOffset: row * 2, as: UInt16.self))
      : Int(codes.load(fromByteOffset: row * 4, as: UInt32.self))
  }

  /// Returns a part of the heap, valid like the chunk.
  @inlinable
  func span(from start: Int, to end: Int) -> UnsafeRawBufferPointer {
    assert(start >= 0 && start <= end && end <= Int(heapSize), "a text lies outside of the heap")
    return UnsafeRawBufferPointer(start: heap + start, count: end - start)
  }

  /// Returns the bytes of a row of `.slots`, valid like the chunk.
  @inlinable
  func slot(_ row: Int) -> UnsafeRawBufferPointer {
    let start = Int(codes.load(fromByteOffset: row * 8, as: UInt32.self))
    let length = Int(codes.load(fromByteOffset: row * 8 + 4, as: UInt32.self))
    // The slot of an empty row may be older than the heap.
    assert(length == 0 || start + length <= Int(heapSize), "a slot lies outside of the heap")
    return UnsafeRawBufferPointer(start: heap + start, count: length)
  }

  /// Returns the text of a row.
  package func string(at row: Int) -> String {
    String(decoding: bytes(at: row), as: UTF8.self)
  }

  /// Returns the value of a row in a column of that type. Collections and links are returned as
  /// their stored bytes and keys.
  package func value(at row: Int, type: ValueType) -> Value {
    if isNull(row) { return .null }
    switch type {
    case .bool: return .bool(int(at: row) != 0)
    case .int, .link, .embedded: return .int(int(at: row))
    case .float: return .float(float(at: row))
    case .double: return .double(double(at: row))
    case .date: return .date(double(at: row))
    case .string: return .string(string(at: row))
    case .data, .mixed: return .data(Array(bytes(at: row)))
    case .objectId: return .objectId(ObjectId(storedBytes: bytes(at: row)))
    case .uuid: return .uuid(UUIDBytes(storedBytes: bytes(at: row)))
    case .decimal128: return .decimal(Decimal128(storedBytes: bytes(at: row)))
    case .point: return .point(position(at: row))
    case .geometry, .lineString, .polygon: return .geometry(Array(bytes(at: row)))
    case .box: return .box(Box(storedBytes: bytes(at: row)))
    }
  }
}

extension Chunk {
  /// Whether coordinates are Int32 in 1e-7 degrees (4 bytes) rather than doubles (8 bytes).
  private var isFixedPoint: Bool { width == 4 }

  /// The points of an `Encoding.points` chunk, as the R-tree reads them. The block is valid like the
  /// chunk.
  package var points: PointBlock { points(first: count) }

  /// Returns the first `limit` points: a base run may end within a chunk, and other rows follow.
  func points(first limit: Int) -> PointBlock {
    assert(encoding == .points, "the rows are not points")
    assert(limit >= 0, "the run ends before the chunk")
    return PointBlock(
      longitudes: codes, latitudes: codes + ChunkShape.padded(count) * width,
      isFixed: isFixedPoint, count: min(count, limit))
  }

  /// Whether a row may have an altitude other than zero.
  var hasAltitudes: Bool { exponent == ChunkHeader.altitudesPresent }

  /// Returns the altitude of a row in metres; zero if none was set.
  package func altitude(at row: Int) -> Double {
    guard hasAltitudes else { return 0 }
    assert(hasEntry(row) && row * 8 + 8 <= Int(heapSize), "the chunk does not have the row")
    return heap.load(fromByteOffset: row * 8, as: Double.self)
  }

  /// Returns the location of a row.
  package func position(at row: Int) -> Position {
    assert(encoding == .points && hasEntry(row), "the chunk does not have the row")
    let step = ChunkShape.padded(count) * width
    return Position(
      latitude: coordinate(codes + step, row: row), longitude: coordinate(codes, row: row),
      altitude: altitude(at: row))
  }

  private func coordinate(_ array: UnsafeRawPointer, row: Int) -> Double {
    isFixedPoint
      ? Double(array.load(fromByteOffset: row * 4, as: Int32.self)) / 1e7
      : array.load(fromByteOffset: row * 8, as: Double.self)
  }
}

/// The encoding of the rows in one chunk. `docs/format.md` describes every byte.
@frozen
package enum Encoding: UInt8, Sendable {
  /// Frame of reference: the value is `frame` plus an unsigned code of `width` bytes.
  case integers = 1
  /// IEEE 754 binary64, unchanged.
  case doubles = 2
  /// Doubles that are decimal fractions: `(frame + code) / 10^exponent`, exactly.
  case decimals = 3
  /// IEEE 754 binary32, unchanged.
  case floats = 4
  /// Offsets of `width` bytes into a heap.
  case bytes = 5
  /// Codes of `width` bytes into a dictionary of byte strings, in order of first appearance.
  case dictionary = 6
  /// (offset, length) pairs into a heap; only in memory, while a transaction edits the chunk.
  case slots = 7
  /// Values of a fixed number of bytes.
  case fixed = 8
  /// Longitudes, then latitudes, then altitudes if any is not zero.
  case points = 9
  /// Addresses and lengths; only in memory, for a chunk with large values.
  case spans = 10
}

/// The sizes that the file format fixes.
package enum ChunkShape {
  /// The number of rows in a full chunk.
  @inlinable package static var rows: Int { 4096 }
  /// `log2(rows)`.
  @inlinable package static var shift: Int { 12 }
  /// The number of words in a bitmap over a full chunk.
  @inlinable package static var words: Int { 64 }
  /// The size of a chunk's header in bytes.
  @inlinable package static var headerSize: Int { 32 }
  /// The minimum size of a value in bytes. A smaller one would share an LMDB page of 4096 bytes
  /// with others and lose its alignment.
  package static let minimumSize = 2048

  /// The maximum size in bytes of a text or data value.
  package static let maxValueBytes = 16 << 20
  /// The maximum size in bytes of all texts of a chunk during edits, well below the reach of a
  /// UInt32 offset.
  package static let maxHeapBytes = 1 << 30

  /// Returns the number of chunks that hold that many rows.
  @inlinable @inline(__always)
  package static func chunkCount(ofRows count: Int) -> Int { (count + rows - 1) / rows }

  /// Returns `count` rounded up to whole bitmap words. Arrays are padded to it, so that kernels
  /// need no tail loop.
  @inlinable package static func padded(_ count: Int) -> Int { (count + 63) & ~63 }
}

/// The location of a row: its chunk, and its index in the chunk.
@frozen
package struct RowAddress {
  /// The index of the chunk in the class.
  package let chunk: Int
  /// The index of the row in the chunk, from 0.
  package let row: Int

  /// Locates the row of a key.
  @inlinable @inline(__always)
  package init(_ key: Int) {
    chunk = key >> ChunkShape.shift
    row = key & (ChunkShape.rows - 1)
  }

  /// Returns the key of the first row in a chunk.
  @inlinable @inline(__always)
  package static func firstKey(ofChunk chunk: Int) -> Int { chunk << ChunkShape.shift }

  /// Returns the key of a row in a chunk.
  @inlinable @inline(__always)
  package static func key(ofRow row: Int, inChunk chunk: Int) -> Int {
    chunk << ChunkShape.shift | row
  }
}
