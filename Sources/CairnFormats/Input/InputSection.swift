/// A stretch of a file in memory that begins and ends between records. Reused for one stretch after
/// another; used by one thread at a time.
final class InputSection {
  /// Bytes that may be read behind the text: parsers load whole words and vectors.
  static let padding = 128

  private(set) var bytes: UnsafeMutablePointer<UInt8>
  private(set) var capacity: Int
  /// Where the records lie in `bytes`.
  var range = 0..<0
  /// Where `bytes` begins in the file.
  var offset: Int64 = 0
  /// Which of the files.
  var file = 0
  /// Counts the sections of all files from 0.
  var number = 0
  /// The records one by one, where cutting them found them.
  var records: [Range<Int>] = []
  /// A record may be a bare geometry, since no collection says that they are Features.
  var mayHoldGeometries = false
  /// Records of the file before this section, where known.
  var firstRecord = 0

  init(capacity: Int) {
    self.capacity = capacity
    bytes = .allocate(capacity: capacity + Self.padding)
  }

  deinit { bytes.deallocate() }

  /// Reads from the offset on, as much as fits; returns the bytes read.
  func fill(from input: InputFile, at offset: Int64) throws(ImportError) -> Int {
    let count = try input.read(into: bytes, count: capacity, at: offset)
    (bytes + count).initialize(repeating: 0, count: Self.padding)
    self.offset = offset
    return count
  }

  /// Makes room for a longer record; what was read is lost.
  func grow() {
    bytes.deallocate()
    capacity *= 2
    bytes = .allocate(capacity: capacity + Self.padding)
  }
}

/// Hands out a file in sections.
protocol SectionCutter: AnyObject {
  /// Reads the next section; false when the file has ended.
  func cut(into section: InputSection) throws(ImportError) -> Bool
}

/// A place in the input, to be named in a message.
struct InputPlace: Sendable, Comparable {
  var section: Int
  var file: Int
  /// Byte in the file.
  var offset: Int64

  static func < (a: InputPlace, b: InputPlace) -> Bool {
    (a.section, a.offset) < (b.section, b.offset)
  }
}
