/// The description of a part of a file or a stream: its schema, a dictionary, or rows.
///
/// Source: Message.fbs of apache/arrow.
struct ArrowMessage {
  /// The kind of a message.
  enum Kind {
    case schema
    case dictionary
    case rows
    case other
  }

  let kind: Kind
  /// The number of bytes of values behind the description.
  let bodySize: Int64
  let header: FlatTableReader
  /// Whether unions have bits of nulls, as before version 5.
  let isOld: Bool

  /// The first version that can be read, of Arrow 0.8 in 2017.
  private static let oldestVersion: Int16 = 3
  private static let newestVersion: Int16 = 4

  init(_ bytes: [UInt8]) throws(ArrowError) {
    let table = try FlatTableReader(bytes)
    let version: Int16 = try table.number(0)
    guard Self.oldestVersion...Self.newestVersion ~= version else {
      throw ArrowError("the version \(version + 1) of Arrow's format is not supported")
    }
    isOld = version < Self.newestVersion
    let type: UInt8 = try table.number(1)
    kind =
      switch type {
      case 1: .schema
      case 2: .dictionary
      case 3: .rows
      default: .other
      }
    guard let header = try table.table(2) else { throw .damaged }
    self.header = header
    bodySize = try table.number(3)
    guard bodySize >= 0 else { throw .damaged }
  }
}

/// The description of the values of a batch.
struct BatchHeader {
  /// A column or a part of one.
  struct Node {
    let count: Int
    let nullCount: Int64
  }

  /// The compression of the buffers.
  enum Compression {
    case none
    case lz4
    case zstd
  }

  let rowCount: Int
  private(set) var nodes: [Node] = []
  /// The ranges of the buffers in the body.
  private(set) var buffers: [Range<Int64>] = []
  /// The numbers of buffers of the columns of views.
  private(set) var viewBuffers: [Int64] = []
  let compression: Compression
  let isOld: Bool

  /// The most rows of a batch, as in most programs.
  private static let mostRows = Int64(Int32.max)

  /// - Parameter table: A table `RecordBatch`.
  init(_ table: FlatTableReader, bodySize: Int64, isOld: Bool) throws(ArrowError) {
    self.isOld = isOld
    rowCount = try Self.rowCount(table)
    compression = try Self.compression(table)
    let nodes = try table.words(1, of: 2)
    for index in stride(from: 0, to: nodes.count, by: 2) {
      guard 0...Self.mostRows ~= nodes[index] else { throw .damaged }
      self.nodes.append(Node(count: Int(nodes[index]), nullCount: nodes[index + 1]))
    }
    let buffers = try table.words(2, of: 2)
    for index in stride(from: 0, to: buffers.count, by: 2) {
      let (end, overflows) = buffers[index].addingReportingOverflow(buffers[index + 1])
      guard !overflows, buffers[index] >= 0, buffers[index + 1] >= 0, end <= bodySize else {
        throw ArrowError("a buffer lies behind the end of its batch")
      }
      self.buffers.append(buffers[index]..<end)
    }
    viewBuffers = try table.words(4, of: 1)
  }

  /// Returns the number of rows alone.
  static func rowCount(_ table: FlatTableReader) throws(ArrowError) -> Int {
    let count: Int64 = try table.number(0)
    guard 0...mostRows ~= count else { throw ArrowError("a batch has \(count) rows") }
    return Int(count)
  }

  private static func compression(_ table: FlatTableReader) throws(ArrowError) -> Compression {
    guard let compression = try table.table(3) else { return .none }
    let (codec, method): (Int8, Int8) = (try compression.number(0), try compression.number(1))
    switch (codec, method) {
    case (0, 0): return .lz4
    case (1, 0): return .zstd
    default: throw ArrowError("the values have a compression that Cairn does not know")
    }
  }
}
