import CairnStorage

/// Feeds accumulators: one a column.
final class SummarySink: Sink, @unchecked Sendable {
  let accumulators: [Accumulator]

  init(_ accumulators: [Accumulator]) { self.accumulators = accumulators }

  override func prepare(_ chunks: [Int]) {
    for accumulator in accumulators { accumulator.prepare(chunks) }
  }

  override func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool {
    for accumulator in accumulators {
      let values = accumulator.column.chunk(chunk)
      guard let nulls = values.nulls else {
        accumulator.add(values, selection)
        continue
      }
      var present = Selection(workspace.borrowBitmap())
      present.copy(selection, without: nulls)
      accumulator.add(values, present)
      workspace.returnBitmap()
    }
    return true
  }

  func merge(_ other: SummarySink) {
    for (mine, theirs) in zip(accumulators, other.accumulators) { mine.merge(theirs) }
  }
}

extension Selection {
  /// Becomes the other selection without the rows whose bits are set.
  mutating func copy(_ other: Selection, without bits: UnsafePointer<UInt64>) {
    lower = other.lower
    upper = other.upper
    for word in lower..<max(lower, upper) { words[word] = other.words[word] & ~bits[word] }
  }
}
