internal import CairnGeometry
internal import CairnIO
import CairnSystem

/// Reads geometries whose coordinates lie in columns of their own, as WKB. For use by one thread.
///
/// Source: "Native encodings" of GeoParquet 1.1, and GeoArrow's separated coordinates.
final class ShapeColumnReader: RowReader {
  private let node: SchemaNode
  /// The repeated nodes from the outermost list on.
  private let lists: [SchemaNode]
  /// The columns of x and y, and of z if there is one.
  private let axes: [EntryCursor]
  private let kind: Geometry.Kind

  init?(_ node: SchemaNode, kind: Geometry.Kind, of file: ParquetFile) {
    var lists: [SchemaNode] = []
    var next = node
    while let list = next.list {
      lists.append(list.repeated)
      next = list.element
    }
    let leaves = ["x", "y", "z"].compactMap { name in
      next.children.first { $0.name == name }?.leaf
    }
    guard lists.count == Self.depth(kind), leaves.count >= 2,
      leaves.allSatisfy({ $0.type == .double && $0.maxRepetition == lists.count })
    else { return nil }
    self.node = node
    self.lists = lists
    self.kind = kind
    axes = leaves.map { EntryCursor($0, of: file) }
  }

  /// The number of lists around the positions of a kind of geometries.
  private static func depth(_ kind: Geometry.Kind) -> Int {
    switch kind {
    case .point: 0
    case .lineString, .multiPoint: 1
    case .polygon, .multiLineString: 2
    case .multiPolygon: 3
    case .geometryCollection: -1
    }
  }

  func append(
    rows: Range<Int64>, of group: Int, to values: ColumnValues
  ) throws(ImportError) {
    for row in rows {
      for axis in axes { try axis.move(to: row, group: group) }
      let first = axes[0]
      guard !first.isAtEnd else { throw first.reader.ended }
      let isNull =
        first.definition < node.definition
        || lists.isEmpty && first.definition < first.reader.leaf.maxDefinition
      if isNull {
        try pass()
        values.appendNulls(1)
        continue
      }
      try append(kind, level: 0, to: values.heap)
      values.endValue()
      do throws(ParquetError) { try values.checkSize() } catch { throw first.reader.failure(error) }
    }
  }

  private func pass() throws(ImportError) {
    for axis in axes { try axis.advance() }
  }

  private func append(
    _ kind: Geometry.Kind, level: Int, to wkb: ColumnMemory
  ) throws(ImportError) {
    wkb.append(UInt8(1))
    wkb.append((UInt32(kind.rawValue) + (axes.count > 2 ? 1000 : 0)).littleEndian)
    switch kind {
    case .point: try appendPosition(to: wkb)
    case .lineString: try appendPositions(level: level, to: wkb)
    case .multiPoint: try appendParts(.point, level: level, to: wkb)
    case .polygon:
      try appendCounted(level: level, to: wkb) { () throws(ImportError) in
        try appendPositions(level: level + 1, to: wkb)
      }
    case .multiLineString: try appendParts(.lineString, level: level, to: wkb)
    case .multiPolygon: try appendParts(.polygon, level: level, to: wkb)
    case .geometryCollection: break
    }
  }

  private func appendParts(
    _ part: Geometry.Kind, level: Int, to wkb: ColumnMemory
  ) throws(ImportError) {
    try appendCounted(level: level, to: wkb) { () throws(ImportError) in
      try append(part, level: level + 1, to: wkb)
    }
  }

  private func appendPositions(level: Int, to wkb: ColumnMemory) throws(ImportError) {
    try appendCounted(level: level, to: wkb) { () throws(ImportError) in
      try appendPosition(to: wkb)
    }
  }

  /// Appends the elements of a list behind their number.
  private func appendCounted(
    level: Int, to wkb: ColumnMemory, _ element: () throws(ImportError) -> Void
  ) throws(ImportError) {
    let (list, first, place) = (lists[level], axes[0], wkb.count)
    var count: UInt32 = 0
    wkb.append(count)
    guard first.definition >= list.definition else { return try pass() }
    repeat {
      try element()
      try first.checkSize(of: wkb)
      count += 1
    } while first.repetition >= list.repetitionLevel
    wkb.set(count.littleEndian, at: place)
  }

  private func appendPosition(to wkb: ColumnMemory) throws(ImportError) {
    for axis in axes {
      let isPresent = axis.definition == axis.reader.leaf.maxDefinition
      wkb.append(isPresent ? axis.reader.values.bits[axis.value] : Double.nan.bitPattern)
      try axis.advance()
    }
  }
}
