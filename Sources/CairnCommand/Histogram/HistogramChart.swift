import CairnFormats
import CairnStorage
import CairnValues

/// A histogram as bars of characters.
struct HistogramChart {
  private let histogram: Histogram
  private let width: Int

  private static let leastBar = 10

  /// - Parameter width: columns of the terminal.
  init(_ histogram: Histogram, width: Int) {
    self.histogram = histogram
    self.width = width
  }

  /// A heading, and a line for each bin.
  var lines: [String] {
    let labels = histogram.bins.map(Self.label)
    let counts = histogram.bins.map { Quantity.grouped($0.count) }
    let firsts = labels.map { TextWidth.of($0.from) }.max() ?? 0
    let seconds = labels.map { TextWidth.of($0.to ?? "") }.max() ?? 0
    let countWidth = counts.map(\.count).max() ?? 0
    let labelWidth = firsts + (seconds > 0 ? 4 + seconds : 0)
    let room = max(Self.leastBar, min(60, width - labelWidth - countWidth - 5))
    let most = histogram.bins.map(\.count).max() ?? 0
    let rows = zip(zip(histogram.bins, labels), counts).map { bin, count -> String in
      let (bin, label) = bin
      let isText = histogram.bins.contains { $0.from.asDouble == nil }
      var line = isText ? Self.left(label.from, firsts) : Self.right(label.from, firsts)
      if let to = label.to { line += " to " + Self.right(to, seconds) }
      return line + "  " + Self.right(count, countWidth) + "  " + Self.bar(bin.count, most, room)
    }
    return [heading] + rows.map { String($0.reversed().drop { $0 == " " }.reversed()) } + rest
  }

  private var heading: String {
    let values = Quantity.counted(histogram.count, "value")
    let name = PrintableText.escaped(histogram.column.name)
    return "\(name): \(values)\(histogram.isLogarithmic ? ", logarithmic" : "")"
  }

  /// What the bins leave out.
  private var rest: [String] {
    let others = histogram.count - histogram.bins.reduce(0) { $0 + $1.count }
    return others > 0 ? ["and \(Quantity.counted(others, "other"))"] : []
  }

  private static func label(_ bin: Histogram.Bin) -> (from: String, to: String?) {
    switch (bin.from, bin.to) {
    case (.double(let from), .double(let to)) where from != to:
      (Quantity.number(from), Quantity.number(to))
    case (.date(let from), .date(let to)) where from != to:
      (ISODate.format(from), ISODate.format(to))
    case (.double(let value), _): (Quantity.number(value), nil)
    default: (TextWidth.cut(ValueText.text(bin.from), to: 40), nil)
    }
  }

  /// Eighths of a character, so that small differences show; what is not nothing is never invisible.
  static func bar(_ count: Int, _ most: Int, _ room: Int) -> String {
    guard most > 0, count > 0 else { return "" }
    let eighths = max(1, Int((Double(count) / Double(most) * Double(room * 8)).rounded()))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
  }

  /// A bar a character, as high as the bin is full.
  static func sparkline(_ counts: [Int]) -> String {
    let most = counts.max() ?? 0
    let heights = Array("▁▂▃▄▅▆▇█")
    return String(
      counts.map { count in
        count == 0 || most == 0 ? " " : heights[min(7, (count * 8 - 1) / most)]
      })
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - TextWidth.of(text))) + text
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TextWidth.of(text)))
  }
}
