import CairnGeometry
import CairnIndex
import CairnStorage
import CairnSystem
import CairnValues

/// Sorts locations or geometries by their distance from a shape. Rows without a vertex come last in
/// both directions.
class DistanceSort: SortColumn {
  final override var isDistance: Bool { true }

  /// The radians from the shape to the location or geometry of a row that is not null.
  ///
  /// - Parameters:
  ///   - first: The key of the chunk's first row.
  ///   - limit: The result is infinite beyond it, unless measuring is cheap.
  func distance(_ chunk: Chunk, row: Int, first: Int, upTo limit: Double) -> Double {
    requireOverride()
  }

  final override func ascendingSortKeys(
    _ chunk: Chunk, first: Int, rows: Selection, sortKeys: UnsafeMutablePointer<UInt64>
  ) {
    var position = 0
    let missing: UInt64 = isAscending ? .max : 0
    rows.forEachRow { row -> Void in
      sortKeys[position] =
        chunk.isRowNull(row)
        ? missing : NormalizedKey.of(distance(chunk, row: row, first: first, upTo: .infinity))
      position += 1
    }
  }

  final override func radians(_ key: Int) -> Double? {
    let chunk = column.chunk(RowAddress(key).chunk)
    let row = RowAddress(key).row
    return chunk.isRowNull(row)
      ? nil : distance(chunk, row: row, first: key - row, upTo: .infinity)
  }
}

/// Sorts locations by their distance on the sphere from a location.
final class PointDistanceSort: DistanceSort {
  let origin: Origin

  init(_ column: Column, longitude: Double, latitude: Double, isAscending: Bool) {
    origin = Origin(longitude: longitude, latitude: latitude)
    super.init(column, isAscending: isAscending)
  }

  override func distance(_ chunk: Chunk, row: Int, first: Int, upTo limit: Double) -> Double {
    let position = chunk.position(at: row)
    return origin.angle(position.longitude, latitude: position.latitude)
  }
}

/// Sorts locations by their distance from any shape.
final class ShapeDistanceSort: DistanceSort {
  let origin: PreparedOrigin

  init(_ column: Column, origin: PreparedOrigin, isAscending: Bool) {
    self.origin = origin
    super.init(column, isAscending: isAscending)
  }

  override func distance(_ chunk: Chunk, row: Int, first: Int, upTo limit: Double) -> Double {
    let point = chunk.points.point(at: row)
    return origin.distance(longitude: point.longitude, latitude: point.latitude, upTo: limit)
  }
}

/// Sorts geometries by their distance from a shape. Its column is that of the boxes, which is null
/// for the empty geometry too.
final class GeometryDistanceSort: DistanceSort {
  let geometries: Column
  let origin: PreparedOrigin

  init(_ geometries: Column, bounds: Column, origin: PreparedOrigin, isAscending: Bool) {
    self.geometries = geometries
    self.origin = origin
    super.init(bounds, isAscending: isAscending)
  }

  override var name: String { geometries.schema.name }

  override func distance(_ chunk: Chunk, row: Int, first: Int, upTo limit: Double) -> Double {
    let bytes = geometries.chunk(RowAddress(first).chunk).rowBytes(row)
    return origin.distance(to: GeometryView(bytes), upTo: limit)
  }

  /// Removes the rows whose boxes are too far away.
  override func refine(
    _ rows: inout Selection, chunk: Chunk, threshold: UInt64, scratch: ScratchBuffers
  ) {
    guard isAscending else { return }
    let limit = NormalizedKey.number(threshold)
    let nulls = chunk.nulls
    rows.keep { word, selected in
      let missing = nulls.map { $0[word] } ?? 0
      return selected & missing
        | (selected & ~missing).keepingEach {
          origin.lowerBound(to: chunk.rowBox(word << 6 | $0)) <= limit
        }
    }
  }

  override func prepareFurther(_ chunks: [Int]) {
    for chunk in chunks { _ = geometries.chunk(chunk) }
  }
}

extension NormalizedKey {
  /// The number whose sort key is given; infinity for the sort key of no number.
  static func number(_ sortKey: UInt64) -> Double {
    let number = Double(bitPattern: sortKey >> 63 == 1 ? sortKey & ~(1 << 63) : ~sortKey)
    return number.isNaN ? .infinity : number
  }
}
