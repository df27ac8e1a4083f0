internal import CairnGeometry
package import CairnIO
package import CairnStorage
package import CairnValues

/// The geometries of a batch in WKB, and the boxes around them if the format has those.
package struct ShapeBuffer {
  private let geometries: ColumnBuffer
  /// West, south, east and north.
  private let boxes: [ColumnBuffer]
  /// The description of all geometries; nil in a format without boxes.
  private(set) var note: GeoNote?
  private var wkb: [UInt8] = []

  /// Creates a buffer without boxes.
  package init(_ geometries: ColumnBuffer) {
    self.geometries = geometries
    (boxes, note) = ([], nil)
  }

  init(_ geometries: ColumnBuffer, boxes: [ColumnBuffer], note: GeoNote) {
    self.geometries = geometries
    self.boxes = boxes
    self.note = note
  }

  /// Appends a location or a geometry, with the altitude that another column has.
  package mutating func append(_ cell: Cell, altitude: Cell) {
    let extent: WKBExtent?
    switch cell {
    case .point(let position): extent = append(position, height: altitude.number)
    case .projected(let x, let y, let own):
      extent = append(x: x, y: y, z: altitude.number ?? Self.known(own))
    default: extent = appendGeometry(cell)
    }
    set(boxes.map { $0.reserve(1, as: Double.self) }, 0, extent)
  }

  /// Appends the locations or geometries that rows have in a column, with the altitudes in another.
  package mutating func append(
    _ keys: UnsafeBufferPointer<Int>, of column: Column, type: ValueType,
    altitudes: (column: Column, type: ValueType)?
  ) {
    guard let first = keys.first else { return }
    var number = RowAddress(first).chunk
    var chunk = column.chunk(number)
    var heights = altitudes?.column.chunk(number)
    let sides = boxes.map { $0.reserve(keys.count, as: Double.self) }
    for (index, key) in keys.enumerated() {
      let address = RowAddress(key)
      if address.chunk != number {
        number = address.chunk
        chunk = column.chunk(number)
        heights = altitudes?.column.chunk(number)
      }
      let extent: WKBExtent?
      if type != .point {
        extent = appendGeometry(Cell(chunk, row: address.row, type: type))
      } else if chunk.isNull(address.row) {
        geometries.appendNull()
        extent = nil
      } else {
        let height = altitudes.flatMap { altitude in
          heights.flatMap { Cell($0, row: address.row, type: altitude.type).number }
        }
        extent = append(chunk.position(at: address.row), height: height)
      }
      set(sides, index, extent)
    }
  }

  /// A location without an altitude has the altitude 0.
  private static func known(_ altitude: Double) -> Double? { altitude == 0 ? nil : altitude }

  private mutating func append(_ position: Position, height: Double?) -> WKBExtent? {
    append(
      x: position.longitude, y: position.latitude, z: height ?? Self.known(position.altitude))
  }

  private mutating func append(x: Double, y: Double, z: Double?) -> WKBExtent? {
    geometries.append(x: x, y: y, z: z)
    return note == nil ? nil : WKBExtent(x: x, y: y, hasAltitude: z != nil)
  }

  /// Appends a geometry other than a location. Returns nil for a null, and without boxes.
  private mutating func appendGeometry(_ cell: Cell) -> WKBExtent? {
    guard case .geometry(let geometry) = cell else {
      geometries.appendNull()
      return nil
    }
    wkb.removeAll(keepingCapacity: true)
    geometry.withView { $0.appendWKB(to: &wkb) }
    return wkb.withUnsafeBytes { bytes in
      geometries.append(bytes: bytes)
      return note == nil ? nil : WKBExtent(bytes)
    }
  }

  /// The marks and the numbers of a side of the boxes.
  private typealias Side = (
    marks: UnsafeMutablePointer<UInt8>, numbers: UnsafeMutablePointer<Double>
  )

  /// Sets the box of a row; nil and empty geometries have none.
  @inline(__always)
  private mutating func set(_ sides: [Side], _ index: Int, _ extent: WKBExtent?) {
    if let extent { note?.add(extent) }
    let box = extent.flatMap { $0.isEmpty ? nil : $0.singles }
    for side in sides {
      side.marks[index] = box == nil ? ColumnBuffer.null : ColumnBuffer.value
      side.numbers[index] = 0
    }
    guard let box else { return }
    sides[0].numbers[index] = Double(box.xmin)
    sides[1].numbers[index] = Double(box.ymin)
    sides[2].numbers[index] = Double(box.xmax)
    sides[3].numbers[index] = Double(box.ymax)
  }
}

extension Cell {
  /// The number; nil for another value.
  fileprivate var number: Double? {
    switch self {
    case .double(let value): value
    case .float(let value): Double(value)
    case .int(let value): Double(value)
    default: nil
    }
  }
}
