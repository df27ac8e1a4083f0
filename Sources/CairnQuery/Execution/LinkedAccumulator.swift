import CairnStorage

/// Gathers the summary of a property of the objects that a link leads to; null links have no value.
final class LinkedAccumulator: Accumulator, @unchecked Sendable {
  private let hop: LinkHop
  private let inner: Accumulator
  private let oneRow = OneRow()

  init(_ hop: LinkHop, _ inner: Accumulator) {
    self.hop = hop
    self.inner = inner
    super.init(hop.column)
  }

  override func add(_ chunk: Chunk, _ rows: Selection) {
    rows.forEachRow { row -> Void in
      let target = Int(chunk.rowInteger(row))
      guard hop.live.holds(target) else { return }
      let values = inner.column.chunk(target >> ChunkShape.shift)
      guard !values.isRowNull(target & (ChunkShape.rows - 1)) else { return }
      oneRow.select(target) { inner.add(values, $0) }
    }
  }

  override func merge(_ other: Accumulator) {
    if let other = other as? LinkedAccumulator { inner.merge(other.inner) }
  }

  override var summary: Summary { inner.summary }

  override func prepare(_ chunks: [Int]) {
    super.prepare(chunks)
    hop.live.prepare()
    inner.prepare(Array(0..<hop.target.chunkCount))
  }
}
