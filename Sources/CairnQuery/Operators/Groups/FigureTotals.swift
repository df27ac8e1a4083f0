import CairnStorage
import CairnValues

/// Totals with the figures that were requested in addition to the usual ones.
final class FigureTotals: GroupTotals {
  private let usual: GroupTotals
  private let figures: SummaryFigures
  /// The column of the values, and the links that lead to its class.
  private let end: Column
  private let linkSteps: [ToOneStep]
  private let distinct: DistinctTotals?
  /// The numbers of each group, if percentiles were requested.
  private var numbers: [[Double]] = []
  private var moments: [Moments] = []
  private let oneRow = OneRow()

  /// - Parameters:
  ///   - usual: The totals of the usual figures.
  ///   - numbered: A column that numbers the values.
  init(
    _ usual: GroupTotals, of end: Column, behind linkSteps: [ToOneStep],
    numbering numbered: GroupColumn, figures: SummaryFigures
  ) {
    self.usual = usual
    self.figures = figures
    self.end = end
    self.linkSteps = linkSteps
    distinct = figures.hasDistinctCount ? DistinctTotals(numbered) : nil
    super.init(usual.column)
  }

  override func prepare(_ chunks: [Int]) {
    usual.prepare(chunks)
    distinct?.column.prepare(chunks)
  }

  /// Whether the values are read as doubles.
  private var readsNumbers: Bool {
    (figures.hasDeviation || !figures.percentiles.isEmpty)
      && (end.schema.type.isNumeric || end.schema.type == .date)
  }

  override func add(
    _ index: Int, rows: Selection, numbers groupNumbers: UnsafePointer<UInt32>, groups: Int
  ) {
    usual.add(index, rows: rows, numbers: groupNumbers, groups: groups)
    distinct?.add(index, rows: rows, numbers: groupNumbers, groups: groups)
    guard readsNumbers else { return }
    grow(groups)
    guard !linkSteps.isEmpty else {
      return add(end.chunk(index), rows: rows, groups: groupNumbers)
    }
    var position = 0
    rows.forEachRow { row -> Void in
      defer { position += 1 }
      guard let key = target(RowAddress.firstKey(ofChunk: index) + row) else { return }
      oneRow.select(key) {
        add(end.chunk(RowAddress(key).chunk), rows: $0, groups: groupNumbers + position)
      }
    }
  }

  /// The object at the end of the links; nil if a link is null.
  private func target(_ key: Int) -> Int? {
    linkSteps.reduce(key) { key, linkStep in key.flatMap { linkStep.target(of: $0) } }
  }

  /// Adds the numbers of rows of a chunk to their groups.
  private func add(_ chunk: Chunk, rows: Selection, groups: UnsafePointer<UInt32>) {
    let scale = chunk.scale
    switch chunk.encoding {
    case .integers: add(chunk, rows: rows, groups: groups) { Double(chunk.rowInteger($0)) }
    case .floats: add(chunk, rows: rows, groups: groups) { Double(chunk.rowFloat($0)) }
    case .doubles, .decimals:
      add(chunk, rows: rows, groups: groups) { chunk.rowDouble($0, scale: scale) }
    default:
      add(chunk, rows: rows, groups: groups) {
        Double("\(Decimal128(storedBytes: chunk.rowBytes($0)))") ?? .nan
      }
    }
  }

  @inline(__always)
  private func add(
    _ chunk: Chunk, rows: Selection, groups: UnsafePointer<UInt32>, number: (Int) -> Double
  ) {
    let (keepsNumbers, hasDeviation) = (!figures.percentiles.isEmpty, figures.hasDeviation)
    var position = 0
    rows.forEachRow { row -> Void in
      let group = Int(groups[position])
      position += 1
      if chunk.isRowNull(row) { return }
      let number = number(row)
      if number.isNaN { return }
      if keepsNumbers { numbers[group].append(number) }
      if hasDeviation { moments[group].add(number) }
    }
  }

  private func grow(_ groups: Int) {
    while numbers.count < groups {
      numbers.append([])
      moments.append(Moments())
    }
  }

  override func merge(_ other: GroupTotals, theirs: Int, into mine: Int, groups: Int) {
    guard let other = other as? FigureTotals else { return }
    usual.merge(other.usual, theirs: theirs, into: mine, groups: groups)
    if let part = other.distinct {
      distinct?.merge(part, theirs: theirs, into: mine, groups: groups)
    }
    grow(groups)
    guard theirs < other.numbers.count else { return }
    numbers[mine] += other.numbers[theirs]
    moments[mine].merge(other.moments[theirs])
  }

  override func summary(_ group: Int) -> Summary {
    var summary = usual.summary(group)
    summary.distinctCount = distinct?.count(group)
    guard readsNumbers else {
      summary.percentiles = figures.percentiles.map { _ in .null }
      return summary
    }
    let isDate = end.schema.type == .date
    var values = group < numbers.count ? numbers[group] : []
    summary.percentiles = values.percentiles(figures.percentiles).map { number in
      number.map { isDate ? .date($0) : .double($0) } ?? .null
    }
    if !isDate, group < moments.count {
      summary.deviation = moments[group].deviation.map { .double($0) } ?? .null
    }
    return summary
  }
}

/// The number of different values of each group.
final class DistinctTotals {
  /// The column that numbers the values.
  let column: GroupColumn
  /// The pairs of a group and the number of a value in it.
  private var pairs = WordTable()
  private var counts: [Int] = []
  private let values = UnsafeMutablePointer<UInt32>.allocate(capacity: ChunkShape.rows)
  /// The numbers of the values of each group, made when other totals take them over.
  private lazy var valuesOfGroups = makeValuesOfGroups()

  init(_ column: GroupColumn) { self.column = column }

  deinit { values.deallocate() }

  /// Adds rows of a chunk to their groups.
  func add(_ index: Int, rows: Selection, numbers: UnsafePointer<UInt32>, groups: Int) {
    assert(rows.count <= ChunkShape.rows, "a chunk has up to 4096 rows")
    grow(groups)
    column.numbers(index, rows: rows, numbers: values)
    for position in 0..<rows.count where values[position] > 0 {
      add(values[position], to: numbers[position])
    }
  }

  private func add(_ value: UInt32, to group: UInt32) {
    let known = pairs.words.count
    if pairs.number(of: UInt64(group) << 32 | UInt64(value)) == known {
      counts[Int(group)] += 1
    }
  }

  private func grow(_ groups: Int) {
    if counts.count < groups {
      counts += repeatElement(0, count: groups - counts.count)
    }
  }

  /// Adds a group of other totals to a group of these.
  func merge(_ other: DistinctTotals, theirs: Int, into mine: Int, groups: Int) {
    grow(groups)
    guard theirs < other.valuesOfGroups.count else { return }
    for value in other.valuesOfGroups[theirs] {
      add(UInt32(column.number(of: other.column, Int(value))), to: UInt32(mine))
    }
  }

  private func makeValuesOfGroups() -> [[UInt32]] {
    var values: [[UInt32]] = counts.map { _ in [] }
    for pair in pairs.words { values[Int(pair >> 32)].append(UInt32(truncatingIfNeeded: pair)) }
    return values
  }

  /// The number of different values of a group.
  func count(_ group: Int) -> Int { group < counts.count ? counts[group] : 0 }
}
