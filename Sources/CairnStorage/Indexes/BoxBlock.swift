import CairnGeometry
import CairnIndex
import CairnValues

/// Up to 4096 entries of a delta run over boxes: envelopes and keys, each padded to whole words.
struct BoxBlock: SpatialBlock {
  private let base: UnsafeRawPointer
  let count: Int

  private static let headerSize = 16
  private static let entrySize = MemoryLayout<Envelope>.size + 8

  init?(_ bytes: UnsafeRawBufferPointer?) {
    guard let bytes, let base = bytes.baseAddress, bytes.count >= Self.headerSize,
      Int(bitPattern: base) & 15 == 0
    else { return nil }
    self.base = base
    count = Int(base.load(as: UInt32.self))
    guard count <= ChunkShape.rows,
      Self.headerSize + ChunkShape.padded(count) * Self.entrySize <= bytes.count
    else { return nil }
  }

  /// The boxes, valid like the bytes of the block.
  var boxes: UnsafePointer<Envelope> {
    (base + Self.headerSize).assumingMemoryBound(to: Envelope.self)
  }

  /// The keys, valid like the bytes of the block.
  private var keys: UnsafePointer<Int64> {
    (base + Self.headerSize + ChunkShape.padded(count) * MemoryLayout<Envelope>.size)
      .assumingMemoryBound(to: Int64.self)
  }

  var leaves: [Envelope] {
    BoxTree.leafEnvelopes(of: UnsafeBufferPointer(start: boxes, count: count))
  }

  /// Returns the box of an entry.
  func box(_ index: Int) -> Envelope {
    assert(index >= 0 && index < count, "the block does not have the entry")
    return boxes[index]
  }

  /// Returns the key of an entry.
  func key(_ index: Int) -> Int {
    assert(index >= 0 && index < count, "the block does not have the entry")
    return Int(keys[index])
  }

  func entry(_ index: Int) -> BoxEntry { BoxEntry(box: box(index), key: key(index)) }

  func fault(at index: Int) -> String? {
    box(index).isOnEarth ? nil : "has a box that is not on the earth"
  }

  static func encoded(_ entries: ArraySlice<BoxEntry>) -> [UInt8] {
    let rows = ChunkShape.padded(entries.count)
    let keys = headerSize + rows * MemoryLayout<Envelope>.size
    var bytes = [UInt8](
      repeating: 0, count: max(ChunkShape.minimumSize, headerSize + rows * entrySize))
    bytes.withUnsafeMutableBytes { buffer in
      buffer.storeBytes(of: UInt32(entries.count), as: UInt32.self)
      for (row, entry) in entries.enumerated() {
        buffer.storeBytes(
          of: entry.box.lanes, toByteOffset: headerSize + row * MemoryLayout<Envelope>.size,
          as: SIMD4<Int32>.self)
        buffer.storeBytes(of: Int64(entry.key), toByteOffset: keys + row * 8, as: Int64.self)
      }
    }
    return bytes
  }
}

/// One row of a delta run over boxes.
struct BoxEntry: SpatialEntry {
  typealias Block = BoxBlock

  var box: Envelope
  var key: Int

  init(box: Envelope, key: Int) {
    self.box = box
    self.key = key
  }

  init(_ chunk: Chunk, row: Int, key: Int) { self.init(box: chunk.box(at: row), key: key) }

  var hilbertKey: UInt64 { Hilbert.key(of: box) }

  func matches(_ chunk: Chunk, row: Int) -> Bool { chunk.box(at: row) == box }
}

extension Box {
  /// Makes the value that stores a rectangle.
  init(_ envelope: Envelope) { self.init(lanes: envelope.lanes) }
}

extension Envelope {
  /// Whether the rectangle is not empty and lies on the earth.
  var isOnEarth: Bool {
    lanes.x >= -E7.halfTurn && lanes.z >= -E7.halfTurn && lanes.x <= -lanes.z
      && lanes.y >= -E7.quarterTurn && lanes.w >= -E7.quarterTurn && lanes.y <= -lanes.w
  }
}

extension Chunk {
  /// Returns the box of a row of a column of boxes.
  package func box(at row: Int) -> Envelope {
    assert(encoding == .fixed && width == 16 && hasEntry(row), "the chunk does not have the box")
    return Envelope(lanes: codes.load(fromByteOffset: row * 16, as: SIMD4<Int32>.self))
  }

  /// Returns the first `limit` boxes of a column of boxes: a base run may end within a chunk. They
  /// are valid like the chunk.
  func boxes(first limit: Int) -> UnsafeBufferPointer<Envelope> {
    assert(limit >= 0, "the run ends before the chunk")
    return UnsafeBufferPointer(start: boxes, count: min(count, limit))
  }

  /// Returns the geometry of a row, in place. It is valid like the chunk.
  package func geometry(at row: Int) -> GeometryView { GeometryView(bytes(at: row)) }

  /// The `count` rows of a column of boxes, valid like the chunk; null ones have no defined content.
  package var boxes: UnsafePointer<Envelope> {
    assert(encoding == .fixed && width == 16, "the rows are not boxes")
    return codes.assumingMemoryBound(to: Envelope.self)
  }
}
