internal import CairnStorage

/// Reads one column of a slice of rows. Each function returns false when a field is not of the
/// type.
enum CSVColumns {
  static func appendInts(
    _ rows: CSVRows, column: Int, builder: ColumnBuilder, unquoter: inout CSVField
  ) -> Bool {
    let isLast = column == rows.columns - 1
    for row in 0..<rows.count {
      let field = rows.field(row, column: column, isLast: isLast)
      let text = rows.bytes + field.start
      if !unquoter.hasNulls, let value = IntegerText.parse(text, count: field.count) {
        builder.append(int: value)
      } else if unquoter.isNull(text, count: field.count) {
        builder.appendNull()
      } else if let value = unquoter.value(text, count: field.count, parse: NumberSpelling.int) {
        builder.append(int: value)
      } else {
        return false
      }
    }
    return true
  }

  static func appendDoubles(
    _ rows: CSVRows, column: Int, builder: ColumnBuilder, unquoter: inout CSVField
  ) -> Bool {
    let isLast = column == rows.columns - 1
    for row in 0..<rows.count {
      let field = rows.field(row, column: column, isLast: isLast)
      let text = rows.bytes + field.start
      if !unquoter.hasNulls, let value = DoubleText.parse(text, count: field.count) {
        builder.append(double: value)
      } else if unquoter.isNull(text, count: field.count) {
        builder.appendNull()
      } else if let value = unquoter.value(
        text, count: field.count, parse: NumberSpelling.exactDouble)
      {
        builder.append(double: value)
      } else {
        return false
      }
    }
    return true
  }

  /// Appends numbers in the notation of the file, if it is not that of programs.
  static func appendNumbers<Number>(
    _ rows: CSVRows, column: Int, unquoter: inout CSVField, builder: ColumnBuilder,
    parse: (UnsafePointer<UInt8>, Int) -> Number?, append: (Number) -> Void
  ) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column: column)
      if unquoter.isNull(rows.bytes + field.start, count: field.count) {
        builder.appendNull()
        continue
      }
      let bytes = unquoter.unquoted(rows.bytes + field.start, count: field.count)
      guard let text = bytes.baseAddress,
        let number = unquoter.plainNumber(text, count: bytes.count),
        let value = number.baseAddress.flatMap({ parse($0, number.count) })
      else { return false }
      append(value)
    }
    return true
  }

  /// Appends bools.
  ///
  /// - Parameter parse: Parses the text of a field without quotes.
  static func appendBools(
    _ rows: CSVRows, column: Int, builder: ColumnBuilder, unquoter: inout CSVField,
    parse: (UnsafePointer<UInt8>, Int) -> Bool? = BoolText.parse
  ) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column: column)
      let text = rows.bytes + field.start
      if unquoter.isNull(text, count: field.count) {
        builder.appendNull()
      } else if let value = unquoter.value(text, count: field.count, parse: parse) {
        builder.append(bool: value)
      } else {
        return false
      }
    }
    return true
  }

  /// Appends dates.
  ///
  /// - Parameter parse: Returns the seconds since 2001 for the text of a field without quotes.
  static func appendDates(
    _ rows: CSVRows, column: Int, builder: ColumnBuilder, unquoter: inout CSVField,
    parse: (UnsafePointer<UInt8>, Int, FieldReading) -> Double? = DateText.parse
  ) -> Bool {
    let reading = unquoter.reading
    for row in 0..<rows.count {
      let field = rows.field(row, column: column)
      let text = rows.bytes + field.start
      if unquoter.isNull(text, count: field.count) {
        builder.appendNull()
      } else if let value = unquoter.value(
        text, count: field.count, parse: { parse($0, $1, reading) })
      {
        builder.append(date: value)
      } else {
        return false
      }
    }
    return true
  }

  /// Appends instants given as numbers since 1970; see `EpochText`.
  static func appendEpochs(
    _ rows: CSVRows, column: Int, builder: ColumnBuilder, unquoter: inout CSVField,
    decimals: Int
  ) -> Bool {
    appendDates(rows, column: column, builder: builder, unquoter: &unquoter) { text, count, _ in
      EpochText.parse(text, count: count, decimals: decimals)
    }
  }

  /// Appends values of a type that ``ParsedText`` reads.
  static func appendParsed(
    _ rows: CSVRows, column: Int, builder: ColumnBuilder, unquoter: inout CSVField,
    type: FieldType
  ) -> Bool {
    let isNumber = type == .float || type == .decimal
    for row in 0..<rows.count {
      let field = rows.field(row, column: column)
      guard !unquoter.isNull(rows.bytes + field.start, count: field.count) else {
        builder.appendNull()
        continue
      }
      var text = unquoter.unquoted(rows.bytes + field.start, count: field.count)
      if isNumber, !unquoter.numbers.isPlain, let base = text.baseAddress {
        guard let number = unquoter.plainNumber(base, count: text.count) else { return false }
        text = number
      }
      guard ParsedText.append(text, as: type, to: builder) else { return false }
    }
    return true
  }

  static func appendNulls(
    _ rows: CSVRows, column: Int, builder: ColumnBuilder, unquoter: inout CSVField
  ) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column: column)
      guard unquoter.isNull(rows.bytes + field.start, count: field.count) else { return false }
      builder.appendNull()
    }
    return true
  }

  /// Whether no row has a value in the column.
  static func areBlank(_ rows: CSVRows, column: Int, unquoter: inout CSVField) -> Bool {
    for row in 0..<rows.count {
      let field = rows.field(row, column: column)
      guard unquoter.isNull(rows.bytes + field.start, count: field.count) else { return false }
    }
    return true
  }

  static func appendTexts(
    _ rows: CSVRows, column: Int, builder: ColumnBuilder, unquoter: inout CSVField
  ) -> Bool {
    let isLast = column == rows.columns - 1
    for row in 0..<rows.count {
      let field = rows.field(row, column: column, isLast: isLast)
      let text = rows.bytes + field.start
      if unquoter.isNull(text, count: field.count) {
        builder.appendNull()
      } else if rows.hasQuotes, text[0] == CSVQuotes.quote {
        builder.append(bytes: UnsafeRawBufferPointer(unquoter.unquote(text, count: field.count)))
      } else {
        builder.append(bytes: UnsafeRawBufferPointer(start: text, count: field.count))
      }
    }
    return true
  }
}

extension CSVField {
  /// Returns the value of a field, quoted or not, or nil when the parser rejects its text.
  @inline(__always)
  mutating func value<T>(
    _ text: UnsafePointer<UInt8>, count: Int, parse: (UnsafePointer<UInt8>, Int) -> T?
  ) -> T? {
    parse(text, count) ?? quoted(text, count: count, parse: parse)
  }

  /// Returns the value of a quoted field, or nil when the field is not quoted or the parser rejects
  /// its text.
  @inline(never)
  mutating func quoted<T>(
    _ text: UnsafePointer<UInt8>, count: Int, parse: (UnsafePointer<UInt8>, Int) -> T?
  ) -> T? {
    guard count > 2, text[0] == CSVQuotes.quote else { return nil }
    let inner = unquote(text, count: count)
    return inner.baseAddress.flatMap { parse($0, inner.count) }
  }
}

/// Unquotes the text of CSV fields.
struct CSVField {
  /// Holds a field after its doubled quotes were made single; padded as input blocks are.
  private var scratch: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The texts that mean null, and the format of dates.
  let reading: FieldReading
  /// The notation of numbers.
  let numbers: NumberNotation
  /// Whether some texts mean null.
  let hasNulls: Bool

  init(
    _ reading: FieldReading = FieldReading(), numbers: NumberNotation = NumberNotation()
  ) {
    self.reading = reading
    self.numbers = numbers
    hasNulls = !reading.nulls.isEmpty
    capacity = 256
    scratch = .allocate(capacity: capacity + InputBlock.padding)
    scratch.initialize(repeating: 0, count: capacity + InputBlock.padding)
  }

  func deallocate() { scratch.deallocate() }

  /// Returns the text of a well-formed field that begins with a quote; valid until the next call.
  mutating func unquote(_ text: UnsafePointer<UInt8>, count: Int) -> UnsafeBufferPointer<UInt8> {
    assert(count >= 2 && text[0] == CSVQuotes.quote, "the field is not in quotes")
    let inner = UnsafeBufferPointer(start: text + 1, count: count - 2)
    guard ByteSearch.find(CSVQuotes.quote, bytes: text + 1, range: 0..<inner.count) != nil else {
      return inner
    }
    reserve(inner.count)
    var length = 0
    var index = 0
    while index < inner.count {
      assert(length < capacity, "the text is larger than its memory")
      scratch[length] = inner[index]
      length += 1
      index += inner[index] == CSVQuotes.quote ? 2 : 1
    }
    return UnsafeBufferPointer(start: scratch, count: length)
  }

  /// Returns the text of a field, quoted or not; valid until the next call.
  mutating func unquoted(_ text: UnsafePointer<UInt8>, count: Int) -> UnsafeBufferPointer<UInt8> {
    let isQuoted = count >= 2 && text[0] == CSVQuotes.quote
    return isQuoted ? unquote(text, count: count) : UnsafeBufferPointer(start: text, count: count)
  }

  /// Whether a field means null: it is empty, or one of the texts that mean null, quoted or not.
  @inline(__always)
  mutating func isNull(_ text: UnsafePointer<UInt8>, count: Int) -> Bool {
    count == 0 || hasNulls && isNullWord(text, count: count)
  }

  @inline(never)
  private mutating func isNullWord(_ text: UnsafePointer<UInt8>, count: Int) -> Bool {
    if reading.nulls.contains(text, count: count) { return true }
    guard count >= 2, text[0] == CSVQuotes.quote else { return false }
    let inner = unquote(text, count: count)
    return reading.nulls.contains(inner.baseAddress ?? text, count: inner.count)
  }

  /// Returns the text of a field without quotes and surrounding spaces; valid until the next call.
  mutating func trimmed(_ text: UnsafePointer<UInt8>, count: Int) -> UnsafeBufferPointer<UInt8> {
    let bytes = unquoted(text, count: count)
    var range = 0..<bytes.count
    while !range.isEmpty, bytes[range.lowerBound] == 0x20 { range.removeFirst() }
    while !range.isEmpty, bytes[range.upperBound - 1] == 0x20 { range.removeLast() }
    return UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// Returns a number as programs write it; nil for a text that is not in the notation of the file.
  /// Valid until the next call.
  mutating func plainNumber(
    _ text: UnsafePointer<UInt8>, count: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    assert(
      text != UnsafePointer(scratch) || count <= capacity, "the text would be lost with its memory")
    reserve(count)
    // A number never becomes longer, so it may be written over itself.
    let text = UnsafeBufferPointer(start: text, count: count)
    return numbers.rewrite(text, to: scratch).map {
      UnsafeBufferPointer(start: scratch, count: $0)
    }
  }

  private mutating func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    assert(needed >= 0, "the number of bytes is negative")
    scratch.deallocate()
    capacity = needed * 2
    scratch = .allocate(capacity: capacity + InputBlock.padding)
    scratch.initialize(repeating: 0, count: capacity + InputBlock.padding)
  }
}
