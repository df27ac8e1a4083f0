import CairnIndex
import CairnValues

extension Chunk {
  /// Coordinates of 4 bytes are Int32 in 1e-7 degrees, of 8 bytes Doubles.
  private var isFixedPoint: Bool { width == 4 }

  /// The points of an `Encoding.points` chunk, as the R-tree reads them.
  package var points: PointBlock { points(first: count) }

  /// The first `limit` points: a clustered run may end within a chunk, where other rows follow.
  func points(first limit: Int) -> PointBlock {
    PointBlock(
      longitudes: codes, latitudes: codes + ChunkShape.padded(count) * width,
      isFixed: isFixedPoint, count: min(count, limit))
  }

  /// Whether any row may have one other than zero.
  var hasAltitudes: Bool { exponent == ChunkHeader.altitudesPresent }

  /// Metres of altitude; zero where none was given.
  package func altitude(at row: Int) -> Double {
    guard hasAltitudes else { return 0 }
    return heap.load(fromByteOffset: row * 8, as: Double.self)
  }

  /// The location of a row.
  package func position(at row: Int) -> Position {
    let step = ChunkShape.padded(count) * width
    return Position(
      latitude: coordinate(codes + step, row), longitude: coordinate(codes, row),
      altitude: altitude(at: row))
  }

  private func coordinate(_ array: UnsafeRawPointer, _ row: Int) -> Double {
    isFixedPoint
      ? Double(array.load(fromByteOffset: row * 4, as: Int32.self)) / 1e7
      : array.load(fromByteOffset: row * 8, as: Double.self)
  }
}
