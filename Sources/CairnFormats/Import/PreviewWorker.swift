internal import CairnStorage
internal import CairnValues

/// Reads sections into columns and notes what they hold; nothing is stored.
final class PreviewWorker {
  /// Rows that are shown.
  static let shownRows = 5

  /// What one section holds.
  struct Product: Sendable {
    var rows: Int
    var refusals: RefusalLog
    var columns: [ColumnDigest]
    var firstRows: [[Value]]
  }

  private let reader: SectionReader

  init(_ sources: [ImportSource], plan: ImportPlan) {
    reader = SectionReader(sources, plan: plan)
  }

  func handle(_ section: InputSection) throws(ParseStop) -> Product {
    let refusals = try reader.read(section)
    let output = reader.output
    let shown = (0..<min(Self.shownRows, output.rowCount)).map { row in
      output.columns.map { $0.value(at: row) }
    }
    return Product(
      rows: output.rowCount, refusals: refusals, columns: output.columns.map(ColumnDigest.init),
      firstRows: shown)
  }
}

/// Nulls and bounds of a column.
struct ColumnDigest: Sendable {
  private(set) var nulls = 0
  private(set) var least: Value?
  private(set) var most: Value?

  init() {}

  init(_ column: ColumnBuilder) {
    nulls = column.nullCount
    switch column.type {
    case .string: findTexts(column)
    default: findValues(column)
    }
  }

  /// Takes in what a later section holds.
  mutating func add(_ other: ColumnDigest) {
    nulls += other.nulls
    if let least = other.least, let most = other.most { take(least, most) }
  }

  private mutating func findValues(_ column: ColumnBuilder) {
    for row in 0..<column.count where !column.isNull(row) {
      let value = column.value(at: row)
      take(value, value)
    }
  }

  /// Texts are compared as bytes, and made only of the first and the last.
  private mutating func findTexts(_ column: ColumnBuilder) {
    var (least, most): (Int?, Int?) = (nil, nil)
    for row in 0..<column.count where !column.isNull(row) {
      let bytes = column.bytes(at: row)
      if least.map({ bytes.lexicographicallyPrecedes(column.bytes(at: $0)) }) ?? true {
        least = row
      }
      if most.map({ column.bytes(at: $0).lexicographicallyPrecedes(bytes) }) ?? true { most = row }
    }
    self.least = least.map(column.value)
    self.most = most.map(column.value)
  }

  private mutating func take(_ low: Value, _ high: Value) {
    guard let least, let most else {
      (self.least, self.most) = (low, high)
      return
    }
    if case (.point(let west), .point(let east)) = (least, most),
      case (.point(let low), .point(let high)) = (low, high)
    {
      self.least = .point(Self.corner(west, low, min))
      self.most = .point(Self.corner(east, high, max))
      return
    }
    if low.precedes(least) { self.least = low }
    if most.precedes(high) { self.most = high }
  }

  private static func corner(
    _ a: Position, _ b: Position, _ pick: (Double, Double) -> Double
  ) -> Position {
    Position(latitude: pick(a.latitude, b.latitude), longitude: pick(a.longitude, b.longitude))
  }
}

extension Value {
  fileprivate func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.int(let a), .int(let b)): a < b
    case (.double(let a), .double(let b)), (.date(let a), .date(let b)): a < b
    case (.bool(let a), .bool(let b)): !a && b
    case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: false
    }
  }
}
