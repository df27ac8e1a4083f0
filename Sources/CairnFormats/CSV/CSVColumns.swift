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
      if !unquoter.hasNulls, let value = IntegerText.parse(text, field.count) {
        builder.append(int: value)
      } else if unquoter.isNull(text, field.count) {
        builder.appendNull()
      } else if let value = unquoter.value(text, field.count, SpelledNumber.int) {
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
      if !unquoter.hasNulls, let value = DoubleText.parse(text, field.count) {
        builder.append(double: value)
      } else if unquoter.isNull(text, field.count) {
        builder.appendNull()
      } else if let value = unquoter.value(text, field.count, SpelledNumber.exactDouble) {
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
      if unquoter.isNull(rows.bytes + field.start, field.count) {
        builder.appendNull()
        continue
      }
      let bytes = unquoter.unquoted(rows.bytes + field.start, field.count)
      if let text = bytes.baseAddress,
        let pointed = unquoter.pointed(text, bytes.count)?.baseAddress,
        let value = SpelledNumber.exactDouble(pointed, bytes.count)
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
    return value == 0 && text[0] == UInt8(ascii: "-") ? -0.0 : Double(value)
  }

  /// - Parameter parse: what a text without quotes spells.
  static func appendBools(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField,
    _ parse: (UnsafePointer<UInt8>, Int) -> Bool? = BoolText.parse
  ) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      let text = rows.bytes + field.start
      if unquoter.isNull(text, field.count) {
        builder.appendNull()
      } else if let value = unquoter.value(text, field.count, parse) {
        builder.append(bool: value)
      } else {
        return false
      }
    }
    return true
  }

  /// - Parameter parse: the seconds since 2001 that a text without quotes spells.
  static func appendDates(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField,
    _ parse: (UnsafePointer<UInt8>, Int, FieldReading) -> Double? = DateText.parse
  ) -> Bool {
    let reading = unquoter.reading
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      let text = rows.bytes + field.start
      if unquoter.isNull(text, field.count) {
        builder.appendNull()
      } else if let value = unquoter.value(text, field.count, { parse($0, $1, reading) }) {
        builder.append(date: value)
      } else {
        return false
      }
    }
    return true
  }

  /// Moments as numbers since 1970; see `EpochText`.
  static func appendEpochs(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField,
    places: Int
  ) -> Bool {
    appendDates(rows, column, builder, &unquoter) { text, count, _ in
      EpochText.parse(text, count, places: places)
    }
  }

  static func appendNulls(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField
  ) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      guard unquoter.isNull(rows.bytes + field.start, field.count) else { return false }
      builder.appendNull()
    }
    return true
  }

  /// Whether no row has a value in the column.
  static func areBlank(_ rows: CSVRows, _ column: Int, _ unquoter: inout CSVField) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column)
      guard unquoter.isNull(rows.bytes + field.start, field.count) else { return false }
    }
    return true
  }

  static func appendTexts(
    _ rows: CSVRows, _ column: Int, _ builder: ColumnBuilder, _ unquoter: inout CSVField
  ) -> Bool {
    let isLast = column == rows.columns - 1
    for row in 0..<rows.count {
      let field = rows.field(row, column, isLast: isLast)
      let text = rows.bytes + field.start
      if unquoter.isNull(text, field.count) {
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
  /// The value of a field, quoted or not; nil when the parser refuses its text.
  @inline(__always)
  mutating func value<T>(
    _ text: UnsafePointer<UInt8>, _ count: Int, _ parse: (UnsafePointer<UInt8>, Int) -> T?
  ) -> T? {
    parse(text, count) ?? quoted(text, count, parse)
  }

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
