internal import CairnStorage

/// Reads one column of a block of rows. Each returns false when a field is not of the type.
enum CSVColumns {
  static func appendInts(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField
  ) -> Bool {
    let isLast = column == rows.columns - 1
    for row in 0..<rows.count {
      let field = rows.field(row, column, isLast: isLast)
      let text = rows.bytes + field.start
      if let value = IntegerText.parse(text, field.count) {
        builder.append(int: value)
      } else if field.count == 0 {
        builder.appendNull()
      } else if let value = unquoter.quoted(text, field.count, IntegerText.parse) {
        builder.append(int: value)
      } else {
        return false
      }
    }
    return true
  }

  static func appendDoubles(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField
  ) -> Bool {
    let isLast = column == rows.columns - 1
    for row in 0..<rows.count {
      let field = rows.field(row, column, isLast: isLast)
      let text = rows.bytes + field.start
      if let value = DoubleText.parse(text, field.count) {
        builder.append(double: value)
      } else if field.count == 0 {
        builder.appendNull()
      } else if let value = exactNumber(text, field.count)
        ?? unquoter.quoted(text, field.count, exactNumber)
      {
        builder.append(double: value)
      } else {
        return false
      }
    }
    return true
  }

  /// Numbers with a decimal comma.
  static func appendCommaDoubles(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField
  ) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      let bytes = unquoter.unquoted(rows.bytes + field.start, field.count)
      if field.count == 0 {
        builder.appendNull()
      } else if let text = bytes.baseAddress,
        let pointed = unquoter.pointed(text, bytes.count)?.baseAddress,
        let value = exactNumber(pointed, bytes.count)
      {
        builder.append(double: value)
      } else {
        return false
      }
    }
    return true
  }

  /// A double, or an integer that a double holds exactly.
  static func exactNumber(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    if let value = DoubleText.parse(text, count) { return value }
    guard let value = IntegerText.parse(text, count), IntegerText.isExact(value) else { return nil }
    return Double(value)
  }

  static func appendBools(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField
  ) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      let text = rows.bytes + field.start
      if let value = BoolText.parse(text, field.count)
        ?? unquoter.quoted(text, field.count, BoolText.parse)
      {
        builder.append(bool: value)
      } else if field.count == 0 {
        builder.appendNull()
      } else {
        return false
      }
    }
    return true
  }

  static func appendDates(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField
  ) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      let text = rows.bytes + field.start
      if let value = DateText.parse(text, field.count)
        ?? unquoter.quoted(text, field.count, DateText.parse)
      {
        builder.append(date: value)
      } else if field.count == 0 {
        builder.appendNull()
      } else {
        return false
      }
    }
    return true
  }

  static func appendNulls(_ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder) -> Bool {
    for row in 0..<rows.count {
      if rows.field(row, column).count > 0 { return false }
      builder.appendNull()
    }
    return true
  }

  /// Whether no row has a value in the column.
  static func areBlank(_ rows: CSVRows, _ column: Int) -> Bool {
    (0..<rows.count).allSatisfy { rows.field($0, column).count == 0 }
  }

  static func appendTexts(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField
  ) -> Bool {
    let isLast = column == rows.columns - 1
    for row in 0..<rows.count {
      let field = rows.field(row, column, isLast: isLast)
      let text = rows.bytes + field.start
      if field.count == 0 {
        builder.appendNull()
      } else if rows.hasQuotes, text[0] == CSVQuotes.quote {
        builder.append(bytes: UnsafeRawBufferPointer(unquoter.unquote(text, field.count)))
      } else {
        builder.append(bytes: UnsafeRawBufferPointer(start: text, count: field.count))
      }
    }
    return true
  }
}

extension CSVField {
  /// What a quoted field spells; nil when the field is not quoted, or spells nothing of the kind.
  @inline(never)
  mutating func quoted<T>(
    _ text: UnsafePointer<UInt8>, _ count: Int, _ parse: (UnsafePointer<UInt8>, Int) -> T?
  ) -> T? {
    guard count > 2, text[0] == CSVQuotes.quote else { return nil }
    let inner = unquote(text, count)
    return inner.baseAddress.flatMap { parse($0, inner.count) }
  }
}
