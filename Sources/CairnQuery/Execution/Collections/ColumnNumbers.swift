import CairnStorage
import CairnValues

/// The numbers of a column for loops that read rows here and there: every chunk is looked up once.
final class ColumnNumbers: @unchecked Sendable {
  private struct Part {
    let codes: UnsafeRawPointer
    let nulls: UnsafePointer<UInt64>?
    let frame: Int64
    let width: Int
    /// What scaled decimals are divided by; 0 for others.
    let scale: Double

    init(_ chunk: Chunk) {
      codes = chunk.codes
      nulls = chunk.nulls
      frame = chunk.frame
      width = chunk.width
      scale = chunk.scale
    }

    @inline(__always)
    func isNull(_ row: Int) -> Bool {
      guard let nulls else { return false }
      return nulls[row >> 6] &>> UInt64(row & 63) & 1 != 0
    }

    @inline(__always)
    func integer(_ row: Int) -> Int64 {
      switch width {
      case 0: frame
      case 1: frame &+ Int64(codes.load(fromByteOffset: row, as: UInt8.self))
      case 2: frame &+ Int64(codes.load(fromByteOffset: row &* 2, as: UInt16.self))
      case 4: frame &+ Int64(codes.load(fromByteOffset: row &* 4, as: UInt32.self))
      default: frame &+ codes.load(fromByteOffset: row &* 8, as: Int64.self)
      }
    }

    @inline(__always)
    func double(_ row: Int) -> Double {
      scale == 0
        ? codes.load(fromByteOffset: row &* 8, as: Double.self) : Double(integer(row)) / scale
    }
  }

  private let column: Column
  private let chunkCount: Int
  private let parts: UnsafeMutablePointer<Part?>

  init(_ column: Column, of table: Table) {
    self.column = column
    chunkCount = table.chunkCount
    parts = .allocate(capacity: max(1, chunkCount))
    parts.initialize(repeating: nil, count: chunkCount)
  }

  deinit { parts.deallocate() }

  /// The integer of a row of the table; nil: null.
  @inline(__always)
  func integer(_ key: Int) -> Int64? {
    let part = part(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    return part.isNull(row) ? nil : part.integer(row)
  }

  /// The double of a row of the table; nil: null.
  @inline(__always)
  func double(_ key: Int) -> Double? {
    let part = part(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    return part.isNull(row) ? nil : part.double(row)
  }

  /// The float of a row of the table; nil: null.
  @inline(__always)
  func float(_ key: Int) -> Double? {
    let part = part(key >> ChunkShape.shift)
    let row = key & (ChunkShape.rows - 1)
    return part.isNull(row)
      ? nil : Double(part.codes.load(fromByteOffset: row &* 4, as: Float.self))
  }

  @inline(__always)
  private func part(_ index: Int) -> Part { parts[index] ?? lookUp(index) }

  @inline(never)
  private func lookUp(_ index: Int) -> Part {
    let part = Part(column.chunk(index))
    parts[index] = part
    return part
  }

  /// Looks every chunk up on the snapshot's own thread.
  func prepare() {
    for index in 0..<chunkCount { _ = part(index) }
  }
}
