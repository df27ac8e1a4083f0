import CairnStorage
import CairnSystem
import CairnValues

/// The summaries of one column, one for each group. One thread at a time uses them; only the links and
/// columns that they read are shared.
class GroupTotals {
  let column: Column

  init(_ column: Column) { self.column = column }

  /// Resolves the data that any totals of these values read for rows of these chunks, on the
  /// snapshot's own thread. The default resolves the column, which most read alone.
  func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  /// Adds the selected rows of a chunk to their groups.
  ///
  /// - Parameters:
  ///   - numbers: The group number of each selected row, in row order.
  ///   - groups: The number of groups.
  func add(_ index: Int, rows: Selection, numbers: UnsafePointer<UInt32>, groups: Int) {
    requireOverride()
  }

  /// Adds a group of other totals to a group of these.
  ///
  /// - Parameter groups: The number of groups here.
  func merge(_ other: GroupTotals, theirs: Int, into mine: Int, groups: Int) { requireOverride() }

  /// The summary of a group.
  func summary(_ group: Int) -> Summary { requireOverride() }

  /// The totals for a column's type.
  static func make(_ column: Column) -> GroupTotals {
    column.schema.type == .int
      ? IntegerGroupTotals(column) : AnyGroupTotals(column) { Accumulator.make(column) }
  }
}

/// Totals of integers.
final class IntegerGroupTotals: GroupTotals {
  private struct Totals {
    var count = 0
    var sum = Int128Sum()
    var minimum = Int64.max
    var maximum = Int64.min
  }

  private var totals: [Totals] = []

  override func add(
    _ index: Int, rows: Selection, numbers: UnsafePointer<UInt32>, groups: Int
  ) {
    grow(groups)
    let chunk = column.chunk(index)
    totals.withUnsafeMutableBufferPointer { totals in
      var position = 0
      rows.forEachRow { row -> Void in
        let group = Int(numbers[position])
        position += 1
        if chunk.isRowNull(row) { return }
        let number = chunk.rowInteger(row)
        totals[group].count += 1
        totals[group].sum += number
        totals[group].minimum = min(totals[group].minimum, number)
        totals[group].maximum = max(totals[group].maximum, number)
      }
    }
  }

  private func grow(_ groups: Int) {
    while totals.count < groups { totals.append(Totals()) }
  }

  override func merge(_ other: GroupTotals, theirs: Int, into mine: Int, groups: Int) {
    grow(groups)
    guard let other = other as? IntegerGroupTotals, theirs < other.totals.count else { return }
    let part = other.totals[theirs]
    totals[mine].count += part.count
    totals[mine].sum += part.sum
    totals[mine].minimum = min(totals[mine].minimum, part.minimum)
    totals[mine].maximum = max(totals[mine].maximum, part.maximum)
  }

  override func summary(_ group: Int) -> Summary {
    guard group < totals.count, totals[group].count > 0 else { return Summary(sum: .int(0)) }
    let total = totals[group]
    return Summary(
      count: total.count, sum: total.sum.value, minimum: .int(total.minimum),
      maximum: .int(total.maximum), average: .double(total.sum.double / Double(total.count)))
  }
}

/// Totals of every other type, with an accumulator for each group.
final class AnyGroupTotals: GroupTotals {
  private var accumulators: [Accumulator] = []
  private let bitmap = ChunkBitmap()

  private let make: () -> Accumulator

  /// Creates totals.
  ///
  /// - Parameter make: Creates an accumulator over rows of the column.
  init(_ column: Column, make: @escaping () -> Accumulator) {
    self.make = make
    super.init(column)
  }

  override func prepare(_ chunks: [Int]) { make().prepare(chunks) }

  override func add(
    _ index: Int, rows: Selection, numbers: UnsafePointer<UInt32>, groups: Int
  ) {
    grow(groups)
    let chunk = column.chunk(index)
    if groups == 1 { return addAll(chunk, rows: rows) }
    var position = 0
    var one = Selection(bitmap.words)
    rows.forEachRow { row -> Void in
      let group = Int(numbers[position])
      position += 1
      if chunk.isRowNull(row) { return }
      one.add(row >> 6, bits: 1 << UInt64(row & 63))
      accumulators[group].add(chunk, rows: one)
      one.clear()
    }
  }

  /// Adds the rows of a chunk to the only group, all at once.
  private func addAll(_ chunk: Chunk, rows: Selection) {
    guard let nulls = chunk.nulls else { return accumulators[0].add(chunk, rows: rows) }
    var present = Selection(bitmap.words)
    present.copy(rows, without: nulls)
    accumulators[0].add(chunk, rows: present)
    present.clear()
  }

  private func grow(_ groups: Int) {
    while accumulators.count < groups { accumulators.append(make()) }
  }

  override func merge(_ other: GroupTotals, theirs: Int, into mine: Int, groups: Int) {
    grow(groups)
    guard let other = other as? AnyGroupTotals, theirs < other.accumulators.count else { return }
    accumulators[mine].merge(other.accumulators[theirs])
  }

  override func summary(_ group: Int) -> Summary {
    group < accumulators.count ? accumulators[group].summary : make().summary
  }
}
