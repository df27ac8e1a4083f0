import CairnStorage
import CairnSystem

// Row accessors in this module, so that they are inlined into its loops.
extension Chunk {
  /// The number of rows that the arrays have memory for: those of the chunk with the padding to whole
  /// words, or all rows in the buffer of a transaction, which has no header and may lag behind the
  /// rows of the class.
  var rowCapacity: Int { base == codes ? ChunkShape.rows : ChunkShape.padded(count) }

  private func holds(_ row: Int) -> Bool { row >= 0 && row < rowCapacity }

  /// The code of a row, without the frame added.
  @inline(__always)
  func rowCode(_ row: Int) -> UInt64 {
    assert(holds(row), "a row is outside of the chunk")
    return switch width {
    case 0: 0
    case 1: UInt64(codes.load(fromByteOffset: row, as: UInt8.self))
    case 2: UInt64(codes.load(fromByteOffset: row * 2, as: UInt16.self))
    case 4: UInt64(codes.load(fromByteOffset: row * 4, as: UInt32.self))
    default: codes.load(fromByteOffset: row * 8, as: UInt64.self)
    }
  }

  /// The integer of a row of integers or scaled decimals.
  @inline(__always)
  func rowInteger(_ row: Int) -> Int64 { frame &+ Int64(bitPattern: rowCode(row)) }

  /// The divisor of scaled decimals; 0 for plain doubles.
  var scale: Double {
    if case .decimals = encoding { return Decimals.powers[exponent] }
    return 0
  }

  /// The double of a row of doubles or scaled decimals.
  ///
  /// - Parameter scale: The chunk's `scale`.
  @inline(__always)
  func rowDouble(_ row: Int, scale: Double) -> Double {
    assert(holds(row), "a row is outside of the chunk")
    return scale == 0
      ? codes.load(fromByteOffset: row * 8, as: Double.self) : Double(rowInteger(row)) / scale
  }

  /// The float of a row of floats.
  @inline(__always)
  func rowFloat(_ row: Int) -> Float {
    assert(holds(row), "a row is outside of the chunk")
    return codes.load(fromByteOffset: row * 4, as: Float.self)
  }

  /// Whether the row is null.
  @inline(__always)
  func isRowNull(_ row: Int) -> Bool {
    assert(row >= 0 && row < ChunkShape.rows, "a row is outside of the chunk")
    guard let nulls else { return false }
    return nulls[row >> 6] >> UInt64(row & 63) & 1 != 0
  }

  /// The bytes of a row of texts, data or values of fixed width. Valid as long as the chunk.
  @inline(__always)
  func rowBytes(_ row: Int) -> UnsafeRawBufferPointer {
    assert(holds(row), "a row is outside of the chunk")
    switch encoding {
    case .bytes where width == 2:
      let offsets = codes.assumingMemoryBound(to: UInt16.self)
      return heapSpan(Int(offsets[row]), end: Int(offsets[row + 1]))
    case .bytes:
      let offsets = codes.assumingMemoryBound(to: UInt32.self)
      return heapSpan(Int(offsets[row]), end: Int(offsets[row + 1]))
    case .dictionary: return entryBytes(Int(rowCode(row)))
    case .slots:
      let slots = codes.assumingMemoryBound(to: UInt32.self)
      return heapSpan(Int(slots[2 * row]), end: Int(slots[2 * row]) + Int(slots[2 * row + 1]))
    case .spans: return bytes(at: row)
    default: return UnsafeRawBufferPointer(start: codes + row * width, count: width)
    }
  }

  /// The bytes of a dictionary entry. Valid as long as the chunk.
  @inline(__always)
  func entryBytes(_ code: Int) -> UnsafeRawBufferPointer {
    assert(code >= 0 && code < dictionaryCount, "a code is outside of the dictionary")
    let offsets = (heap - (dictionaryCount + 1) * 4).assumingMemoryBound(to: UInt32.self)
    return heapSpan(Int(offsets[code]), end: Int(offsets[code + 1]))
  }

  /// Bytes of the heap. Valid as long as the chunk.
  @inline(__always)
  private func heapSpan(_ start: Int, end: Int) -> UnsafeRawBufferPointer {
    assert(start >= 0 && start <= end, "the offsets of a row do not rise")
    return UnsafeRawBufferPointer(start: heap + start, count: end - start)
  }
}

/// The order of two byte strings: negative, zero or positive.
@inline(__always)
func byteOrder(_ a: UnsafeRawBufferPointer, and b: UnsafeRawBufferPointer) -> Int {
  let shared = min(a.count, b.count)
  if shared > 0, let first = a.baseAddress, let second = b.baseAddress {
    let order = Int(memcmp(first, second, shared))
    if order != 0 { return order }
  }
  return a.count - b.count
}

/// Whether two byte strings are the same.
@inline(__always)
func bytesEqual(_ a: UnsafeRawBufferPointer, and b: UnsafeRawBufferPointer) -> Bool {
  guard a.count == b.count else { return false }
  guard a.count > 0, let first = a.baseAddress, let second = b.baseAddress else { return true }
  return memcmp(first, second, a.count) == 0
}

/// Whether a byte string begins with another.
@inline(__always)
func hasPrefix(_ bytes: UnsafeRawBufferPointer, part: UnsafeRawBufferPointer) -> Bool {
  bytes.count >= part.count
    && bytesEqual(UnsafeRawBufferPointer(start: bytes.baseAddress, count: part.count), and: part)
}

/// Whether a byte string ends with another.
@inline(__always)
func hasSuffix(_ bytes: UnsafeRawBufferPointer, part: UnsafeRawBufferPointer) -> Bool {
  bytes.count >= part.count
    && bytesEqual(UnsafeRawBufferPointer(rebasing: bytes.suffix(part.count)), and: part)
}

/// Whether a byte string has another one, which is not empty, as a part.
func isPart(_ part: UnsafeRawBufferPointer, of bytes: UnsafeRawBufferPointer) -> Bool {
  guard let first = part.first, var index = bytes.baseAddress else { return false }
  var left = bytes.count
  while left >= part.count, let found = memchr(index, Int32(first), left - part.count + 1) {
    let hit = UnsafeRawPointer(found)
    assert(hit >= index && hit + part.count <= index + left, "the part is outside of the bytes")
    if bytesEqual(UnsafeRawBufferPointer(start: hit, count: part.count), and: part) {
      return true
    }
    left -= hit - index + 1
    index = hit + 1
  }
  return false
}

/// Up to eight first bytes of a prefix as one word, for a fast comparison.
struct PrefixWord {
  private let word: UInt64
  private let mask: UInt64

  init(_ part: UnsafeRawBufferPointer) {
    mask = part.count >= 8 ? ~0 : ((1 as UInt64) << UInt64(8 * part.count)) &- 1
    word = bytePrefix(part).byteSwapped & mask
  }

  /// Whether the bytes begin with the whole prefix.
  @inline(__always)
  func begins(_ bytes: UnsafeRawBufferPointer, part: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 8 else { return hasPrefix(bytes, part: part) }
    guard UInt64(littleEndian: bytes.loadUnaligned(as: UInt64.self)) & mask == word else {
      return false
    }
    return part.count <= 8 || hasPrefix(bytes, part: part)
  }
}

/// The first eight bytes, big-endian and padded with zeros. Its integer order is the order of the
/// prefixes.
@inline(__always)
func bytePrefix(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
  if bytes.count >= 8 { return UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) }
  var prefix: UInt64 = 0
  for byte in bytes { prefix = prefix << 8 | UInt64(byte) }
  return bytes.isEmpty ? 0 : prefix << UInt64(8 * (8 - bytes.count))
}
