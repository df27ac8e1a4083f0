import CairnStorage
import CairnValues

/// A property of the objects that a link leads to; where there is none the value is null.
final class LinkedGroupColumn: GroupColumn, @unchecked Sendable {
  private let hop: LinkHop
  private let inner: GroupColumn
  private let bitmap = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkShape.words)

  init(_ hop: LinkHop, _ inner: GroupColumn) {
    self.hop = hop
    self.inner = inner
    bitmap.initialize(repeating: 0, count: ChunkShape.words)
    super.init(hop.column)
  }

  deinit { bitmap.deallocate() }

  override func numbers(
    _ index: Int, _ rows: Selection, _ numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    var one = Selection(bitmap)
    var place = 0
    rows.forEachRow { row -> Void in
      let target = Int(chunk.rowInteger(row))
      if chunk.isRowNull(row) || !hop.live.holds(target) {
        numbers[place] = 0
      } else {
        let bit = target & (ChunkShape.rows - 1)
        one.add(bit >> 6, 1 << UInt64(bit & 63))
        inner.numbers(target >> ChunkShape.shift, one, numbers + place)
        one.clear()
      }
      place += 1
    }
  }

  override func value(_ number: Int) -> Value { inner.value(number) }

  override func number(of other: GroupColumn, _ number: Int) -> Int {
    (other as? LinkedGroupColumn).map { inner.number(of: $0.inner, number) } ?? 0
  }

  override func prepare(_ chunks: [Int]) {
    super.prepare(chunks)
    hop.live.prepare()
    inner.prepare(Array(0..<hop.target.chunkCount))
  }
}
