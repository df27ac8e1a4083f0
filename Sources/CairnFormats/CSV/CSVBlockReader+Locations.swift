// Where the rows are.
extension CSVBlockReader {
  func readLocations(_ rows: CSVRows) {
    if longitudes.count < rows.count {
      longitudes = Array(repeating: 0, count: rows.count)
      latitudes = Array(repeating: 0, count: rows.count)
    }
    readCoordinates(rows, layout.longitude, 180, into: &longitudes, "longitude")
    readCoordinates(rows, layout.latitude, 90, into: &latitudes, "latitude")
  }

  @inline(__always)
  private func readCoordinates(
    _ rows: CSVRows, _ column: Int, _ limit: Double, into values: inout [Double], _ name: String
  ) {
    let isLast = column == rows.columns - 1
    values.withUnsafeMutableBufferPointer { values in
      for row in 0..<rows.count {
        let field = rows.field(row, column, isLast: isLast)
        if let value = DoubleText.parse(rows.bytes + field.start, field.count),
          value.magnitude <= limit
        {
          values[row] = value
        } else if let value = coordinate(row, rows.bytes + field.start, field, limit, column, name)
        {
          values[row] = value
        }
      }
    }
  }

  /// A coordinate that is written in another way, or none.
  private func coordinate(
    _ row: Int, _ text: UnsafePointer<UInt8>, _ field: (start: Int, count: Int), _ limit: Double,
    _ column: Int, _ name: String
  ) -> Double? {
    if isDropped[row] { return nil }
    let bytes = unquoter.trimmed(text, field.count)
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
        "the \(name) `\(shown)` (column `\(layout.names[column])`) is no number of degrees")
      return nil
    }
    guard value.magnitude <= limit else {
      drop(
        row, at: field.start, "\(name) is out of range",
        "the \(name) \(value) (column `\(layout.names[column])`) is beyond ±\(Int(limit)) degrees")
      return nil
    }
    return value
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
