internal import CairnGeometry
internal import CairnStorage
internal import CairnValues

/// Reads blocks into columns and summarizes their values; nothing is stored.
final class PreviewWorker {
  /// The number of rows that are shown.
  static let shownRows = 5

  /// The content of one block.
  struct Product: Sendable {
    var rows: Int
    var rejects: RecordLog
    var skipped: SkippedRows
    var columns: [ColumnDigest]
    var firstRows: [[Value]]
  }

  private let reader: BlockReader
  private let computed: ComputedColumns
  private let nested: NestedColumns
  private let sieve: RowSieve
  /// The number of columns that become properties.
  private let columnCount: Int

  init(_ sources: [ImportSource], plan: ImportPlan, sieve: RowSieve) {
    reader = BlockReader(sources, plan: plan, hint: sieve.hint)
    computed = ComputedColumns(plan)
    nested = NestedColumns(plan, converts: false)
    self.sieve = sieve
    columnCount = plan.storedColumns.count
  }

  func handle(_ block: InputBlock) throws(ParseAbort) -> Product {
    var rejects = try reader.read(block)
    let whole = try computed.added(to: reader.output, of: block, rejects: &rejects)
    let output = try nested.converted(whole, of: block, rejects: &rejects)
    let skipped = sieve.apply(to: output)
    let columns = output.columns.prefix(columnCount)
    let shown = (0..<min(Self.shownRows, output.rowCount)).map { row in
      columns.map { $0.value(at: row) }
    }
    return Product(
      rows: output.rowCount, rejects: rejects, skipped: skipped,
      columns: columns.map(ColumnDigest.init),
      firstRows: shown)
  }
}

/// The number of nulls and the bounds of a column.
struct ColumnDigest: Sendable {
  private(set) var nulls = 0
  private(set) var least: Value?
  private(set) var most: Value?

  init() {}

  init(_ column: ColumnBuilder) {
    nulls = column.nullCount
    switch column.type {
    case .string: findTexts(column)
    case .geometry, .lineString, .polygon: findBounds(column)
    default: findValues(column)
    }
  }

  /// Adds the digest of a later block.
  mutating func add(_ other: ColumnDigest) {
    nulls += other.nulls
    if let least = other.least, let most = other.most { take(least, high: most) }
  }

  private mutating func findValues(_ column: ColumnBuilder) {
    for row in 0..<column.count where !column.isNull(row) {
      let value = column.value(at: row)
      take(value, high: value)
    }
  }

  /// Finds the corners of the box around all geometries.
  private mutating func findBounds(_ column: ColumnBuilder) {
    var bounds = Envelope.empty
    for row in 0..<column.count where !column.isNull(row) {
      if let own = GeometryView(column.bytes(at: row)).bounds { bounds = bounds.union(own) }
    }
    guard !bounds.isEmpty else { return }
    least = .point(Position(latitude: bounds.south, longitude: bounds.west))
    most = .point(Position(latitude: bounds.north, longitude: bounds.east))
  }

  /// Finds the bounds of a text column. Texts are compared as bytes; strings are created only for
  /// the first and the last.
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

  private mutating func take(_ low: Value, high: Value) {
    guard let least, let most else {
      (self.least, self.most) = (low, high)
      return
    }
    if case (.point(let west), .point(let east)) = (least, most),
      case (.point(let low), .point(let high)) = (low, high)
    {
      self.least = .point(Self.corner(west, b: low, pick: min))
      self.most = .point(Self.corner(east, b: high, pick: max))
      return
    }
    if low.precedes(least) { self.least = low }
    if most.precedes(high) { self.most = high }
  }

  private static func corner(
    _ a: Position, b: Position, pick: (Double, Double) -> Double
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
