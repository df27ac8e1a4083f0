internal import CairnGeometry
internal import CairnParquet

/// The lists around the coordinates of geometries, and the form of the coordinates.
///
/// Source: "Native encoding" of the GeoArrow specification 0.2.
struct ShapeLayout {
  /// The number of lists around a position.
  let depth: Int
  /// The number of coordinates that are read, 2 or 3.
  let axes: Int
  /// The number of coordinates of a position in one list; nil if each has a column of its own.
  let stride: Int?

  /// Returns nil if a column does not have the form that its name says.
  init?(_ field: ArrowField, kind: Geometry.Kind) {
    switch kind {
    case .point: depth = 0
    case .lineString, .multiPoint: depth = 1
    case .polygon, .multiLineString: depth = 2
    case .multiPolygon: depth = 3
    case .geometryCollection: return nil
    }
    var position = field
    for _ in 0..<depth {
      switch position.type {
      case .list, .listView: break
      default: return nil
      }
      guard position.dictionaryIndex == nil, let child = position.children.first else { return nil }
      position = child
    }
    guard position.dictionaryIndex == nil else { return nil }
    switch position.type {
    case .fixedList(let count):
      guard 2...4 ~= count, position.children.first?.type == .float(size: 8) else { return nil }
      stride = count
      let name = position.children[0].name
      axes = count > 2 && name != "xym" ? 3 : 2
    case .structure:
      let names = position.children.prefix(while: { $0.type == .float(size: 8) }).map(\.name)
      guard names.starts(with: ["x", "y"]) else { return nil }
      stride = nil
      axes = names.count > 2 && names[2] == "z" ? 3 : 2
    default: return nil
    }
  }
}

/// Geometries whose coordinates are numbers in lists.
struct ShapeColumn {
  private let kind: Geometry.Kind
  private let layout: ShapeLayout
  private static let mostBytes = Int(Int32.max)
  /// The columns from the outermost list to the positions.
  private let levels: [ArrowColumn]
  /// The columns of the coordinates: one for each axis, or one for all.
  private let numbers: [ArrowColumn]

  init(_ column: ArrowColumn, kind: Geometry.Kind) throws(ArrowError) {
    guard let layout = ShapeLayout(column.field, kind: kind) else {
      throw ArrowError("the column `\(column.field.name)` has no geometries of its kind")
    }
    self.kind = kind
    self.layout = layout
    var levels = [column]
    for _ in 0..<layout.depth { levels.append(try levels[levels.count - 1].child(0)) }
    self.levels = levels
    let position = levels[levels.count - 1]
    var numbers: [ArrowColumn] = []
    for axis in 0..<(layout.stride == nil ? layout.axes : 1) {
      numbers.append(try position.child(axis))
    }
    self.numbers = numbers
  }

  /// Appends the geometry at a position of the outermost column as WKB.
  func append(_ position: Int, to wkb: ColumnMemory) throws(ArrowError) {
    try append(kind, at: position, level: 0, to: wkb)
  }

  private func append(
    _ kind: Geometry.Kind, at position: Int, level: Int, to wkb: ColumnMemory
  ) throws(ArrowError) {
    wkb.append(UInt8(1))
    wkb.append((UInt32(kind.rawValue) + (layout.axes > 2 ? 1000 : 0)).littleEndian)
    switch kind {
    case .point: try appendPosition(position, to: wkb)
    case .lineString: try appendPositions(position, level: level, to: wkb)
    case .multiPoint: try appendParts(.point, position, level: level, to: wkb)
    case .polygon:
      try appendMembers(position, level: level, to: wkb) { (ring) throws(ArrowError) in
        try appendPositions(ring, level: level + 1, to: wkb)
      }
    case .multiLineString: try appendParts(.lineString, position, level: level, to: wkb)
    case .multiPolygon: try appendParts(.polygon, position, level: level, to: wkb)
    case .geometryCollection: break
    }
  }

  private func appendParts(
    _ kind: Geometry.Kind, _ position: Int, level: Int, to wkb: ColumnMemory
  ) throws(ArrowError) {
    try appendMembers(position, level: level, to: wkb) { (part) throws(ArrowError) in
      try append(kind, at: part, level: level + 1, to: wkb)
    }
  }

  private func appendPositions(
    _ position: Int, level: Int, to wkb: ColumnMemory
  ) throws(ArrowError) {
    try appendMembers(position, level: level, to: wkb) { (vertex) throws(ArrowError) in
      try appendPosition(vertex, to: wkb)
    }
  }

  /// Appends the members of a list behind their number.
  private func appendMembers(
    _ position: Int, level: Int, to wkb: ColumnMemory,
    _ append: (Int) throws(ArrowError) -> Void
  ) throws(ArrowError) {
    let (range, members) = (levels[level].range(at: position), levels[level + 1])
    try members.requireRows(upTo: range.upperBound)
    wkb.append(UInt32(truncatingIfNeeded: range.count).littleEndian)
    for row in range {
      // Lists may overlap, so that a few bytes describe a geometry of any size.
      guard wkb.size <= Self.mostBytes else {
        throw ArrowError("the geometries of some rows have more than 2 GB")
      }
      guard let position = members.position(row) else {
        throw ArrowError("the column `\(levels[0].field.name)` has a null within a geometry")
      }
      try append(position)
    }
  }

  private func appendPosition(_ position: Int, to wkb: ColumnMemory) throws(ArrowError) {
    for axis in 0..<layout.axes {
      let column = numbers[layout.stride == nil ? axis : 0]
      let row = layout.stride.map { position * $0 + axis } ?? position
      try column.requireRows(upTo: row + 1)
      wkb.append(
        column.position(row).map { column.double(at: $0).bitPattern } ?? Double.nan.bitPattern)
    }
  }
}
