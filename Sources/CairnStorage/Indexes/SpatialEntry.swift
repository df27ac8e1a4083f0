import CairnGeometry
import CairnIndex

/// One row in the R-tree of a column: its location or its box, and its key.
///
/// A delta run stores 16 bytes for the location or box of each entry.
///
/// Generic code is not specialised behind `any SpatialEntry.Type`. So functions over many entries are
/// requirements, which are compiled for each type.
package protocol SpatialEntry: Equatable, Sendable {
  /// The entries of up to 4096 rows, as an R-tree reads them.
  associatedtype Block: LeafBlock

  /// The alignment of the locations or boxes of a delta run, in bytes.
  static var alignment: Int { get }
  /// Returns the first `limit` rows of a chunk of the column, valid like the chunk.
  static func rows(of chunk: Chunk, first limit: Int) -> Block
  /// Returns entries of a delta run, valid like the bytes.
  static func block(stored bytes: UnsafeRawPointer, count: Int) -> Block

  /// Encodes a block of a delta run.
  static func encoded(_ entries: ArraySlice<Self>) -> [UInt8]
  /// Returns the entries of a block of a delta run.
  static func entries(of block: DeltaBlock<Self>) -> [Self]

  /// Makes the entry of a row that is not null.
  init(_ block: Block, at index: Int, key: Int)
  /// The key of the row.
  var key: Int { get }
  /// The position on the Hilbert curve.
  var hilbertKey: UInt64 { get }
  /// The fault of an entry that no writer makes, or nil if it is sound.
  var fault: String? { get }
  /// Writes the location or box for ``block(stored:count:)``.
  ///
  /// - Parameters:
  ///   - row: The index of the entry in its block.
  ///   - rows: The number of entries of the block, rounded up to whole words.
  func store(into bytes: UnsafeMutableRawPointer, row: Int, of rows: Int)
}

/// The location of a row.
package struct PointEntry: SpatialEntry {
  /// The longitude in degrees.
  let longitude: Double
  /// The latitude in degrees.
  let latitude: Double
  package let key: Int

  init(longitude: Double, latitude: Double, key: Int) {
    self.longitude = longitude
    self.latitude = latitude
    self.key = key
  }

  package init(_ block: PointBlock, at index: Int, key: Int) {
    let point = block.point(at: index)
    self.init(longitude: point.longitude, latitude: point.latitude, key: key)
  }

  package static var alignment: Int { MemoryLayout<Double>.alignment }

  package static func rows(of chunk: Chunk, first limit: Int) -> PointBlock {
    chunk.points(first: limit)
  }

  package static func block(stored bytes: UnsafeRawPointer, count: Int) -> PointBlock {
    PointBlock(
      longitudes: bytes, latitudes: bytes + ChunkShape.padded(count) * 8, isFixed: false,
      count: count)
  }

  package func store(into bytes: UnsafeMutableRawPointer, row: Int, of rows: Int) {
    bytes.storeBytes(of: longitude, toByteOffset: row * 8, as: Double.self)
    bytes.storeBytes(of: latitude, toByteOffset: (rows + row) * 8, as: Double.self)
  }

  package var hilbertKey: UInt64 { Hilbert.key(longitude: longitude, latitude: latitude) }

  package var fault: String? {
    abs(longitude) <= 180 && abs(latitude) <= 90
      ? nil : "has a location that is not on the earth"
  }
}

/// The box of a row.
package struct BoxEntry: SpatialEntry {
  /// The box.
  let box: Envelope
  package let key: Int

  init(box: Envelope, key: Int) {
    self.box = box
    self.key = key
  }

  package init(_ block: BoxBlock, at index: Int, key: Int) {
    self.init(box: block[index], key: key)
  }

  package static var alignment: Int { MemoryLayout<Envelope>.alignment }

  package static func rows(of chunk: Chunk, first limit: Int) -> BoxBlock {
    chunk.boxes(first: limit)
  }

  package static func block(stored bytes: UnsafeRawPointer, count: Int) -> BoxBlock {
    BoxBlock(start: bytes.assumingMemoryBound(to: Envelope.self), count: count)
  }

  package func store(into bytes: UnsafeMutableRawPointer, row: Int, of rows: Int) {
    bytes.storeBytes(
      of: box.lanes, toByteOffset: row * MemoryLayout<Envelope>.size, as: SIMD4<Int32>.self)
  }

  package var hilbertKey: UInt64 { Hilbert.key(of: box) }

  package var fault: String? { box.isOnEarth ? nil : "has a box that is not on the earth" }
}

extension SpatialEntry {
  package static func encoded(_ entries: ArraySlice<Self>) -> [UInt8] {
    DeltaBlock.encoded(entries)
  }

  package static func entries(of block: DeltaBlock<Self>) -> [Self] { Array(block.entries) }

  /// Returns all rows of a chunk of the column, valid like the chunk.
  package static func rows(of chunk: Chunk) -> Block { rows(of: chunk, first: chunk.count) }

  /// Returns the entries of an encoded chunk, whose rows have keys from `first` on.
  static func all(in chunk: Chunk, firstKey first: Int) -> [Self] {
    let rows = rows(of: chunk)
    return (0..<chunk.count).filter { !chunk.isNull($0) }
      .map { Self(rows, at: $0, key: first + $0) }
  }
}
