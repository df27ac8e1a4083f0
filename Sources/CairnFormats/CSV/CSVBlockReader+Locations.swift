internal import CairnGeometry

// Where the rows are.
extension CSVBlockReader {
  func readLocations(_ rows: CSVRows) {
    if longitudes.count < rows.count {
      longitudes = Array(repeating: 0, count: rows.count)
      latitudes = Array(repeating: 0, count: rows.count)
    }
    let axes = placement.axes
    readCoordinates(rows, layout.longitude, axes.x, into: &longitudes)
    readCoordinates(rows, layout.latitude, axes.y, into: &latitudes)
    if case .projected(let transform) = placement { place(rows, transform) }
  }

  @inline(__always)
  private func readCoordinates(
    _ rows: CSVRows, _ column: Int, _ axis: CoordinateAxis, into values: inout [Double]
  ) {
    let isLast = column == rows.columns - 1
    let limit = axis.limit
    values.withUnsafeMutableBufferPointer { values in
      for row in 0..<rows.count {
        let field = rows.field(row, column, isLast: isLast)
        if let value = DoubleText.parse(rows.bytes + field.start, field.count),
          value.magnitude <= limit
        {
          values[row] = value
        } else if let value = coordinate(row, rows.bytes + field.start, field, column, axis) {
          values[row] = value
        }
      }
    }
  }

  /// A coordinate that is written in another way, or none.
  private func coordinate(
    _ row: Int, _ text: UnsafePointer<UInt8>, _ field: (start: Int, count: Int), _ column: Int,
    _ axis: CoordinateAxis
  ) -> Double? {
    if isDropped[row] { return nil }
    let bytes = unquoter.trimmed(text, field.count)
    let name = axis.name
    guard let base = bytes.baseAddress, !bytes.isEmpty else {
      drop(
        row, at: field.start, "\(name) is missing",
        "the \(name) (column `\(layout.names[column])`) is missing")
      return nil
    }
    guard let value = Self.number(base, bytes.count) else {
      let shown = String(decoding: bytes.prefix(40), as: UTF8.self)
      drop(
        row, at: field.start, "\(name) is no number",
        "the \(name) `\(shown)` (column `\(layout.names[column])`) is no number")
      return nil
    }
    guard let accepted = axis.accept(value) else {
      let objection = axis.objection(to: value, options: "--crs EPSG:n --x COLUMN --y COLUMN")
      drop(
        row, at: field.start, "\(name) is out of range",
        "the \(name) \(value) (column `\(layout.names[column])`) \(objection)")
      return nil
    }
    return accepted
  }

  /// Brings the coordinates of a projected file to WGS 84.
  private func place(_ rows: CSVRows, _ transform: CoordinateTransform) {
    for row in 0..<rows.count where !isDropped[row] {
      do throws(GeometryError) {
        let place = try transform.toWGS84(x: longitudes[row], y: latitudes[row])
        (longitudes[row], latitudes[row]) = place
      } catch {
        drop(
          row, at: rows.field(row, layout.longitude).start, Placement.refusal,
          Placement.detail(error, options: "`--crs`, `--x` and `--y`"))
      }
    }
  }

  /// A number as people write coordinates: a plus sign and a bare point at the end are fine.
  private static func number(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    let hasPlus = text[0] == UInt8(ascii: "+")
    let digits = hasPlus ? text + 1 : text
    var length = hasPlus ? count - 1 : count
    if hasPlus, length > 0, digits[0] == UInt8(ascii: "-") { return nil }
    if length > 1, digits[length - 1] == UInt8(ascii: "."), Digits.isDigit(digits[length - 2]) {
      length -= 1
    }
    return DoubleText.parseNearest(digits, length)
  }
}
