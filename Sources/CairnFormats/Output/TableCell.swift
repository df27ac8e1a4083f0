internal import CairnValues

/// A value as it stands in an aligned column: text to the left, numbers point under point.
struct TableCell {
  /// The whole text, or for a place its latitude.
  let first: AlignedText
  /// The longitude of a place.
  let second: AlignedText?
  /// Whether it is a number, which is never cut.
  let isNumber: Bool

  init(_ cell: Cell) {
    switch cell {
    case .int, .float, .double, .decimal:
      first = AlignedText(number: TableText.text(cell))
      second = nil
      isNumber = true
      return
    case .point(let place):
      first = AlignedText(number: ShortNumber.text(place.latitude))
      second = AlignedText(number: ShortNumber.text(place.longitude))
      isNumber = false
      return
    case .projected(let x, let y, _):
      first = AlignedText(number: x.description)
      second = AlignedText(number: y.description)
      isNumber = false
      return
    default: first = AlignedText(text: TableText.text(cell))
    }
    second = nil
    isNumber = false
  }
}

/// A text, and how much of it stands before the place that is aligned.
struct AlignedText {
  let text: String
  /// Columns before the point of a number.
  let whole: Int
  /// Columns from the point on.
  let part: Int

  init(text: String) {
    self.text = text
    whole = TableText.width(text)
    part = 0
  }

  /// A number; one with an exponent is as good as whole.
  init(number: String) {
    text = number
    let length = number.utf8.count
    let isPlain = !number.utf8.contains { $0 | 0x20 == UInt8(ascii: "e") }
    let point = isPlain ? number.utf8.firstIndex(of: UInt8(ascii: ".")) : nil
    whole = point.map { number.utf8.distance(from: number.utf8.startIndex, to: $0) } ?? length
    part = length - whole
  }

  var width: Int { whole + part }
}
