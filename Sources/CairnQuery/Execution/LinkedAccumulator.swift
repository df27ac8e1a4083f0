import CairnStorage

/// Gathers the summary of a property of the objects that a link leads to; null links have no value.
final class LinkedAccumulator: Accumulator, @unchecked Sendable {
  private let hop: LinkHop
  private let inner: Accumulator
  private let bitmap = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.words)

  init(_ hop: LinkHop, _ inner: Accumulator) {
    self.hop = hop
    self.inner = inner
    bitmap.initialize(repeating: 0, count: ChunkShape.words)
    super.init(hop.column)
  }

  deinit { bitmap.deallocate() }

  override func add(_ chunk: Chunk, _ rows: Selection) {
    var one = Selection(bitmap)
    rows.forEachRow { row -> Void in
      let target = Int(chunk.rowInteger(row))
      guard hop.live.holds(target) else { return }
      let values = inner.column.chunk(target >> ChunkShape.shift)
      let place = target & (ChunkShape.rows - 1)
      guard !values.isRowNull(place) else { return }
      one.add(place >> 6, 1 << UInt64(place & 63))
      inner.add(values, one)
      one.clear()
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
