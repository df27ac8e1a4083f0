internal import CairnValues

/// Aligned columns for people: numbers aligned at the point, two spaces between columns, a line
/// under the names.
///
/// The first rows are held back to compute the widths. Longer values in later rows widen only their
/// own line, unless the terminal sets a limit.
struct TableEncoder: RowEncoder {
  private static let sampleSize = 1000

  private var columns: [TableColumn]
  private let width: Int?
  private var sample: [[TableCell]] = []
  private var isLaidOut = false
  private var shown: Int
  /// The names of columns that did not fit.
  var omitted: [String] { columns[shown...].map(\.name) }

  /// Creates an encoder.
  ///
  /// - Parameter width: The number of terminal columns; nil for no limit.
  init(_ columns: [OutputColumn], width: Int?) {
    self.columns = columns.map(TableColumn.init)
    self.width = width
    shown = columns.count
  }

  func begin(_ sink: OutputSink) {}

  mutating func encode(_ row: UnsafeBufferPointer<Cell>, sink: OutputSink) throws(OutputError) {
    let cells = row.map { TableCell($0) }
    guard !isLaidOut else { return append(cells, sink: sink) }
    sample.append(cells)
    if sample.count == Self.sampleSize { try appendSample(sink) }
  }

  mutating func end(_ sink: OutputSink) throws(OutputError) {
    if !isLaidOut, !columns.isEmpty { try appendSample(sink) }
  }

  private mutating func appendSample(_ sink: OutputSink) throws(OutputError) {
    for row in sample {
      for (index, cell) in row.enumerated() { columns[index].fit(cell) }
    }
    isLaidOut = true
    if let width { shown = TableLayout.fit(&columns, width: width) }
    append(columns[..<shown].enumerated().map { $1.heading(isLast: isLast($0)) }, sink: sink)
    append(columns[..<shown].map { String(repeating: "-", count: $0.width) }, sink: sink)
    for row in sample {
      append(row, sink: sink)
      try sink.flushWhenFull()
    }
    sample = []
  }

  /// Whether the column is the last one, which needs no padding.
  private func isLast(_ index: Int) -> Bool { index == columns.count - 1 }

  private func append(_ row: [TableCell], sink: OutputSink) {
    append(
      columns[..<shown].enumerated().map { $1.text(row[$0], isLast: isLast($0)) }, sink: sink)
  }

  private func append(_ texts: [String], sink: OutputSink) {
    let line = texts.joined(separator: "  ")
    let end = line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex
    sink.append(shown < columns.count ? line + "  …\n" : line[..<end] + "\n")
  }
}

/// Fits the columns of a table into the width of a terminal.
enum TableLayout {
  static let gap = 2

  /// Sets the widths of the columns and returns how many of them fit. Texts are truncated, the
  /// longest first; if that is not enough, columns are left out from the right.
  static func fit(_ columns: inout [TableColumn], width: Int) -> Int {
    let count = fitting(columns, width: width)
    var room = width - gap * (count - 1) - (count < columns.count ? gap + 1 : 0)
    for index in 0..<count { room -= columns[index].narrowWidth }
    let cap = cap(columns[..<count], room: max(0, room))
    for index in 0..<count where columns[index].fullWidth > columns[index].narrowWidth {
      columns[index].limit = max(columns[index].narrowWidth, cap)
    }
    return count
  }

  private static func fitting(_ columns: [TableColumn], width: Int) -> Int {
    var used = 0
    for (index, column) in columns.enumerated() {
      used += column.narrowWidth + (index > 0 ? gap : 0)
      let mark = index < columns.count - 1 ? gap + 1 : 0
      if used + mark > width { return max(1, index) }
    }
    return columns.count
  }

  /// Returns the width up to which texts may grow so that they fill `room`.
  private static func cap(_ columns: ArraySlice<TableColumn>, room: Int) -> Int {
    var cap = columns.map(\.fullWidth).max() ?? 0
    func growth(_ cap: Int) -> Int {
      columns.reduce(0) { $0 + max(0, min(cap, $1.fullWidth) - $1.narrowWidth) }
    }
    while cap > 0, growth(cap) > room { cap -= 1 }
    return cap
  }
}

/// A column of an aligned table, with the widths of its values.
struct TableColumn {
  let name: String
  private let isNumber: Bool
  private let isLocation: Bool
  private var whole = 0
  private var part = 0
  /// The width of the widest number.
  private var numberWidth = 0
  private var secondWhole = 0
  private var secondPart = 0
  /// The width that the terminal leaves; nil for no limit.
  var limit: Int?

  /// The least width to which text is truncated.
  private static let minWidth = 8

  init(_ column: OutputColumn) {
    name = TableText.printable(column.name)
    isNumber = column.isNumber
    isLocation = column.type == .point
  }

  /// Whether values are right-aligned.
  var alignsRight: Bool { isNumber }

  /// Widens the column for a value.
  mutating func fit(_ cell: TableCell) {
    whole = max(whole, cell.first.whole)
    part = max(part, cell.first.part)
    if cell.isNumber { numberWidth = max(numberWidth, cell.first.width) }
    guard let second = cell.second else { return }
    secondWhole = max(secondWhole, second.whole)
    secondPart = max(secondPart, second.part)
  }

  /// The number of terminal columns that the column takes.
  var width: Int { min(limit ?? .max, fullWidth) }

  /// The width without a limit.
  var fullWidth: Int { max(1, TableText.width(name), valueWidth) }

  /// The width after the most truncation.
  var narrowWidth: Int {
    isNumber || isLocation ? fullWidth : min(fullWidth, max(Self.minWidth, numberWidth))
  }

  private var valueWidth: Int {
    whole + part + (secondWhole > 0 ? 2 + secondWhole + secondPart : 0)
  }

  /// Returns the column's name, padded.
  func heading(isLast: Bool) -> String {
    pad(TableText.cut(name, to: width), alignsRight: isNumber, isLast: isLast)
  }

  /// Returns a value, padded.
  func text(_ cell: TableCell, isLast: Bool) -> String {
    if isLast, cell.second == nil, cell.first.text.isEmpty { return "" }
    if let second = cell.second { return pad(pair(cell.first, longitude: second), isLast: isLast) }
    guard isNumber, cell.first.part > 0 || part > 0 else {
      let text =
        cell.isNumber ? cell.first.text : TableText.cut(cell.first.text, to: limit ?? .max)
      return pad(text, alignsRight: isNumber || cell.isNumber, isLast: isLast)
    }
    let behind = isLast || cell.first.text.isEmpty ? 0 : max(0, part - cell.first.part)
    let shift = cell.first.text.isEmpty ? width : width - part - cell.first.whole
    return spaces(shift) + cell.first.text + spaces(behind)
  }

  private func pair(_ latitude: AlignedText, longitude: AlignedText) -> String {
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
  /// Whether the values are numbers.
  var isNumber: Bool { [.int, .float, .double, .decimal128].contains(type) }
}

/// A value in an aligned column: text is left-aligned, numbers are aligned at the point.
struct TableCell {
  /// The whole text, or the latitude of a location.
  let first: AlignedText
  /// The longitude of a location.
  let second: AlignedText?
  /// Whether the value is a number, which is never truncated.
  let isNumber: Bool

  init(_ cell: Cell) {
    switch cell {
    case .int, .float, .double, .decimal:
      first = AlignedText(number: TableText.text(cell))
      second = nil
      isNumber = true
      return
    case .point(let position):
      first = AlignedText(number: ShortNumber.text(position.latitude))
      second = AlignedText(number: ShortNumber.text(position.longitude))
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

/// A text, split at the position that is aligned.
struct AlignedText {
  let text: String
  /// The terminal columns before the point of a number.
  let whole: Int
  /// The terminal columns from the point on.
  let part: Int

  init(text: String) {
    self.text = text
    whole = TableText.width(text)
    part = 0
  }

  /// Creates the text of a number. One with an exponent is aligned like an integer.
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
