internal import CairnIO
internal import CairnStorage
internal import CairnValues

/// The colours and sizes of the rows of a map, by the values of two columns.
struct RowStyling {
  /// The meaning of the colours and the sizes; nil for those that are the same for all rows.
  struct Scales {
    var colour: ColourScale?
    var size: SizeScale?
  }

  /// The most rows that are drawn one by one if their colours or sizes have a meaning.
  static let maxRows = 100_000

  private let colour: (index: Int, column: OutputColumn)?
  private let size: (index: Int, column: OutputColumn)?
  /// The numbers of the texts of the colour column.
  private var texts: [String: Int] = [:]
  /// The colour value and the size value of each point.
  private var pointColours: [Double] = []
  private var pointSizes: [Double] = []
  /// The colour value of each row with lines or areas.
  private var shapeColours: [Double] = []

  init(_ columns: MapColumns, subject: MapSubject) {
    colour = columns.column(named: subject.colour)
    size = columns.column(named: subject.size)
  }

  /// Whether colours or sizes have a meaning.
  var isUsed: Bool { colour != nil || size != nil }

  /// Takes the values of a row.
  mutating func append(
    _ row: UnsafeBufferPointer<Cell>, pointCount: Int, hasShape: Bool
  ) {
    if let colour {
      let value = value(row[colour.index])
      pointColours.append(contentsOf: repeatElement(value, count: pointCount))
      if hasShape { shapeColours.append(value) }
    }
    if let size {
      let value = row[size.index].number ?? .nan
      pointSizes.append(contentsOf: repeatElement(value, count: pointCount))
    }
  }

  /// The number of a cell, or that of its text. Not a number for null.
  private mutating func value(_ cell: Cell) -> Double {
    if cell.isNull { return .nan }
    if colour?.column.isQuantity == true { return cell.number ?? .nan }
    let text = TableText.text(cell)
    let number = texts[text] ?? texts.count
    texts[text] = number
    return Double(number)
  }

  /// The scales for all rows that were added.
  var scales: Scales {
    Scales(
      colour: colour.map { colour in
        let values = pointColours + shapeColours
        return colour.column.isQuantity
          ? ColourScale(
            colour.column.name, numbers: values, areDates: colour.column.type == .date)
          : ColourScale(
            colour.column.name, numbers: values,
            texts: texts.sorted { $0.value < $1.value }.map(\.key))
      },
      size: size.map { SizeScale($0.column.name, values: pointSizes) })
  }

  /// Returns the index of the colour of a point.
  func pointClass(_ index: Int, of scale: ColourScale) -> Int { scale[pointColours[index]] }

  /// Returns the index of the colour of the lines and areas of a row.
  func shapeClass(_ index: Int, of scale: ColourScale) -> Int { scale[shapeColours[index]] }

  /// Returns the radius of a point in pixels.
  func radius(_ index: Int, of scale: SizeScale) -> Double { scale.radius(pointSizes[index]) }
}

extension OutputColumn {
  /// Whether the values are numbers or dates, which have an order to show.
  package var isQuantity: Bool { type.isNumeric || type == .date }
}

extension Cell {
  /// The value as a number; nil if it is none.
  fileprivate var number: Double? {
    switch self {
    case .int(let int): Double(int)
    case .float(let float): Double(float)
    case .double(let double), .date(let double, _): double
    case .decimal: Double(TableText.text(self))
    default: nil
    }
  }
}

/// The colours of a map by value: up to five steps of numbers, or the most frequent texts.
struct ColourScale {
  let title: String
  /// The label and the colour of each class.
  private(set) var entries: [(label: String, colour: String)]
  /// The greatest value of each step; nil for texts.
  private var bounds: [Double]?
  /// The class of each text; empty for numbers.
  private var classes: [Int] = []
  /// The class of null.
  private let none: Int

  private static let hues = [
    "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8c6d31", "#7f3c8d",
  ]
  private static let other = "#8a8f96"
  private static let missing = "#c4c8cd"
  private static let stepCount = 5

  /// Creates steps with about as many rows in each.
  init(_ title: String, numbers: [Double], areDates: Bool) {
    self.title = title
    let sorted = numbers.filter(\.isFinite).sorted()
    let bounds = Self.bounds(sorted, areExact: areDates)
    let isEach = Set(sorted).count <= Self.stepCount
    entries = bounds.enumerated().map { step, bound in
      let colour = bounds.count == 1 ? 2 : step * (Self.stepCount - 1) / (bounds.count - 1)
      let text = areDates ? String(TableText.text(.date(bound)).prefix(10)) : MapWords.number(bound)
      return ((isEach ? "" : "≤ ") + text, SVGPage.heat[colour])
    }
    self.bounds = bounds
    none = entries.count
    addMissing(sorted.count < numbers.count)
  }

  /// Creates a class for each of the most frequent texts.
  ///
  /// - Parameters:
  ///   - numbers: The index of the text of each row.
  ///   - texts: All texts.
  init(_ title: String, numbers: [Double], texts: [String]) {
    self.title = title
    var counts = texts.map { _ in 0 }
    for number in numbers where number.isFinite { counts[Int(number)] += 1 }
    let order = texts.indices.sorted { (counts[$1], texts[$0]) < (counts[$0], texts[$1]) }
    classes = texts.map { _ in Self.hues.count }
    entries = []
    for (rank, index) in order.prefix(Self.hues.count).enumerated() {
      classes[index] = rank
      entries.append((XMLText.shortened(texts[index], to: 24), Self.hues[rank]))
    }
    if order.count > Self.hues.count { entries.append(("other", Self.other)) }
    none = entries.count
    addMissing(numbers.contains { !$0.isFinite })
  }

  private mutating func addMissing(_ isAny: Bool) {
    if isAny { entries.append(("no value", Self.missing)) }
  }

  /// The class of a value.
  subscript(value: Double) -> Int {
    guard value.isFinite else { return none }
    guard let bounds else { return classes[Int(value)] }
    return bounds.firstIndex { value <= $0 } ?? bounds.count - 1
  }

  /// Returns the greatest value of each step: each value if there are few, otherwise rounded
  /// quantiles and the maximum.
  private static func bounds(_ sorted: [Double], areExact: Bool) -> [Double] {
    guard let last = sorted.last else { return [] }
    let distinct = Set(sorted)
    if distinct.count <= stepCount { return distinct.sorted() }
    var bounds: [Double] = []
    for step in 1..<stepCount {
      let quantile = sorted[sorted.count * step / stepCount]
      let bound = areExact ? quantile : MapWords.rounded(quantile, digits: 2)
      if bound > bounds.last ?? -.infinity, bound < last { bounds.append(bound) }
    }
    return bounds + [last]
  }
}

/// The sizes of marks by value: the area of a mark is in proportion to the value.
struct SizeScale {
  let title: String
  private let most: Double

  private static let least = 2.0
  private static let greatest = 14.0

  init(_ title: String, values: [Double]) {
    self.title = title
    most = values.filter(\.isFinite).max() ?? 0
  }

  /// Returns the radius in pixels. Null and numbers below zero have the least.
  func radius(_ value: Double) -> Double {
    guard value > 0, most > 0 else { return Self.least }
    return max(Self.least, Self.greatest * (value / most).squareRoot())
  }

  /// Three round values with their radii.
  var entries: [(label: String, radius: Double)] {
    guard most > 0 else { return [] }
    return [16, 4, 1].map { part in
      let value = MapWords.rounded(most / part, digits: 1)
      return (MapWords.number(value), radius(value))
    }
  }
}
