// Which rows are left out.
extension CSVBlockReader {
  /// Notes a row that cannot be stored.
  func drop(_ row: Int, at offset: Int, _ reason: String, _ detail: @autoclosure () -> String) {
    isDropped[row] = true
    refuse(at: offset, reason, detail())
  }

  /// Where a field stands, for a message; the fields that a short row lacks stand where the row does.
  func place(_ rows: CSVRows, _ row: Int, _ column: Int) -> Int {
    rows.start(row, layout.fillsRows ? 0 : column)
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
    // A blank line looks like the only field of a row.
    guard index.count == index.newlines * columns, columns > 1, index.malformed.isEmpty,
      !index.hasComments
    else { return false }
    let newline = layout.dialect.newline
    var last = columns - 1
    while last < index.count {
      if bytes[Int(index.ends[last])] != newline { return false }
      last += columns
    }
    return true
  }

  /// Copies the ends of the rows that have every field; refuses the others, but for blank lines and comments.
  private func keepRegular(
    _ bytes: UnsafePointer<UInt8>, _ range: Range<Int>, _ columns: Int
  ) {
    kept.removeAll()
    var first = 0
    var malformed = index.malformed[...]
    let newline = layout.dialect.newline
    for entry in 0..<index.count where bytes[Int(index.ends[entry])] == newline {
      let start = Int(index.ends[first - 1] &+ 1)
      let end = Int(index.ends[entry])
      let fields = entry - first + 1
      if let quote = malformed.first, quote < end {
        malformed = malformed.drop { $0 < end }
        refuse(
          at: quote, "text behind a closing quote",
          "text stands behind the closing quote of a field: a quote within a field must be doubled")
      } else if bytes[start] == layout.dialect.comment {
        // Said to be no row.
      } else if bytes[start] == layout.dialect.doubtfulComment {
        refuse(
          at: start, "perhaps a comment",
          "this line begins with `#`, as comments before the header do: `--comment '#'` passes over it, "
            + "`--comment none` reads it as a row")
      } else if fields == columns, !isBlank(bytes, start, end, fields) {
        kept.append(index.ends + first - 1, columns + 1)
      } else if !isBlank(bytes, start, end, fields), !fill(bytes, first, fields, columns) {
        refuse(at: start, "wrong number of fields", wrongLength(bytes[start], fields, columns))
      }
      first = entry + 1
    }
  }

  private func wrongLength(_ byte: UInt8, _ fields: Int, _ columns: Int) -> String {
    let isComment = byte == UInt8(ascii: "#") && layout.dialect.comment == nil
    let advice =
      isComment
      ? ": if such lines are comments, say `--comment '#'`"
      : fields < columns && !layout.fillsRows
        ? ": `--ragged fill` reads what is not there as null" : ""
    return "\(fields) field\(fields == 1 ? "" : "s"), but the header has \(columns)\(advice)"
  }

  /// Keeps a row that is too short, or whose fields too many are empty, where that is wanted.
  private func fill(
    _ bytes: UnsafePointer<UInt8>, _ first: Int, _ fields: Int, _ columns: Int
  ) -> Bool {
    guard layout.fillsRows else { return false }
    var end = index.ends[first + fields - 1]
    if index.hasReturns, bytes[Int(end) - 1] == CSVQuotes.carriageReturn,
      end - 1 > index.ends[first + fields - 2]
    {
      end -= 1
    }
    if fields > columns {
      let extra = first + columns..<first + fields - 1
      let isEmpty = extra.allSatisfy { index.ends[$0] == index.ends[$0 - 1] + 1 }
      guard isEmpty, end == index.ends[first + fields - 2] + 1 else { return false }
      kept.append(index.ends + first - 1, columns + 1)
      return true
    }
    kept.append(index.ends + first - 1, fields)
    // A missing field is empty and begins behind the one before.
    for missing in 0...UInt32(columns - fields) { kept.append(end + missing) }
    return true
  }

  private func isBlank(_ bytes: UnsafePointer<UInt8>, _ start: Int, _ end: Int, _ fields: Int)
    -> Bool
  {
    fields == 1 && (end == start || end == start + 1 && bytes[start] == CSVQuotes.carriageReturn)
  }

  /// The rows that were not dropped, each as often as it has places.
  func settled(_ rows: CSVRows) -> CSVRows {
    guard !severalPlaces.isEmpty || isDropped.contains(true) else { return rows }
    let copy = OffsetBuffer()
    var places: [Location] = []
    for row in 0..<rows.count where !isDropped[row] {
      let altitude = row < altitudes.count && !altitudes[row].isNaN ? altitudes[row] : nil
      let own = Location(
        longitude: longitudes[row], latitude: latitudes[row], altitude: altitude)
      for place in severalPlaces[row] ?? [own] {
        copy.append(rows.ends + row * rows.stride - 1, rows.columns + 1)
        places.append(place)
      }
    }
    severalPlaces.removeAll()
    longitudes = places.map(\.longitude)
    latitudes = places.map(\.latitude)
    if !altitudes.isEmpty { altitudes = places.map { $0.altitude ?? .nan } }
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
            + "no UTF-8: \(Self.encodingAdvice)")
        break
      }
    }
  }

  static let encodingAdvice =
    "name the file's encoding, as in `--encoding windows-1252` or `--encoding latin1`"

  private static func hex(_ byte: UInt8) -> String {
    "0x" + String(byte, radix: 16, uppercase: true)
  }

  /// Drops rows without a value where there must be one.
  func checkRequired(_ rows: CSVRows) {
    for column in demands.required {
      for row in 0..<rows.count {
        let field = rows.field(row, column)
        guard !isDropped[row], unquoter.isNull(rows.bytes + field.start, field.count) else {
          continue
        }
        let name = layout.names[column]
        drop(
          row, at: place(rows, row, column), "`\(name)` is missing",
          "`\(name)` is missing: every row needs one")
      }
    }
  }

  /// Drops rows with a value that is not of the type that the user has set.
  func checkTypes(_ rows: CSVRows) {
    for (column, type) in demands.types {
      for row in 0..<rows.count where !isDropped[row] {
        let field = rows.field(row, column)
        guard !unquoter.isNull(rows.bytes + field.start, field.count) else { continue }
        let bytes = unquoter.unquoted(rows.bytes + field.start, field.count)
        guard !fits(bytes, type) else { continue }
        let name = layout.names[column]
        let shown = String(decoding: bytes.prefix(40), as: UTF8.self)
        drop(
          row, at: place(rows, row, column), "`\(name)` is no \(type.valueType)",
          "`\(name)` is `\(shown)`, which is no \(type.valueType)\(NullWords.advice(shown))")
      }
    }
  }

  private func fits(_ bytes: UnsafeBufferPointer<UInt8>, _ type: FieldType) -> Bool {
    guard let text = bytes.baseAddress else { return false }
    switch type {
    case .int: return SpelledNumber.int(text, bytes.count) != nil
    case .double:
      let pointed = layout.hasDecimalCommas ? unquoter.pointed(text, bytes.count) : bytes
      return pointed?.baseAddress.flatMap { SpelledNumber.exactDouble($0, bytes.count) } != nil
    case .bool: return BoolText.parse(text, bytes.count) != nil
    case .boolWord: return BoolText.parseWord(text, bytes.count) != nil
    case .date: return DateText.read(text, bytes.count, layout.reading) != nil
    case .epochSeconds: return EpochText.parse(text, bytes.count, places: 0) != nil
    case .epochMilliseconds: return EpochText.parse(text, bytes.count, places: 3) != nil
    case .text, .unknown: return true
    }
  }
}
