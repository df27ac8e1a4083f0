/// A part of a file in memory that begins and ends between records. It is reused for later parts,
/// and used by one thread at a time.
final class InputBlock {
  /// The number of readable bytes after the text; parsers load whole words and vectors.
  static let padding = 128

  /// The memory of the block. Valid until the next call of `reserve` or `grow`.
  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  /// The range of the records in `bytes`.
  var range = 0..<0
  /// The offset of `bytes` in the file.
  var offset: Int64 = 0
  /// The part of the file's size that the block stands for; nil for the size of `range`.
  var share: Int64?
  /// The index of the file.
  var file = 0
  /// The number of the block, counted from 0 over all files.
  var number = 0
  /// The ranges of the records, if the splitter found them.
  var records: [Range<Int>] = []
  /// Whether a record may be a bare geometry, because no collection says that the records are
  /// Features.
  var mayHoldGeometries = false
  /// The number of records in the file before this block, if known.
  var firstRecord = 0

  init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity + Self.padding)
  }

  deinit { bytes.deallocate() }

  /// Reads as many bytes as fit, from the offset on, and returns their count.
  func fill(from input: InputFile, at offset: Int64) throws(ImportError) -> Int {
    let count = try input.read(into: bytes, count: capacity, at: offset)
    assert(count >= 0 && count <= capacity, "the file gave more bytes than the block holds")
    (bytes + count).initialize(repeating: 0, count: Self.padding)
    self.offset = offset
    return count
  }

  /// Makes room for a number of bytes. The bytes read are lost.
  func reserve(_ count: Int) {
    assert(count >= 0, "the number of bytes is negative")
    if count > capacity {
      bytes.deallocate()
      capacity = count
      bytes = .allocate(capacity: capacity + Self.padding)
    }
    (bytes + count).initialize(repeating: 0, count: Self.padding)
  }

  /// Enlarges the block for a longer record. The bytes read are lost.
  func grow() {
    bytes.deallocate()
    capacity *= 2
    bytes = .allocate(capacity: capacity + Self.padding)
  }
}

/// Splits a file into blocks.
protocol BlockSplitter: AnyObject {
  /// Reads the next block. Returns false at the end of the file.
  func next(into block: InputBlock) throws(ImportError) -> Bool
}

/// A position in the input, for messages.
struct InputPosition: Sendable, Comparable {
  var block: Int
  var file: Int
  /// The offset of a byte in the file.
  var offset: Int64

  static func < (a: InputPosition, b: InputPosition) -> Bool {
    (a.block, a.offset) < (b.block, b.offset)
  }
}
