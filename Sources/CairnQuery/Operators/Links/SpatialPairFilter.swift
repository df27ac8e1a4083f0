import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

/// Reads the locations and geometries at the end of a path row by row, in place.
final class SpatialReader {
  private let linkPath: LinkPath
  /// The locations of the objects at the end, if the path ends at objects.
  private let objects: EmbeddedLocations?

  init(_ linkPath: LinkPath) {
    self.linkPath = linkPath
    objects = linkPath.endsAtObject ? EmbeddedLocations(linkPath.endTable) : nil
  }

  /// Calls `body` with every location or geometry, and with nil for a null, until it returns false.
  /// Returns whether it never did.
  func forEach(_ key: Int, body: (GeometryView?) -> Bool) -> Bool { walk(0, key: key, body: body) }

  private func walk(_ position: Int, key: Int, body: (GeometryView?) -> Bool) -> Bool {
    guard position < linkPath.linkSteps.count else { return read(key, body: body) }
    return linkPath.linkSteps[position].forEach(key) { target in
      if let target { return walk(position + 1, key: target, body: body) }
      return linkPath.isMany(behind: position) || body(nil)
    }
  }

  private func read(_ key: Int, body: (GeometryView?) -> Bool) -> Bool {
    let (index, row) = (RowAddress(key).chunk, RowAddress(key).row)
    switch linkPath.end {
    case .object:
      guard let location = objects?.location(key) else { return body(nil) }
      return PackedPoint(location.longitude, latitude: location.latitude).withView(body)
    case .column(let column):
      let chunk = column.chunk(index)
      if chunk.isRowNull(row) { return body(nil) }
      guard column.schema.type == .point else { return body(GeometryView(chunk.rowBytes(row))) }
      let point = chunk.points.point(at: row)
      return PackedPoint(point.longitude, latitude: point.latitude).withView(body)
    case .elements(let column):
      let elements = column.chunk(index).collection(at: row, of: column.schema)
      return (0..<elements.count).allSatisfy { read(elements, at: $0, body: body) }
    case .entry(let column, let key):
      let map = column.chunk(index).collection(at: row, of: column.schema)
      return map.index(ofKey: key).map { read(map, at: $0, body: body) } ?? body(nil)
    case .keys: return body(nil)
    }
  }

  private func read(
    _ elements: StoredCollection, at position: Int, body: (GeometryView?) -> Bool
  ) -> Bool {
    if elements.isNull(at: position) { return body(nil) }
    if elements.type.isGeometry { return body(GeometryView(elements.bytes(at: position))) }
    guard case .point(let point) = elements.value(at: position) else { return body(nil) }
    return PackedPoint(point.longitude, latitude: point.latitude).withView(body)
  }

  /// Resolves the data that other threads will read for rows of these chunks, on the snapshot's own
  /// thread.
  func prepare(_ chunks: [Int]) {
    for linkStep in linkPath.linkSteps { linkStep.prepare() }
    let all = linkPath.linkSteps.isEmpty ? chunks : Array(0..<linkPath.endTable.chunkCount)
    objects?.prepare(all)
    guard let column = linkPath.end.column else { return }
    for chunk in all { _ = column.chunk(chunk) }
  }
}

/// A location in the packed form of a geometry.
struct PackedPoint {
  private var words: (UInt64, UInt64, UInt64, UInt64, UInt64)

  init(_ longitude: Double, latitude: Double) {
    let kind = UInt64(Geometry.Kind.point.rawValue)
    // The header has the kind, one vertex and two words of structure; the structure has the kind
    // and the number of vertices.
    words = (
      kind | 1 << 32, 2, kind | 1 << 32, longitude.bitPattern, latitude.bitPattern
    )
  }

  /// Calls `body` with a view of the geometry.
  func withView<Result>(_ body: (GeometryView) -> Result) -> Result {
    withUnsafeBytes(of: words) { body(GeometryView($0)) }
  }
}

/// A spatial condition on two properties of each row.
final class SpatialPairFilter: Filter {
  private let left: SpatialReader
  private let isAll: Bool
  private let right: SpatialReader
  private let test: SpatialPairTest
  private let shapes = PreparedGeometries()
  private let makeDescription: () -> String

  /// Creates a filter.
  ///
  /// - Parameter isAll: Whether all values of the left side must pass, and not any.
  init(
    _ left: SpatialReader, isAll: Bool, right: SpatialReader, test: SpatialPairTest,
    description: @autoclosure @escaping () -> String
  ) {
    self.left = left
    self.isAll = isAll
    self.right = right
    self.test = test
    makeDescription = description
  }

  override var cost: Double { 1000 }
  override var description: String { makeDescription() }

  override func refine(_ selection: inout Selection, chunk index: Int, scratch: ScratchBuffers) {
    let first = RowAddress.firstKey(ofChunk: index)
    selection.keep { word, selected in
      selected.keepingEach { bit in holds(first | word << 6 | bit) }
    }
  }

  /// Whether any, or each, of the left values passes with the right one. Without left values it is
  /// false.
  private func holds(_ key: Int) -> Bool {
    var holds = false
    _ = right.forEach(key) { right in
      guard let right else { return false }
      var count = 0
      let ranToEnd = left.forEach(key) { left in
        count += 1
        return (left.map { test.holds($0, right, shapes: shapes) } ?? false) == isAll
      }
      holds = ranToEnd == isAll && count > 0
      return false
    }
    return holds
  }

  override func prepare(_ chunks: [Int]) {
    left.prepare(chunks)
    right.prepare(chunks)
  }
}
