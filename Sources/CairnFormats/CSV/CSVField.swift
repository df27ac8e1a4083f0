/// The text of CSV fields, quotes taken off.
struct CSVField {
  /// Holds a field whose doubled quotes were made single; padded as sections are.
  private var scratch: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// The texts that mean null, and the form of dates.
  let reading: FieldReading
  /// Some texts mean null.
  let hasNulls: Bool

  init(_ reading: FieldReading = FieldReading()) {
    self.reading = reading
    hasNulls = !reading.nulls.isEmpty
    capacity = 256
    scratch = .allocate(capacity: capacity + InputSection.padding)
    scratch.initialize(repeating: 0, count: capacity + InputSection.padding)
  }

  func deallocate() { scratch.deallocate() }

  /// The text of a field that begins with a quote and is well formed; valid until the next call.
  mutating func unquote(_ text: UnsafePointer<UInt8>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    let inner = UnsafeBufferPointer(start: text + 1, count: count - 2)
    guard CSVQuotes.find(CSVQuotes.quote, text + 1, 0..<inner.count) != nil else { return inner }
    reserve(inner.count)
    var length = 0
    var index = 0
    while index < inner.count {
      scratch[length] = inner[index]
      length += 1
      index += inner[index] == CSVQuotes.quote ? 2 : 1
    }
    return UnsafeBufferPointer(start: scratch, count: length)
  }

  /// The text of a field, quoted or not.
  mutating func unquoted(_ text: UnsafePointer<UInt8>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    let isQuoted = count >= 2 && text[0] == CSVQuotes.quote
    return isQuoted ? unquote(text, count) : UnsafeBufferPointer(start: text, count: count)
  }

  /// Whether a field means null: nothing, or one of the texts that do, quoted or not.
  @inline(__always)
  mutating func isNull(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    count == 0 || hasNulls && isNullWord(text, count)
  }

  @inline(never)
  private mutating func isNullWord(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    if reading.nulls.contains(text, count) { return true }
    guard count >= 2, text[0] == CSVQuotes.quote else { return false }
    let inner = unquote(text, count)
    return reading.nulls.contains(inner.baseAddress ?? text, inner.count)
  }

  /// The text of a field without quotes and without spaces at its ends.
  mutating func trimmed(_ text: UnsafePointer<UInt8>, _ count: Int) -> UnsafeBufferPointer<UInt8> {
    let bytes = unquoted(text, count)
    var range = 0..<bytes.count
    while !range.isEmpty, bytes[range.lowerBound] == 0x20 { range.removeFirst() }
    while !range.isEmpty, bytes[range.upperBound - 1] == 0x20 { range.removeLast() }
    return UnsafeBufferPointer(rebasing: bytes[range])
  }

  /// A text with a decimal comma, with a point in its place; nil where it has a point already. Valid until the next call.
  mutating func pointed(
    _ text: UnsafePointer<UInt8>, _ count: Int
  ) -> UnsafeBufferPointer<UInt8>? {
    reserve(count)
    for index in 0..<count {
      if text[index] == UInt8(ascii: ".") { return nil }
      scratch[index] = text[index] == UInt8(ascii: ",") ? UInt8(ascii: ".") : text[index]
    }
    return UnsafeBufferPointer(start: scratch, count: count)
  }

  private mutating func reserve(_ needed: Int) {
    guard needed > capacity else { return }
    scratch.deallocate()
    capacity = needed * 2
    scratch = .allocate(capacity: capacity + InputSection.padding)
    scratch.initialize(repeating: 0, count: capacity + InputSection.padding)
  }
}
