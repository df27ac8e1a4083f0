internal import CairnGeometry
internal import CairnValues

// The locations of the rows.
extension CSVBlockReader {
  /// Reads what one source holds in the rows of a slice.
  func readLocations(_ rows: CSVRows, into spatial: CSVSpatialColumn) throws(ParseAbort) {
    spatial.begin(rows.count)
    switch spatial.own.location {
    case .columns(let latitude, let longitude):
      noteBlanks(rows, spatial, columns: (latitude, longitude))
      let axes = mapping.axes
      readCoordinates(
        rows, spatial, column: longitude, axis: axes.x, into: &spatial.longitudes)
      readCoordinates(rows, spatial, column: latitude, axis: axes.y, into: &spatial.latitudes)
      if case .projected(let transform) = mapping {
        for row in 0..<rows.count where !isDropped[row] && !spatial.isMissing(row) {
          project(rows, spatial, row: row, column: longitude, transform: transform)
        }
      }
    case .geometry(let column): try readGeometries(rows, spatial, column: column)
    case .pair(let column, let order): try readPairs(rows, spatial, column: column, order: order)
    }
  }

  /// Whether a row without coordinates is stored.
  private func mayBeMissing(_ spatial: CSVSpatialColumn) -> Bool {
    (spatial.source != .only || layout.geometries.allowsMissing) && spatial.form.missing == .null
  }

  /// Notes the rows in which both of two columns are empty, if the property may be null there.
  private func noteBlanks(
    _ rows: CSVRows, _ spatial: CSVSpatialColumn, columns: (latitude: Int, longitude: Int)
  ) {
    guard mayBeMissing(spatial) else { return }
    for row in 0..<rows.count where !isDropped[row] {
      let (x, y) = (
        rows.field(row, column: columns.longitude), rows.field(row, column: columns.latitude)
      )
      if unquoter.isNull(rows.bytes + x.start, count: x.count),
        unquoter.isNull(rows.bytes + y.start, count: y.count)
      {
        spatial.setMissing(row, of: rows.count)
      }
    }
  }

  /// Packs the locations of those rows that have no other geometry, after rows were dropped.
  func packLocations(_ count: Int, _ spatial: CSVSpatialColumn) {
    for row in 0..<count where !spatial.isMissing(row) && !spatial.hasGeometry(row) {
      let altitude = row < spatial.altitudes.count ? spatial.altitudes[row] : .nan
      intake.pack(
        Location(
          longitude: spatial.longitudes[row], latitude: spatial.latitudes[row],
          altitude: altitude.isNaN ? nil : altitude))
      intake.withBytes { spatial.setGeometry(row, bytes: $0) }
    }
  }

  /// Handles a row without a geometry.
  private func setMissing(
    _ row: Int, _ spatial: CSVSpatialColumn, rows: CSVRows, reason: RejectReason, column: Int,
    detail: @autoclosure () -> ImportMessage
  ) throws(ParseAbort) {
    switch spatial.form.missing {
    case .null: spatial.setMissing(row, of: rows.count)
    case .contradicted: throw .contradiction(column: layout.names[column])
    case .rejected:
      drop(row, at: offset(rows, row: row, column: column), reason: reason, detail: detail())
    }
  }

  @inline(__always)
  private func readCoordinates(
    _ rows: CSVRows, _ spatial: CSVSpatialColumn, column: Int, axis: CoordinateAxis,
    into values: inout [Double]
  ) {
    let isLast = column == rows.columns - 1
    // With decimal commas a point may separate thousands, so every field takes the slow path.
    let limit = layout.numbers.isPlain ? axis.limit : -1
    let hasNulls = unquoter.hasNulls
    values.withUnsafeMutableBufferPointer { values in
      for row in 0..<rows.count {
        let field = rows.field(row, column: column, isLast: isLast)
        if let value = DoubleText.parse(rows.bytes + field.start, count: field.count),
          value.magnitude <= limit,
          !hasNulls || !unquoter.isNull(rows.bytes + field.start, count: field.count)
        {
          values[row] = value
        } else if !spatial.isMissing(row),
          let value = coordinate(rows, row: row, field: field, column: column, axis: axis)
        {
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
    return CoordinateField.angle(
      text, axis: axis, hasDecimalCommas: layout.numbers.hasDecimalCommas)
  }

  private func advice(_ text: String) -> ImportMessage {
    let hasComma = text.contains(",")
    if hasComma, !layout.numbers.hasDecimalCommas {
      return "; if the comma is its decimal point, use \(option: .hasDecimalCommas)"
    }
    return layout.numbers.hasDecimalCommas && text.contains(".")
      ? " with a decimal comma, as \(option: .hasDecimalCommas) requires" : ""
  }

  /// Converts the coordinates of a row of a projected file to WGS 84.
  func project(
    _ rows: CSVRows, _ spatial: CSVSpatialColumn, row: Int, column: Int,
    transform: CoordinateTransform
  ) {
    do throws(GeometryError) {
      let point = try transform.toWGS84(x: spatial.longitudes[row], y: spatial.latitudes[row])
      (spatial.longitudes[row], spatial.latitudes[row]) = point
    } catch {
      drop(
        row, at: offset(rows, row: row, column: column), reason: CoordinateMapping.rejection,
        detail: CoordinateMapping.detail(error, hasColumns: true))
    }
  }

  /// Parses a number as people write coordinates: a plus sign and a bare point at the end are
  /// allowed.
  private func plainNumber(_ text: UnsafePointer<UInt8>, count: Int) -> Double? {
    guard !layout.numbers.isPlain else { return CoordinateField.number(text, count: count) }
    guard let number = unquoter.plainNumber(text, count: count), let base = number.baseAddress
    else { return nil }
    return CoordinateField.number(base, count: number.count)
  }
}

// Locations in a single column.
extension CSVBlockReader {
  func readPairs(
    _ rows: CSVRows, _ spatial: CSVSpatialColumn, column: Int, order: PairOrder
  ) throws(ParseAbort) {
    for row in 0..<rows.count where !isDropped[row] {
      let field = rows.field(row, column: column)
      let bytes = unquoter.trimmed(rows.bytes + field.start, count: field.count)
      let offset = offset(rows, row: row, column: column)
      guard !bytes.isEmpty else {
        if mayBeMissing(spatial) {
          spatial.setMissing(row, of: rows.count)
          continue
        }
        drop(
          row, at: offset, reason: "coordinates are missing",
          detail: "the coordinates (column `\(layout.names[column])`) are missing")
        continue
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let pair = PairText(text, hasDecimalCommas: layout.numbers.hasDecimalCommas),
        let (y, x) = pair.ordered(order)
      else {
        drop(
          row, at: offset, reason: "coordinates are unclear",
          detail:
            "`\(text.prefix(60))` (column `\(layout.names[column])`) is not clearly a pair of coordinates"
            + pairAdvice(text, order: order))
        continue
      }
      set(row, spatial, x: x, y: y, rows: rows, column: column)
    }
  }

  private func pairAdvice(_ text: String, order: PairOrder) -> ImportMessage {
    if order == .marked {
      return "; others have letters N, S, E and W; without them "
        + "use \(option: .latitudeFirstColumn) or \(option: .longitudeFirstColumn)"
    }
    let commas = text.count { $0 == "," }
    return commas > 1 && !layout.numbers.hasDecimalCommas
      ? "; if it has decimal commas, use \(option: .hasDecimalCommas)" : ""
  }

  func readGeometries(
    _ rows: CSVRows, _ spatial: CSVSpatialColumn, column: Int
  ) throws(ParseAbort) {
    spatial.altitudes.removeAll(keepingCapacity: true)
    spatial.altitudes.append(contentsOf: repeatElement(.nan, count: rows.count))
    for row in 0..<rows.count where !isDropped[row] {
      let field = rows.field(row, column: column)
      let bytes = unquoter.trimmed(rows.bytes + field.start, count: field.count)
      guard let base = bytes.baseAddress, !unquoter.isNull(base, count: bytes.count) else {
        try setMissing(
          row, spatial, rows: rows, reason: "geometry is missing", column: column,
          detail: "it has no geometry")
        continue
      }
      let geometry = GeometryText(bytes)
      let offset = offset(rows, row: row, column: column)
      if let system = geometry.system, let objection = mapping.objection(toSystem: system) {
        drop(row, at: offset, reason: "another coordinate system", detail: objection)
        continue
      }
      switch geometry.content {
      case .point(let x, let y, let z):
        set(row, spatial, x: x, y: y, rows: rows, column: column)
        if let z, !isDropped[row] {
          spatial.altitudes[row] = z
          if !spatial.isPacked { spatial.evidence.insert(.altitude) }
        }
      case .empty:
        try setMissing(
          row, spatial, rows: rows, reason: "geometry is missing", column: column,
          detail: "it has no geometry")
      case .malformed(let reason):
        drop(
          row, at: offset, reason: "malformed geometry",
          detail: "`\(String(decoding: bytes.prefix(60), as: UTF8.self))` "
            + "(column `\(layout.names[column])`) is not a geometry: \(reason)"
        )
      case .other(let kind) where converter.options.makesPoints(kind):
        try derivePoints(
          rows, spatial, row: row, column: column, text: bytes, notation: geometry.notation,
          kind: kind)
      case .other(let kind):
        try readShape(
          rows, spatial, row: row, column: column, text: bytes, notation: geometry.notation,
          kind: kind)
      }
    }
  }

  /// Reads a geometry that is not a point.
  private func readShape(
    _ rows: CSVRows, _ spatial: CSVSpatialColumn, row: Int, column: Int,
    text: UnsafeBufferPointer<UInt8>, notation: GeometryNotation, kind: Geometry.Kind
  ) throws(ParseAbort) {
    let offset = offset(rows, row: row, column: column)
    if case .points(isAssumed: false, _) = spatial.form {
      return drop(
        row, at: offset, reason: .geometryType(kind.geoJSONName),
        detail: PointConverter.advice(kind))
    }
    let valueType: ValueType
    switch spatial.form {
    case .points: throw .contradiction(column: layout.names[column])
    case .geometries(let type, _): valueType = type
    case .inferred:
      spatial.evidence.insert(.shape)
      // An invalid geometry is found when the row is stored.
      guard policy == .skip else { return }
      valueType = .geometry
    }
    let isEmpty: Bool
    do throws(GeometryRefusal) {
      try intake.read(text, notation)
      isEmpty = try !intake.finish(as: valueType, mapping: mapping)
    } catch {
      return drop(
        row, at: offset, reason: error.reason,
        detail: "\(error.detail) (column `\(layout.names[column])`)")
    }
    guard !isEmpty else {
      return try setMissing(
        row, spatial, rows: rows, reason: "geometry is missing", column: column,
        detail: "it has no geometry")
    }
    if spatial.isPacked { intake.withBytes { spatial.setGeometry(row, bytes: $0) } }
  }

  /// Derives points from a geometry, as the options ask.
  private func derivePoints(
    _ rows: CSVRows, _ spatial: CSVSpatialColumn, row: Int, column: Int,
    text: UnsafeBufferPointer<UInt8>, notation: GeometryNotation, kind: Geometry.Kind
  ) throws(ParseAbort) {
    if kind == .multiPoint, converter.options.takesEachPoint {
      return readPoints(
        rows, spatial, row: row, column: column, points: MultiPointText.points(of: text, notation))
    }
    do throws(PointFailure) {
      if let point = try converter.point(of: text, notation, mapping) {
        set(row, spatial, x: point.x, y: point.y, rows: rows, column: column)
      }
    } catch {
      if error.lacksLibrary {
        throw .failed(ImportError(.library, message: error.detail))
      }
      drop(
        row, at: offset(rows, row: row, column: column), reason: "no point from a geometry",
        detail: "cannot derive a point from the \(kind.geoJSONName): \(error.detail)")
    }
  }

  /// Reads each point of a MultiPoint. The row becomes one row for each, or none if one of the
  /// points is empty.
  private func readPoints(
    _ rows: CSVRows, _ spatial: CSVSpatialColumn, row: Int, column: Int,
    points: [MultiPointText.Point]?
  ) {
    guard let points, !points.isEmpty else {
      return drop(
        row, at: offset(rows, row: row, column: column), reason: "malformed geometry",
        detail: "its MultiPoint has no points or is malformed")
    }
    var made: [Location] = []
    for point in points {
      set(row, spatial, x: point.x, y: point.y, rows: rows, column: column)
      if isDropped[row] { return }
      made.append(
        Location(
          longitude: spatial.longitudes[row], latitude: spatial.latitudes[row],
          altitude: point.z))
      if point.z != nil { spatial.evidence.insert(.altitude) }
    }
    spatial.pointsByRow[row] = made
  }

  /// Sets the location of a row, or drops the row when the coordinates are out of range.
  private func set(
    _ row: Int, _ spatial: CSVSpatialColumn, x: Double, y: Double, rows: CSVRows, column: Int
  ) {
    let axes = mapping.axes
    let offset = offset(rows, row: row, column: column)
    guard let x = accepted(x, axis: axes.x, row: row, at: offset, column: column),
      let y = accepted(y, axis: axes.y, row: row, at: offset, column: column)
    else { return }
    (spatial.longitudes[row], spatial.latitudes[row]) = (x, y)
    if case .projected(let transform) = mapping {
      project(rows, spatial, row: row, column: column, transform: transform)
    }
  }
}
