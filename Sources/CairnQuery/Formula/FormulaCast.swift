import CairnGeometry
import CairnValues

/// Conversions of values to other types.
enum FormulaCast {
  /// Whether some values of a type can become values of another one.
  static func isPossible(_ from: ValueType, to type: ValueType) -> Bool {
    if from == type { return true }
    switch (from, type) {
    case (.string, .int), (.string, .double), (.string, .bool), (.string, .date),
      (.string, .decimal128), (.int, .double), (.int, .decimal128), (.int, .bool),
      (.double, .int), (.double, .decimal128), (.bool, .int), (.decimal128, .double),
      (.decimal128, .int):
      return true
    case (.int, .string), (.double, .string), (.bool, .string), (.date, .string),
      (.decimal128, .string), (.uuid, .string), (.objectId, .string):
      return true
    default: return false
    }
  }

  /// The integer that a text is.
  static func int(_ text: Substring) -> Int64? { Int64(text) }

  /// The number that a text is, in decimal digits.
  static func double(_ text: Substring) -> Double? {
    var copy = String(text)
    return copy.withUTF8 { bytes in
      var index = 0
      let value = CoordinateText.parse(bytes, at: &index)
      return index == bytes.count && value?.isFinite == true ? value : nil
    }
  }

  /// The flag that a text is.
  static func bool(_ text: Substring) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "t", "y", "1": true
    case "false", "no", "f", "n", "0": false
    default: nil
    }
  }

  /// The integer nearest to a number; a half is rounded away from zero.
  static func int(_ number: Double) -> Int64? { Int64(exactly: number.rounded()) }
}

extension FormulaVector {
  /// Sets the rows to the values of another vector in another type. A value that cannot be converted
  /// becomes null.
  ///
  /// - Returns: The first row whose value cannot be converted.
  func cast(_ source: FormulaVector, to type: ValueType) -> Int? {
    var failed: Int?
    self.type = type
    if type == .string {
      makeBytes { row, bytes in
        guard !source.isNull(row) else { return false }
        if source.type == .string {
          bytes += source.texts[row]
        } else {
          bytes += source.value(row).plainText.utf8
        }
        return true
      }
      return nil
    }
    for row in 0..<count {
      nulls[row] = source.isNull(row)
      if nulls[row] { continue }
      if !convert(source, row) {
        nulls[row] = true
        if failed == nil { failed = row }
      }
    }
    return failed
  }

  /// Converts the value of a row; returns false if that is impossible.
  private func convert(_ source: FormulaVector, _ row: Int) -> Bool {
    if source.type == .string { return convertText(source.texts[row], row) }
    switch (source.type, type) {
    case (.int, .int), (.bool, .int), (.bool, .bool): integers[row] = source.integers[row]
    case (.int, .bool):
      guard 0...1 ~= source.integers[row] else { return false }
      integers[row] = source.integers[row]
    case (.int, .double): doubles[row] = Double(source.integers[row])
    case (.int, .decimal128): decimals[row] = Decimal128(source.integers[row])
    case (.double, .double), (.date, .date): doubles[row] = source.doubles[row]
    case (.double, .decimal128): decimals[row] = Decimal128(source.doubles[row])
    case (.double, .int): return set(FormulaCast.int(source.doubles[row]), row)
    case (.decimal128, .decimal128): decimals[row] = source.decimals[row]
    case (.decimal128, .double): doubles[row] = source.decimals[row].doubleValue
    case (.decimal128, .int):
      let number = source.decimals[row]
      return set(number.exactInteger ?? FormulaCast.int(number.doubleValue), row)
    default: return false
    }
    return true
  }

  private func set(_ number: Int64?, _ row: Int) -> Bool {
    integers[row] = number ?? 0
    return number != nil
  }

  private func convertText(_ bytes: UnsafeRawBufferPointer, _ row: Int) -> Bool {
    let string = String(decoding: bytes, as: UTF8.self)
    var text = string[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    switch type {
    case .int: return set(FormulaCast.int(text), row)
    case .bool: return set(FormulaCast.bool(text).map { $0 ? 1 : 0 }, row)
    case .double:
      let number = FormulaCast.double(text)
      doubles[row] = number ?? 0
      return number != nil
    case .date:
      let date = ISODate.parse(text)
      doubles[row] = date ?? 0
      return date != nil
    default:
      guard let decimal = Decimal128(text: text) else { return false }
      decimals[row] = decimal
      return true
    }
  }
}
