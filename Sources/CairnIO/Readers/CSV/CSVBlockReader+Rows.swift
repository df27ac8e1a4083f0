// Rows that are left out.

extension CSVBlockReader {
  /// Drops a row that cannot be stored.
  func drop(
    _ row: Int, at offset: Int, reason: RejectReason, detail: @autoclosure () -> ImportMessage
  ) {
    isDropped[row] = true
    reject(at: offset, reason, detail: detail())
  }

  /// Returns the offset of a field, for a message. A field that a short row lacks gets the offset
  /// of the row.
  func offset(_ rows: CSVRows, row: Int, column: Int) -> Int {
    rows.start(row, column: layout.fillsRows ? 0 : column)
  }

  /// Returns the rows without those of a wrong length.
  func completeRows(_ bytes: UnsafePointer<UInt8>, range: Range<Int>) -> CSVRows {
    let columns = layout.names.count
    if isRegular(bytes, columns: columns) {
      isDropped = Array(repeating: false, count: index.newlines)
      return rows(bytes, ends: index.ends, stride: columns, count: index.newlines)
    }
    keepRegular(bytes, range: range, columns: columns)
    isDropped = Array(repeating: false, count: kept.count / (columns + 1))
    return keptRows(bytes)
  }

  private func rows(
    _ bytes: UnsafePointer<UInt8>, ends: UnsafePointer<UInt32>, stride: Int, count: Int
  ) -> CSVRows {
    CSVRows(
      bytes: bytes, ends: ends, stride: stride, count: count, columns: layout.names.count,
      hasReturns: index.hasReturns, hasQuotes: index.hasQuotes)
  }

  private func keptRows(_ bytes: UnsafePointer<UInt8>) -> CSVRows {
    let columns = layout.names.count
    return rows(
      bytes, ends: kept.base + 1, stride: columns + 1, count: kept.count / (columns + 1))
  }

  private func isRegular(_ bytes: UnsafePointer<UInt8>, columns: Int) -> Bool {
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

  /// Copies the field ends of complete rows. Rejects the other rows, except blank lines and
  /// comments.
  private func keepRegular(
    _ bytes: UnsafePointer<UInt8>, range: Range<Int>, columns: Int
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
        reject(
          at: quote, "text after a closing quote",
          detail: "there is text after the closing quote of a field; "
            + "a quote within a field must be doubled")
      } else if bytes[start] == layout.dialect.comment {
        // The user said that this is not a row.
      } else if bytes[start] == layout.dialect.doubtfulComment {
        reject(
          at: start, "perhaps a comment",
          detail:
            "this line begins with `#`, as comments before the header do; \(option: .comment, "#") skips it, "
            + "\(option: .hasNoComments) reads it as a row")
      } else if fields == columns, !isBlank(bytes, start: start, end: end, fields: fields) {
        kept.append(index.ends + first - 1, more: columns + 1)
      } else if !isBlank(bytes, start: start, end: end, fields: fields),
        !fill(bytes, first: first, fields: fields, columns: columns)
      {
        reject(
          at: start, "wrong number of fields",
          detail: wrongLength(bytes[start], fields: fields, columns: columns))
      }
      first = entry + 1
    }
  }

  private func wrongLength(_ byte: UInt8, fields: Int, columns: Int) -> ImportMessage {
    let isComment = byte == UInt8(ascii: "#") && layout.dialect.comment == nil
    let advice: ImportMessage =
      isComment
      ? "; if such lines are comments, use \(option: .comment, "#")"
      : fields < columns && !layout.fillsRows
        ? "; \(option: .fillsRows) reads missing fields as null" : ""
    return "\(fields) field\(fields == 1 ? "" : "s"), but the header has \(columns)\(advice)"
  }

  /// Keeps a row that is too short, or whose surplus fields are empty, if the options allow it.
  private func fill(
    _ bytes: UnsafePointer<UInt8>, first: Int, fields: Int, columns: Int
  ) -> Bool {
    assert(
      first >= 0 && fields >= 1 && first + fields <= index.count, "the row is outside of the index")
    guard layout.fillsRows else { return false }
    var end = index.ends[first + fields - 1]
    // The field may be the first of the block, before which the end wraps around.
    if index.hasReturns, end > index.ends[first + fields - 2] &+ 1,
      bytes[Int(end) - 1] == CSVQuotes.carriageReturn
    {
      end -= 1
    }
    if fields > columns {
      let extra = first + columns..<first + fields - 1
      let isEmpty = extra.allSatisfy { index.ends[$0] == index.ends[$0 - 1] + 1 }
      guard isEmpty, end == index.ends[first + fields - 2] + 1 else { return false }
      kept.append(index.ends + first - 1, more: columns + 1)
      return true
    }
    kept.append(index.ends + first - 1, more: fields)
    // A missing field is empty and begins after the previous one.
    for missing in 0...UInt32(columns - fields) { kept.append(end + missing) }
    return true
  }

  private func isBlank(_ bytes: UnsafePointer<UInt8>, start: Int, end: Int, fields: Int)
    -> Bool
  {
    assert(start >= 0 && start <= end, "the ends of the fields do not rise")
    return fields == 1
      && (end == start || end == start + 1 && bytes[start] == CSVQuotes.carriageReturn)
  }

  /// Returns the rows that were not dropped, each once for every location that it has.
  func keptRows(_ rows: CSVRows) -> CSVRows {
    let several = spatial.first { !$0.pointsByRow.isEmpty }
    guard several != nil || isDropped.contains(true) else { return rows }
    let copy = OffsetBuffer()
    var entries: [(row: Int, point: Int)] = []
    for row in 0..<rows.count where !isDropped[row] {
      for point in 0..<(several?.pointsByRow[row]?.count ?? 1) {
        copy.append(rows.ends + row * rows.stride - 1, more: rows.columns + 1)
        entries.append((row, point))
      }
    }
    for column in spatial { column.keep(entries) }
    kept.removeAll()
    kept.append(copy.base, more: copy.count)
    return keptRows(rows.bytes)
  }

  /// Drops rows that are not UTF-8.
  func checkText(_ rows: CSVRows, range: Range<Int>) {
    guard UTF8Check.firstError(rows.bytes, range: range) != nil else { return }
    for row in 0..<rows.count {
      for column in 0..<rows.columns {
        let field = rows.field(row, column: column)
        let span = field.start..<field.start + field.count
        guard let error = UTF8Check.firstError(rows.bytes, range: span) else { continue }
        drop(
          row, at: error, reason: "text is not UTF-8",
          detail:
            "column `\(layout.names[column])` contains the byte \(Self.hex(rows.bytes[error])), "
            + "which is not UTF-8; \(TextEncoding.advice)")
        break
      }
    }
  }

  private static func hex(_ byte: UInt8) -> String {
    "0x" + String(byte, radix: 16, uppercase: true)
  }

  /// Drops rows that lack a required value.
  func checkRequired(_ rows: CSVRows) {
    for column in requirements.required {
      for row in 0..<rows.count {
        let field = rows.field(row, column: column)
        guard !isDropped[row], unquoter.isNull(rows.bytes + field.start, count: field.count) else {
          continue
        }
        let name = layout.names[column]
        drop(
          row, at: offset(rows, row: row, column: column), reason: .missing(property: name),
          detail: "`\(name)` is missing; every row must have a value")
      }
    }
  }

  /// Drops rows with a value that is not of the type that the user has set.
  func checkTypes(_ rows: CSVRows) {
    for (column, type) in requirements.types {
      for row in 0..<rows.count where !isDropped[row] {
        let field = rows.field(row, column: column)
        guard !unquoter.isNull(rows.bytes + field.start, count: field.count) else { continue }
        let bytes = unquoter.unquoted(rows.bytes + field.start, count: field.count)
        guard !fits(bytes, type: type) else { continue }
        let name = layout.names[column]
        let shown = String(decoding: bytes.prefix(40), as: UTF8.self)
        drop(
          row, at: offset(rows, row: row, column: column),
          reason: .valueType(property: name, type.valueType),
          detail: "`\(name)` is `\(shown)`, which is not a valid \(type.valueType)"
            + NullWords.advice(shown))
      }
    }
  }

  private func fits(_ bytes: UnsafeBufferPointer<UInt8>, type: FieldType) -> Bool {
    guard let text = bytes.baseAddress else { return false }
    switch type {
    case .int, .double, .float, .decimal:
      let number =
        layout.numbers.isPlain ? bytes : unquoter.plainNumber(text, count: bytes.count)
      guard let number, let text = number.baseAddress else { return false }
      return switch type {
      case .int: NumberSpelling.int(text, count: number.count) != nil
      case .double: NumberSpelling.exactDouble(text, count: number.count) != nil
      default: ParsedText.isValid(number, as: type)
      }
    case .bool: return BoolText.parse(text, count: bytes.count) != nil
    case .boolWord: return BoolText.parseWord(text, count: bytes.count) != nil
    case .date: return DateText.read(text, count: bytes.count, reading: layout.reading) != nil
    case .epochSeconds: return EpochText.parse(text, count: bytes.count, decimals: 0) != nil
    case .epochMilliseconds: return EpochText.parse(text, count: bytes.count, decimals: 3) != nil
    case .text, .unknown: return true
    case .data, .objectId, .uuid: return ParsedText.isValid(bytes, as: type)
    }
  }
}
