/// A part of a file in memory that begins and ends between records. It is reused for later parts,
/// and used by one thread at a time.
package final class InputBlock {
  /// The number of readable bytes after the text; parsers load whole words and vectors.
  package static let padding = 128

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

  /// Creates a block for a number of bytes.
  package init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity + Self.padding)
  }

  deinit { bytes.deallocate() }

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

// For other modules. The properties are internal, because each access to a property that other modules
// see is checked for exclusivity.
extension InputBlock {
  /// The records. Valid as long as the block is not changed.
  package var content: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes, count: range.upperBound)
  }

  /// Makes room for bytes as the content, and returns the memory to fill.
  package func reserveContent(_ count: Int) -> UnsafeMutableRawBufferPointer {
    reserve(count)
    range = 0..<count
    return UnsafeMutableRawBufferPointer(start: bytes, count: count)
  }

  /// Sets the index of the first row in its layer, and the part of the file's size that the rows take up.
  package func setRows(from first: Int, share: Int64) {
    offset = Int64(first)
    self.share = share
  }

  /// The position of a row of a layer.
  package func position(ofRow row: Int) -> InputPosition {
    InputPosition(block: number, file: file, offset: offset + Int64(row))
  }
}

/// Splits a file into blocks.
package protocol BlockSplitter: AnyObject {
  /// Reads the next block. Returns false at the end of the file.
  func next(into block: InputBlock) throws(ImportError) -> Bool
}

/// A position in the input, for messages.
package struct InputPosition: Sendable, Comparable {
  /// The number of the block.
  package var block: Int
  /// The index of the file.
  package var file: Int
  /// The offset of a byte in the file, or the index of a row in its layer.
  package var offset: Int64

  package init(block: Int, file: Int, offset: Int64) {
    self.block = block
    self.file = file
    self.offset = offset
  }

  package static func < (a: InputPosition, b: InputPosition) -> Bool {
    (a.block, a.offset) < (b.block, b.offset)
  }
}
