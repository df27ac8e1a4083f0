internal import CairnValues

/// A column of an aligned table: what stands in it so far, and how wide that makes it.
struct TableColumn {
  let name: String
  private let isNumber: Bool
  private let isPlace: Bool
  private var whole = 0
  private var part = 0
  /// The width of the widest number.
  private var numberWidth = 0
  private var secondWhole = 0
  private var secondPart = 0
  /// The width that the terminal leaves; nil: what it takes.
  var limit: Int?

  /// Text is not cut shorter than this.
  private static let leastWidth = 8

  init(_ column: OutputColumn) {
    name = TableText.printable(column.name)
    isNumber = column.isNumber
    isPlace = column.type == .point
  }

  /// Whether values stand at the right.
  var alignsRight: Bool { isNumber }

  /// Makes room for a value.
  mutating func fit(_ cell: TableCell) {
    whole = max(whole, cell.first.whole)
    part = max(part, cell.first.part)
    if cell.isNumber { numberWidth = max(numberWidth, cell.first.width) }
    guard let second = cell.second else { return }
    secondWhole = max(secondWhole, second.whole)
    secondPart = max(secondPart, second.part)
  }

  /// Columns of the terminal that it takes.
  var width: Int { min(limit ?? .max, fullWidth) }

  /// The same, had it all the room it wants.
  var fullWidth: Int { max(1, TableText.width(name), valueWidth) }

  /// The same, cut as short as may be.
  var narrowWidth: Int {
    isNumber || isPlace ? fullWidth : min(fullWidth, max(Self.leastWidth, numberWidth))
  }

  private var valueWidth: Int {
    whole + part + (secondWhole > 0 ? 2 + secondWhole + secondPart : 0)
  }

  /// The column's name, in its place.
  func heading(isLast: Bool) -> String {
    pad(TableText.cut(name, to: width), alignsRight: isNumber, isLast: isLast)
  }

  /// A value, in its place.
  func text(_ cell: TableCell, isLast: Bool) -> String {
    if isLast, cell.second == nil, cell.first.text.isEmpty { return "" }
    if let second = cell.second { return pad(place(cell.first, second), isLast: isLast) }
    guard isNumber, cell.first.part > 0 || part > 0 else {
      let text =
        cell.isNumber ? cell.first.text : TableText.cut(cell.first.text, to: limit ?? .max)
      return pad(text, alignsRight: isNumber || cell.isNumber, isLast: isLast)
    }
    let behind = isLast || cell.first.text.isEmpty ? 0 : max(0, part - cell.first.part)
    let shift = cell.first.text.isEmpty ? width : width - part - cell.first.whole
    return spaces(shift) + cell.first.text + spaces(behind)
  }

  private func place(_ latitude: AlignedText, _ longitude: AlignedText) -> String {
    spaces(whole - latitude.whole) + latitude.text + ","
      + spaces(1 + part - latitude.part + secondWhole - longitude.whole) + longitude.text
  }

  private func pad(_ text: String, alignsRight: Bool = false, isLast: Bool) -> String {
    let room = spaces(width - TableText.width(text))
    return alignsRight ? room + text : isLast ? text : text + room
  }

  private func spaces(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}

extension OutputColumn {
  /// Whether its values are numbers.
  var isNumber: Bool { [.int, .float, .double, .decimal128].contains(type) }
}
