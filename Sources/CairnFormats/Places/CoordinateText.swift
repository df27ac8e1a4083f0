/// One coordinate as people write it.
enum CoordinateText {
  /// A number: a plus sign and a bare point at the end are fine.
  static func number(_ text: UnsafePointer<UInt8>, _ count: Int) -> Double? {
    guard count > 0 else { return nil }
    let hasPlus = text[0] == UInt8(ascii: "+")
    let digits = hasPlus ? text + 1 : text
    var length = hasPlus ? count - 1 : count
    if hasPlus, length > 0, digits[0] == UInt8(ascii: "-") { return nil }
    if length > 1, digits[length - 1] == UInt8(ascii: "."), Digits.isDigit(digits[length - 2]) {
      length -= 1
    }
    return DoubleText.parseNearest(digits, length)
  }

  /// Degrees, minutes and seconds; nil for what has neither letter nor mark, which was tried as a number before.
  static func angle(
    _ text: String, _ axis: CoordinateAxis, hasDecimalCommas: Bool = false
  ) -> Double? {
    guard let angle = AngleText(text, hasDecimalCommas: hasDecimalCommas) else { return nil }
    let own: AngleText.Axis = axis.name == CoordinateAxis.latitude.name ? .latitude : .longitude
    guard angle.axis ?? own == own, angle.axis != nil || !text.allSatisfy(isNumeric) else {
      return nil
    }
    return angle.value
  }

  private static func isNumeric(_ character: Character) -> Bool {
    character.isASCII && (character.isNumber || ".,+-".contains(character))
  }
}
