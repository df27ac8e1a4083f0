import CairnGeometry
import CairnValues

/// Geometries, and the columns with their boxes.
extension TableWriter {
  /// Throws for a geometry of a kind that the column does not hold, for one with a vertex that is
  /// not on the earth, and for lines and rings that are too short or not closed.
  func checkGeometry(
    _ bytes: UnsafeRawBufferPointer, column: ColumnSchema
  ) throws(StoreError) {
    let view = GeometryView(bytes)
    guard bytes.isEmpty || column.holds(view.kind) else {
      throw StoreError(
        .invalidValue,
        message: "property '\(schema.name).\(column.name)' is of type \(column.type.name) "
          + "and cannot hold a \(view.kind.name)"
      )
    }
    do throws(GeometryError) {
      try view.checkRules()
    } catch {
      throw StoreError(
        .invalidValue,
        message: "property '\(schema.name).\(column.name)' cannot hold the geometry: \(error)")
    }
  }

  /// Sets the box of a geometry that was set.
  func setBounds(_ box: Envelope?, of column: ColumnSchema, at key: Int) {
    guard let bounds = schema.bounds(for: column) else { return }
    let value = box.map { Value.box(Box($0)) } ?? .null
    guard value != table.value(bounds.position, at: key) else { return }
    edit(bounds.position, chunk: RowAddress(key).chunk).set(value, at: RowAddress(key).row)
    overlay.noteModified(key, column: bounds)
    overlay.noteLocation(key, at: bounds.position)
  }

  /// Appends a geometry as the next property, in its packed form.
  package func append(geometry bytes: UnsafeRawBufferPointer) { append(.geometry(Array(bytes))) }

  /// Sets the boxes of a row that is being built.
  func setDraftBounds(row: Int) {
    for (geometry, bounds) in draft.bounds {
      let source = draft.cell(geometry).memory
      let target = draft.cell(bounds).memory
      let box = source.isNull(row) ? nil : GeometryView(draftBytes(geometry)).bounds
      target.set(box.map { .box(Box($0)) } ?? .null, at: row)
    }
  }
}

extension Value {
  /// The box of a geometry; nil for other values and for a geometry without a vertex.
  var bounds: Envelope? {
    guard case .geometry(let bytes) = self else { return nil }
    return bytes.withUnsafeBytes { GeometryView($0).bounds }
  }
}

extension ColumnSchema {
  /// Returns whether the column holds geometries of that kind.
  func holds(_ kind: Geometry.Kind) -> Bool {
    switch type {
    case .lineString: kind == .lineString
    case .polygon: kind == .polygon || kind == .multiPolygon
    default: true
    }
  }
}

extension Geometry.Kind {
  /// The name of the kind in WKT.
  var name: String {
    switch self {
    case .point: "Point"
    case .lineString: "LineString"
    case .polygon: "Polygon"
    case .multiPoint: "MultiPoint"
    case .multiLineString: "MultiLineString"
    case .multiPolygon: "MultiPolygon"
    case .geometryCollection: "GeometryCollection"
    }
  }
}
