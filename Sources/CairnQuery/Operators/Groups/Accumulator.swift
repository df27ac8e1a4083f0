import CairnStorage
import CairnSystem
import CairnValues

/// Computes the summary of one column over rows that arrive chunk by chunk. One thread at a time uses
/// it; only the links and columns that it reads are shared.
class Accumulator {
  let column: Column
  final var count = 0

  init(_ column: Column) { self.column = column }

  /// Adds the selected rows of a chunk, which must not be null.
  func add(_ chunk: Chunk, rows: Selection) { requireOverride() }

  /// Resolves the data that any accumulator of these values reads for rows of these chunks, on the
  /// snapshot's own thread. The default resolves the column, which most read alone.
  func prepare(_ chunks: [Int]) {
    for chunk in chunks { _ = column.chunk(chunk) }
  }

  /// Adds the summary of another accumulator, whose rows must come later.
  final func merge(_ other: Accumulator) {
    count += other.count
    mergeFigures(other)
  }

  /// Adds the figures of another accumulator, except for the count.
  func mergeFigures(_ other: Accumulator) { requireOverride() }

  /// The summary of the rows added.
  var summary: Summary { requireOverride() }

  /// The accumulator for a column's type.
  static func make(_ column: Column) -> Accumulator {
    switch column.schema.type {
    case .int: return IntegerAccumulator(column)
    case .double, .date: return DoubleAccumulator(column)
    case .float: return FloatAccumulator(column)
    case .decimal128: return DecimalAccumulator(column)
    case .string: return TextAccumulator(column)
    default: return CountAccumulator(column)
    }
  }
}

/// Counts values only.
final class CountAccumulator: Accumulator {
  override func add(_ chunk: Chunk, rows: Selection) { count += rows.count }
  override func mergeFigures(_ other: Accumulator) {}
  override var summary: Summary { Summary(count: count) }
}

/// Summarises a property of the objects behind a link. Null links have no value.
final class LinkedAccumulator: Accumulator {
  private let linkStep: ToOneStep
  private let inner: Accumulator
  private let oneRow = OneRow()

  init(_ linkStep: ToOneStep, inner: Accumulator) {
    self.linkStep = linkStep
    self.inner = inner
    super.init(linkStep.column)
  }

  override func add(_ chunk: Chunk, rows: Selection) {
    rows.forEachRow { row -> Void in
      let target = Int(chunk.rowInteger(row))
      guard linkStep.live.holds(target) else { return }
      let values = inner.column.chunk(RowAddress(target).chunk)
      guard !values.isRowNull(RowAddress(target).row) else { return }
      oneRow.select(target) { inner.add(values, rows: $0) }
    }
  }

  override func mergeFigures(_ other: Accumulator) {
    if let other = other as? LinkedAccumulator { inner.merge(other.inner) }
  }

  override var summary: Summary { inner.summary }

  override func prepare(_ chunks: [Int]) {
    super.prepare(chunks)
    linkStep.live.prepare()
    inner.prepare(Array(0..<linkStep.target.chunkCount))
  }
}

/// A sink that feeds accumulators, one for each column.
final class SummarySink: Sink {
  let accumulators: [Accumulator]

  init(_ accumulators: [Accumulator]) { self.accumulators = accumulators }

  func prepare(_ chunks: [Int]) {
    for accumulator in accumulators { accumulator.prepare(chunks) }
  }

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    for accumulator in accumulators {
      let values = accumulator.column.chunk(chunk)
      guard let nulls = values.nulls else {
        accumulator.add(values, rows: selection)
        continue
      }
      var present = Selection(scratch.borrowBitmap())
      present.copy(selection, without: nulls)
      accumulator.add(values, rows: present)
      scratch.returnBitmap()
    }
    return true
  }

  func merge(_ other: SummarySink) {
    for (mine, theirs) in zip(accumulators, other.accumulators) { mine.merge(theirs) }
  }
}

extension Selection {
  /// Copies the other selection without the rows whose bits are set.
  mutating func copy(_ other: Selection, without bits: UnsafePointer<UInt64>) {
    lower = other.lower
    upper = other.upper
    for word in wordRange { words[word] = other.words[word] & ~bits[word] }
  }
}
