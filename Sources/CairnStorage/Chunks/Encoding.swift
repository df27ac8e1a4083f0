/// How the rows of one chunk are written. `docs/format.md` describes every byte.
@frozen
package enum Encoding: UInt8, Sendable {
  /// Frame of reference: the value is `frame` plus an unsigned code of `width` bytes.
  case integers = 1
  /// IEEE 754 binary64, as it is.
  case doubles = 2
  /// Doubles that are decimal fractions: `(frame + code) / 10^exponent`, exactly.
  case decimals = 3
  /// IEEE 754 binary32, as it is.
  case floats = 4
  /// Offsets of `width` bytes into a heap.
  case bytes = 5
  /// Codes of `width` bytes into a dictionary of byte strings, in order of first appearance.
  case dictionary = 6
  /// (offset, length) pairs into a heap: only in memory, while a transaction edits the chunk.
  case slots = 7
  /// Values of a fixed number of bytes.
  case fixed = 8
  /// Longitudes, then latitudes, then altitudes where any is not zero.
  case points = 9
}

/// The sizes that the file format fixes.
package enum ChunkShape {
  /// Rows of a full chunk.
  @inlinable package static var rows: Int { 4096 }
  /// `log2(rows)`.
  @inlinable package static var shift: Int { 12 }
  /// Words of a bitmap over a full chunk.
  @inlinable package static var words: Int { 64 }
  /// Bytes before a chunk's null bitmap or data.
  @inlinable package static var headerSize: Int { 32 }
  /// Smaller values would share an LMDB page of 4096 bytes with others and lose their alignment.
  package static let minimumSize = 2048

  /// The longest text or data of one row.
  package static let mostValueBytes = 16 << 20
  /// All texts of one chunk while it is edited: what a UInt32 offset reaches, and a good deal less.
  package static let mostHeapBytes = 1 << 30

  /// `count` rounded up to whole bitmap words: arrays are padded to it, so that kernels need no tail.
  @inlinable package static func padded(_ count: Int) -> Int { (count + 63) & ~63 }
}
