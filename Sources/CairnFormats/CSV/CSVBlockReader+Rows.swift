// Which rows are left out.
extension CSVBlockReader {
  /// Notes a row that cannot be stored.
  func drop(_ row: Int, at offset: Int, _ reason: String, _ detail: @autoclosure () -> String) {
    isDropped[row] = true
    refuse(at: offset, reason, detail())
  }

  /// The rows, those of a wrong length left out.
  func shape(_ bytes: UnsafePointer<UInt8>, _ range: Range<Int>) -> CSVRows {
    let columns = layout.names.count
    if isRegular(bytes, columns) {
      isDropped = Array(repeating: false, count: index.newlines)
      return rows(bytes, index.ends, stride: columns, count: index.newlines)
    }
    keepRegular(bytes, range, columns)
    isDropped = Array(repeating: false, count: kept.count / (columns + 1))
    return keptRows(bytes)
  }

  private func rows(
    _ bytes: UnsafePointer<UInt8>, _ ends: UnsafePointer<UInt32>, stride: Int, count: Int
  ) -> CSVRows {
    CSVRows(
      bytes: bytes, ends: ends, stride: stride, count: count, columns: layout.names.count,
      hasReturns: index.hasReturns, hasQuotes: index.hasQuotes)
  }

  private func keptRows(_ bytes: UnsafePointer<UInt8>) -> CSVRows {
    let columns = layout.names.count
    return rows(
      bytes, kept.base + 1, stride: columns + 1, count: kept.count / (columns + 1))
  }

  private func isRegular(_ bytes: UnsafePointer<UInt8>, _ columns: Int) -> Bool {
    guard index.count == index.newlines * columns, index.malformed.isEmpty else { return false }
    var last = columns - 1
    while last < index.count {
      if bytes[Int(index.ends[last])] != CSVQuotes.newline { return false }
      last += columns
    }
    return true
  }

  /// Copies the ends of the rows that have every field; refuses the others, but for blank lines.
  private func keepRegular(
    _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ columns: Int
  ) {
    kept.removeAll()
    var first = 0
    var malformed = index.malformed[...]
    for entry in 0..<index.count where bytes[Int(index.ends[entry])] == CSVQuotes.newline {
      let start = Int(index.ends[first - 1] &+ 1)
      let end = Int(index.ends[entry])
      let fields = entry - first + 1
      if let quote = malformed.first, quote < end {
        malformed = malformed.drop { $0 < end }
        refuse(
          at: quote, "text behind a closing quote",
          "text stands behind the closing quote of a field: a quote within a field must be doubled")
      } else if fields == columns {
        kept.append(index.ends + first - 1, columns + 1)
      } else if !isBlank(bytes, start, end, fields) {
        refuse(
          at: start, "wrong number of fields",
          "\(fields) field\(fields == 1 ? "" : "s"), but the header has \(columns)")
      }
      first = entry + 1
    }
  }

  private func isBlank(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ fields: Int)
    -> Bool
  {
    fields == 1 && (end == start || end == start + 1 && bytes[start] == CSVQuotes.carriageReturn)
  }

  /// The rows that were not dropped, and their coordinates.
  func withoutDropped(_ rows: CSVRows) -> CSVRows {
    guard isDropped.contains(true) else { return rows }
    let copy = OffsetBuffer()
    var place = 0
    for row in 0..<rows.count where !isDropped[row] {
      copy.append(rows.ends + row * rows.stride - 1, rows.columns + 1)
      longitudes[place] = longitudes[row]
      latitudes[place] = latitudes[row]
      place += 1
    }
    kept.removeAll()
    kept.append(copy.base, copy.count)
    return keptRows(rows.bytes)
  }

  /// Drops rows that are no UTF-8.
  func checkText(_ rows: CSVRows, _ range: Range<Int>) {
    guard UTF8Check.firstError(rows.bytes, range) != nil else { return }
    for row in 0..<rows.count {
      for column in 0..<rows.columns {
        let field = rows.field(row, column)
        let span = field.start..<field.start + field.count
        guard let error = UTF8Check.firstError(rows.bytes, span) else { continue }
        drop(
          row, at: error, "text is no UTF-8",
          "column `\(layout.names[column])` holds the byte \(Self.hex(rows.bytes[error])), which is "
            + "no UTF-8: convert the file to UTF-8 first")
        break
      }
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    "0x" + String(byte, radix: 16, uppercase: true)
  }

  /// Drops rows with a value in a column that has no name.
  func checkUnnamed(_ rows: CSVRows) {
    guard let column = layout.unnamed else { return }
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      guard field.count > 0, !isDropped[row] else { continue }
      drop(
        row, at: field.start, "value without a column name",
        "column \(column + 1) has no name in the header, and a value here")
    }
  }

  /// Drops rows without a value where there must be one.
  func checkRequired(_ rows: CSVRows) {
    for column in required {
      for row in 0..<rows.count {
        let field = rows.field(row, column)
        guard field.count == 0, !isDropped[row] else { continue }
        let name = layout.names[column]
        drop(
          row, at: field.start, "`\(name)` is missing", "`\(name)` is missing: every row needs one")
      }
    }
  }
}
