internal import CairnGeometry

// Where the rows are.
extension CSVBlockReader {
  func readLocations(_ rows: CSVRows) throws(ParseStop) {
    if longitudes.count < rows.count {
      longitudes = Array(repeating: 0, count: rows.count)
      latitudes = Array(repeating: 0, count: rows.count)
    }
    switch layout.location {
    case .columns(let latitude, let longitude):
      let axes = placement.axes
      readCoordinates(rows, longitude, axes.x, into: &longitudes)
      readCoordinates(rows, latitude, axes.y, into: &latitudes)
      if case .projected(let transform) = placement {
        for row in 0..<rows.count where !isDropped[row] { place(rows, row, longitude, transform) }
      }
    case .geometry(let column): try readGeometries(rows, column)
    case .pair(let column, let order): readPairs(rows, column, order)
    }
  }

  @inline(__always)
  private func readCoordinates(
    _ rows: CSVRows, _ column: Int, _ axis: CoordinateAxis, into values: inout [Double]
  ) {
    let isLast = column == rows.columns - 1
    // With decimal commas a point is not certain to be one: every field goes the slow way.
    let limit = layout.hasDecimalCommas ? -1 : axis.limit
    let hasNulls = unquoter.hasNulls
    values.withUnsafeMutableBufferPointer { values in
      for row in 0..<rows.count {
        let field = rows.field(row, column, isLast: isLast)
        if let value = DoubleText.parse(rows.bytes + field.start, field.count),
          value.magnitude <= limit,
          !hasNulls || !unquoter.isNull(rows.bytes + field.start, field.count)
        {
          values[row] = value
        } else if let value = coordinate(rows, row, field, column, axis) {
          values[row] = value
        }
      }
    }
  }

  /// A coordinate that is written in another way, or none.
  private func coordinate(
    _ rows: CSVRows, _ row: Int, _ field: (start: Int, count: Int), _ column: Int,
    _ axis: CoordinateAxis
  ) -> Double? {
    if isDropped[row] { return nil }
    let bytes = unquoter.trimmed(rows.bytes + field.start, field.count)
    let name = axis.name
    let place = place(rows, row, column)
    guard let base = bytes.baseAddress, !unquoter.isNull(base, bytes.count) else {
      drop(
        row, at: place, "\(name) is missing",
        "the \(name) (column `\(layout.names[column])`) is missing")
      return nil
    }
    if let value = plainNumber(base, bytes.count) {
      return accepted(value, axis, row, at: place, column)
    }
    let text = String(decoding: bytes, as: UTF8.self)
    guard let value = angle(text, axis) else {
      drop(
        row, at: place, "\(name) is no number",
        "the \(name) `\(text.prefix(40))` (column `\(layout.names[column])`) is no number\(advice(text))"
      )
      return nil
    }
    return accepted(value, axis, row, at: place, column)
  }

  /// A value within the limits of its axis; else the row is dropped.
  func accepted(
    _ value: Double, _ axis: CoordinateAxis, _ row: Int, at place: Int, _ column: Int
  ) -> Double? {
    if let accepted = axis.accept(value) { return accepted }
    let objection = axis.objection(to: value, options: "--crs EPSG:n --x COLUMN --y COLUMN")
    drop(
      row, at: place, "\(axis.name) is out of range",
      "the \(axis.name) \(value) (column `\(layout.names[column])`) \(objection)")
    return nil
  }

  /// Degrees, minutes and seconds.
  private func angle(_ text: String, _ axis: CoordinateAxis) -> Double? {
    guard case .degrees = placement else { return nil }
    return CoordinateText.angle(text, axis, hasDecimalCommas: layout.hasDecimalCommas)
  }

  private func advice(_ text: String) -> String {
    let hasComma = text.contains(",")
    if hasComma, !layout.hasDecimalCommas {
      return ": if the comma is its decimal point, say `--decimal-comma`"
    }
    return layout.hasDecimalCommas && text.contains(".")
      ? " with a decimal comma, which `--decimal-comma` says it is" : ""
  }

  /// Brings the coordinates of a row of a projected file to WGS 84.
  func place(_ rows: CSVRows, _ row: Int, _ column: Int, _ transform: CoordinateTransform) {
    do throws(GeometryError) {
      let place = try transform.toWGS84(x: longitudes[row], y: latitudes[row])
      (longitudes[row], latitudes[row]) = place
    } catch {
      drop(
        row, at: place(rows, row, column), Placement.refusal,
        Placement.detail(error, options: "`--crs`, `--x` and `--y`"))
    }
  }

  /// A number as people write coordinates: a plus sign and a bare point at the end are fine.
  private func plainNumber(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    guard layout.hasDecimalCommas else { return CoordinateText.number(text, count) }
    guard let pointed = unquoter.pointed(text, count), let base = pointed.baseAddress else {
      return nil
    }
    return CoordinateText.number(base, count)
  }
}
