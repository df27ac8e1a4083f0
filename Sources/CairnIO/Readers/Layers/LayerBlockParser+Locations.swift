internal import CairnGeometry
internal import CairnStorage
import CairnSystem
internal import CairnValues

// The locations and geometries of the rows.
extension LayerBlockParser {
  /// Appends the locations or geometries, and their altitudes, and notes which rows are kept.
  func readLocations(_ batch: LayerBatch, into output: ColumnBatch) throws(ParseAbort) {
    guard let location else {
      kept.append(contentsOf: (0..<batch.rowCount).filter { !isDropped[$0] })
      return
    }
    let target = LocationTarget(
      builder: output.columns[location], altitudes: altitude.map { output.columns[$0] })
    if let coordinates = layer.coordinates {
      return try readCoordinates(batch, coordinates, into: target)
    }
    guard let geometry = layer.schema.geometry else { return }
    let column = batch.columns[geometry]
    for row in 0..<batch.rowCount where !isDropped[row] {
      if column.isNull(row) {
        try takeMissing(row, into: target)
      } else {
        try read(column.bytes(row), row: row, into: target)
      }
    }
  }

  /// The columns that locations are appended to.
  struct LocationTarget {
    let builder: ColumnBuilder
    let altitudes: ColumnBuilder?
  }

  /// The name of the column whose assumed type is contradicted, in messages.
  private static let contradicted = "location"

  /// Reads a geometry in WKB.
  @inline(__always)
  private func read(
    _ wkb: UnsafeRawBufferPointer, row: Int, into target: LocationTarget
  ) throws(ParseAbort) {
    let head: GeometryHead
    do throws(GeometryError) { head = try GeometryHead(wkb: wkb) } catch {
      return drop(
        row, "malformed geometry", detail: "the geometry is malformed: \(error.message)")
    }
    switch head.content {
    case .point(let x, let y, let z):
      if let point = location(x, y, altitude: z, row: row) {
        try append(point, row: row, to: target)
      }
    case .empty: try takeMissing(row, into: target)
    case .other(let kind): try readShape(wkb, kind, row, target)
    }
  }

  /// Returns the location of coordinates, or drops the row and returns nil.
  @inline(__always)
  private func location(_ x: Double, _ y: Double, altitude: Double?, row: Int) -> Location? {
    let axes = mapping.axes
    guard let x = accepted(x, axes.x, row), let y = accepted(y, axes.y, row) else { return nil }
    guard altitude?.isInfinite != true else {
      drop(row, "altitude is out of range", detail: "the altitude does not fit a double")
      return nil
    }
    guard case .projected(let transform) = mapping else {
      return Location(longitude: x, latitude: y, altitude: altitude)
    }
    do throws(GeometryError) {
      let point = try transform.toWGS84(x: x, y: y)
      return Location(longitude: point.longitude, latitude: point.latitude, altitude: altitude)
    } catch {
      drop(
        row, CoordinateMapping.rejection,
        detail: CoordinateMapping.detail(error, hasColumns: false))
      return nil
    }
  }

  @inline(__always)
  private func accepted(_ value: Double, _ axis: CoordinateAxis, _ row: Int) -> Double? {
    if value.isFinite, let accepted = axis.accept(value) { return accepted }
    drop(
      row, "\(axis.name) is out of range",
      detail: "the \(axis.name) \(value) "
        + (value.isFinite ? axis.objection(to: value) : "is not a number"))
    return nil
  }

  @inline(__always)
  private func append(
    _ point: Location, row: Int, to target: LocationTarget
  ) throws(ParseAbort) {
    if case .geometries(let type, _) = form {
      guard type == .geometry else {
        return drop(
          row, .geometryKind(type), detail: "expected a \(type.name), found a Point")
      }
      intake.pack(point)
      intake.withBytes { target.builder.append(bytes: $0) }
      target.altitudes?.appendNull()
    } else {
      if point.altitude != nil, target.altitudes == nil { throw .contradiction(column: "altitude") }
      target.builder.append(longitude: point.longitude, latitude: point.latitude)
      if let altitudes = target.altitudes {
        if let altitude = point.altitude {
          altitudes.append(double: altitude)
        } else {
          altitudes.appendNull()
        }
      }
    }
    kept.append(row)
  }

  /// Handles a row without a geometry.
  private func takeMissing(_ row: Int, into target: LocationTarget) throws(ParseAbort) {
    switch form.missing {
    case .null:
      target.builder.appendNull()
      target.altitudes?.appendNull()
      kept.append(row)
    case .contradicted: throw .contradiction(column: Self.contradicted)
    case .rejected: drop(row, "geometry is missing", detail: "it has no geometry")
    }
  }
}

// Geometries other than points.
extension LayerBlockParser {
  private func readShape(
    _ wkb: UnsafeRawBufferPointer, _ kind: Geometry.Kind, _ row: Int, _ target: LocationTarget
  ) throws(ParseAbort) {
    if converter.options.makesPoints(kind) { return try derivePoints(wkb, kind, row, target) }
    let type: ValueType
    switch form {
    case .points(isAssumed: false, _):
      return drop(
        row, .geometryType(kind.geoJSONName), detail: PointConverter.advice(kind))
    case .points, .inferred: throw .contradiction(column: Self.contradicted)
    case .geometries(let own, _): type = own
    }
    let isEmpty: Bool
    do throws(GeometryRefusal) {
      try intake.read(wkb.assumingMemoryBound(to: UInt8.self), .wkb)
      isEmpty = try !intake.finish(as: type, mapping: mapping)
    } catch {
      return drop(row, error.reason, detail: error.detail)
    }
    if isEmpty { return try takeMissing(row, into: target) }
    intake.withBytes { target.builder.append(bytes: $0) }
    target.altitudes?.appendNull()
    kept.append(row)
  }

  /// Derives points from a geometry, as the options ask.
  private func derivePoints(
    _ wkb: UnsafeRawBufferPointer, _ kind: Geometry.Kind, _ row: Int, _ target: LocationTarget
  ) throws(ParseAbort) {
    let bytes = wkb.assumingMemoryBound(to: UInt8.self)
    if kind == .multiPoint, converter.options.takesEachPoint {
      guard let points = MultiPointText.points(of: bytes, .wkb), !points.isEmpty else {
        return drop(
          row, "malformed geometry", detail: "its MultiPoint has no points or is malformed")
      }
      // The row is dropped as a whole if a point of it is.
      let found = points.compactMap { location($0.x, $0.y, altitude: $0.z, row: row) }
      guard !isDropped[row] else { return }
      for point in found { try append(point, row: row, to: target) }
      return
    }
    let made: (x: Double, y: Double)?
    do throws(PointFailure) { made = try converter.point(of: bytes, .wkb, mapping) } catch {
      if error.lacksLibrary {
        throw .failed(ImportError(.library, message: error.detail))
      }
      return drop(
        row, "no point from a geometry",
        detail: "cannot derive a point from the \(kind.geoJSONName): \(error.detail)")
    }
    if let made, let point = location(made.x, made.y, altitude: nil, row: row) {
      try append(point, row: row, to: target)
    }
  }
}

// Coordinates in columns.
extension LayerBlockParser {
  private func readCoordinates(
    _ batch: LayerBatch, _ columns: (latitude: Int, longitude: Int), into target: LocationTarget
  ) throws(ParseAbort) {
    let axes = mapping.axes
    for row in 0..<batch.rowCount where !isDropped[row] {
      if plan.geometries.allowsMissing, batch.columns[columns.latitude].isNull(row),
        batch.columns[columns.longitude].isNull(row)
      {
        try takeMissing(row, into: target)
        continue
      }
      guard let y = coordinate(batch, columns.latitude, row, axes.y),
        let x = coordinate(batch, columns.longitude, row, axes.x),
        let point = location(x, y, altitude: nil, row: row)
      else { continue }
      try append(point, row: row, to: target)
    }
  }

  /// Returns the number in a column, or drops the row and returns nil.
  private func coordinate(
    _ batch: LayerBatch, _ index: Int, _ row: Int, _ axis: CoordinateAxis
  ) -> Double? {
    let column = batch.columns[index]
    let name = layer.names.names[index]
    guard !column.isNull(row) else {
      drop(
        row, "\(axis.name) is missing",
        detail: "the \(axis.name) (column `\(name)`) is missing")
      return nil
    }
    switch layer.schema.columns[index].type {
    case .int: return Double(column.int(row))
    case .double: return column.double(row)
    case .text:
      if let number = column.withText(row, { CoordinateField.number($0, count: $1) }) {
        return number
      }
      fallthrough
    default:
      drop(
        row, "\(axis.name) is not a number",
        detail: "the \(axis.name) (column `\(name)`) is not a number")
      return nil
    }
  }
}
