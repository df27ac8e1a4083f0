internal import CairnGeometry

// The locations of the rows.
extension CSVBlockReader {
  func readLocations(_ rows: CSVRows) throws(ParseAbort) {
    if longitudes.count < rows.count {
      longitudes = Array(repeating: 0, count: rows.count)
      latitudes = Array(repeating: 0, count: rows.count)
    }
    switch layout.location {
    case .columns(let latitude, let longitude):
      let axes = mapping.axes
      readCoordinates(rows, column: longitude, axis: axes.x, into: &longitudes)
      readCoordinates(rows, column: latitude, axis: axes.y, into: &latitudes)
      if case .projected(let transform) = mapping {
        for row in 0..<rows.count where !isDropped[row] {
          project(rows, row: row, column: longitude, transform: transform)
        }
      }
    case .geometry(let column): try readGeometries(rows, column: column)
    case .pair(let column, let order): readPairs(rows, column: column, order: order)
    }
  }

  @inline(__always)
  private func readCoordinates(
    _ rows: CSVRows, column: Int, axis: CoordinateAxis, into values: inout [Double]
  ) {
    let isLast = column == rows.columns - 1
    // With decimal commas a point may separate thousands, so every field takes the slow path.
    let limit = layout.hasDecimalCommas ? -1 : axis.limit
    let hasNulls = unquoter.hasNulls
    values.withUnsafeMutableBufferPointer { values in
      for row in 0..<rows.count {
        let field = rows.field(row, column: column, isLast: isLast)
        if let value = DoubleText.parse(rows.bytes + field.start, count: field.count),
          value.magnitude <= limit,
          !hasNulls || !unquoter.isNull(rows.bytes + field.start, count: field.count)
        {
          values[row] = value
        } else if let value = coordinate(rows, row: row, field: field, column: column, axis: axis) {
          values[row] = value
        }
      }
    }
  }

  /// Returns a coordinate in another notation, or drops the row and returns nil.
  private func coordinate(
    _ rows: CSVRows, row: Int, field: (start: Int, count: Int), column: Int,
    axis: CoordinateAxis
  ) -> Double? {
    if isDropped[row] { return nil }
    let bytes = unquoter.trimmed(rows.bytes + field.start, count: field.count)
    let name = axis.name
    let offset = offset(rows, row: row, column: column)
    guard let base = bytes.baseAddress, !unquoter.isNull(base, count: bytes.count) else {
      drop(
        row, at: offset, reason: "\(name) is missing",
        detail: "the \(name) (column `\(layout.names[column])`) is missing")
      return nil
    }
    if let value = plainNumber(base, count: bytes.count) {
      return accepted(value, axis: axis, row: row, at: offset, column: column)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = angle(text, axis: axis) else {
      drop(
        row, at: offset, reason: "\(name) is not a number",
        detail: "the \(name) `\(text.prefix(40))` (column `\(layout.names[column])`) "
          + "is not a number\(advice(text))"
      )
      return nil
    }
    return accepted(value, axis: axis, row: row, at: offset, column: column)
  }

  /// Returns a value within the limits of its axis; otherwise drops the row and returns nil.
  func accepted(
    _ value: Double, axis: CoordinateAxis, row: Int, at offset: Int, column: Int
  ) -> Double? {
    if let accepted = axis.accept(value) { return accepted }
    let objection = axis.objection(to: value, columns: "COLUMN")
    drop(
      row, at: offset, reason: "\(axis.name) is out of range",
      detail: "the \(axis.name) \(value) (column `\(layout.names[column])`) \(objection)")
    return nil
  }

  /// Parses degrees, minutes and seconds.
  private func angle(_ text: String, axis: CoordinateAxis) -> Double? {
    guard case .degrees = mapping else { return nil }
    return CoordinateText.angle(text, axis: axis, hasDecimalCommas: layout.hasDecimalCommas)
  }

  private func advice(_ text: String) -> ImportMessage {
    let hasComma = text.contains(",")
    if hasComma, !layout.hasDecimalCommas {
      return "; if the comma is its decimal point, use \(option: .hasDecimalCommas)"
    }
    return layout.hasDecimalCommas && text.contains(".")
      ? " with a decimal comma, as \(option: .hasDecimalCommas) requires" : ""
  }

  /// Converts the coordinates of a row of a projected file to WGS 84.
  func project(_ rows: CSVRows, row: Int, column: Int, transform: CoordinateTransform) {
    do throws(GeometryError) {
      let point = try transform.toWGS84(x: longitudes[row], y: latitudes[row])
      (longitudes[row], latitudes[row]) = point
    } catch {
      drop(
        row, at: offset(rows, row: row, column: column), reason: CoordinateMapping.rejection,
        detail: CoordinateMapping.detail(error, hasColumns: true))
    }
  }

  /// Parses a number as people write coordinates: a plus sign and a bare point at the end are
  /// allowed.
  private func plainNumber(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    guard layout.hasDecimalCommas else { return CoordinateText.number(text, count: count) }
    guard let pointed = unquoter.pointed(text, count: count), let base = pointed.baseAddress else {
      return nil
    }
    return CoordinateText.number(base, count: count)
  }
}

// Locations in a single column.
extension CSVBlockReader {
  func readPairs(_ rows: CSVRows, column: Int, order: PairOrder) {
    for row in 0..<rows.count where !isDropped[row] {
      let field = rows.field(row, column: column)
      let bytes = unquoter.trimmed(rows.bytes + field.start, count: field.count)
      let offset = offset(rows, row: row, column: column)
      guard !bytes.isEmpty else {
        drop(
          row, at: offset, reason: "coordinates are missing",
          detail: "the coordinates (column `\(layout.names[column])`) are missing")
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let pair = PairText(text, hasDecimalCommas: layout.hasDecimalCommas),
        let (y, x) = pair.ordered(order)
      else {
        drop(
          row, at: offset, reason: "coordinates are unclear",
          detail:
            "`\(text.prefix(60))` (column `\(layout.names[column])`) is not clearly a pair of coordinates"
            + pairAdvice(text))
        continue
      }
      set(row, x: x, y: y, rows: rows, column: column)
    }
  }

  private func pairAdvice(_ text: String) -> ImportMessage {
    if layout.location == .pair(column: layout.location.columnIndexes[0], .marked) {
      return "; others have letters N, S, E and W; without them "
        + "use \(option: .latitudeFirstColumn) or \(option: .longitudeFirstColumn)"
    }
    let commas = text.count { $0 == "," }
    return commas > 1 && !layout.hasDecimalCommas
      ? "; if it has decimal commas, use \(option: .hasDecimalCommas)" : ""
  }

  func readGeometries(_ rows: CSVRows, column: Int) throws(ParseAbort) {
    altitudes = Array(repeating: .nan, count: rows.count)
    for row in 0..<rows.count where !isDropped[row] {
      let field = rows.field(row, column: column)
      let bytes = unquoter.trimmed(rows.bytes + field.start, count: field.count)
      let geometry = GeometryText(bytes)
      let offset = offset(rows, row: row, column: column)
      if let system = geometry.system, let objection = mapping.objection(toSystem: system) {
        drop(row, at: offset, reason: "another coordinate system", detail: objection)
        continue
      }
      switch geometry.content {
      case .point(let x, let y, let z):
        set(row, x: x, y: y, rows: rows, column: column)
        if let z, !isDropped[row] {
          altitudes[row] = z
          hasAltitude = true
        }
      case .empty:
        drop(row, at: offset, reason: "geometry is missing", detail: "it has no geometry")
      case .malformed where bytes.isEmpty:
        drop(row, at: offset, reason: "geometry is missing", detail: "it has no geometry")
      case .malformed:
        drop(
          row, at: offset, reason: "malformed geometry",
          detail: "`\(String(decoding: bytes.prefix(60), as: UTF8.self))` "
            + "(column `\(layout.names[column])`) is not a geometry"
        )
      case .other(let type):
        try readOtherGeometry(
          rows, row: row, column: column, bytes: bytes, geometry: geometry, type: type)
      }
    }
  }

  /// Reads a geometry that is not a point.
  private func readOtherGeometry(
    _ rows: CSVRows, row: Int, column: Int, bytes: UnsafeBufferPointer<UInt8>,
    geometry: GeometryText, type: String
  ) throws(ParseAbort) {
    let text = UnsafeBufferPointer(rebasing: bytes[geometry.start...])
    if type == "MultiPoint", converter.options.takesEachPoint {
      return readPoints(
        rows, row: row, column: column, points: MultiPointText.points(of: text, geometry.notation))
    }
    do throws(GeometryError) {
      if let point = try converter.point(of: text, geometry.notation, inDegrees: isInDegrees) {
        set(row, x: point.x, y: point.y, rows: rows, column: column)
      } else {
        drop(
          row, at: offset(rows, row: row, column: column), reason: .geometryType(type),
          detail: PointConverter.advice(type))
      }
    } catch {
      if error.kind == .missingLibrary {
        throw .failed(ImportError(.library, message: ImportMessage(error.message)))
      }
      drop(
        row, at: offset(rows, row: row, column: column), reason: "no point from a geometry",
        detail: "cannot derive a point from the \(type): \(error.message)")
    }
  }

  /// Reads each point of a MultiPoint. The row becomes one row for each, or none if one of the
  /// points is empty.
  private func readPoints(
    _ rows: CSVRows, row: Int, column: Int, points: [MultiPointText.Point]?
  ) {
    guard let points, !points.isEmpty else {
      return drop(
        row, at: offset(rows, row: row, column: column), reason: "malformed geometry",
        detail: "its MultiPoint has no points or is malformed")
    }
    var made: [Location] = []
    for point in points {
      set(row, x: point.x, y: point.y, rows: rows, column: column)
      if isDropped[row] { return }
      made.append(
        Location(longitude: longitudes[row], latitude: latitudes[row], altitude: point.z))
      if point.z != nil { hasAltitude = true }
    }
    pointsByRow[row] = made
  }

  private var isInDegrees: Bool {
    if case .degrees = mapping { true } else { false }
  }

  /// Sets the location of a row, or drops the row when the coordinates are out of range.
  private func set(_ row: Int, x: Double, y: Double, rows: CSVRows, column: Int) {
    let axes = mapping.axes
    let offset = offset(rows, row: row, column: column)
    guard let x = accepted(x, axis: axes.x, row: row, at: offset, column: column),
      let y = accepted(y, axis: axes.y, row: row, at: offset, column: column)
    else { return }
    (longitudes[row], latitudes[row]) = (x, y)
    if case .projected(let transform) = mapping {
      project(rows, row: row, column: column, transform: transform)
    }
  }
}
