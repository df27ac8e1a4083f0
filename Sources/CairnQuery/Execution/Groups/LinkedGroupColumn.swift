import CairnStorage
import CairnValues

/// A property of the objects that a link leads to; where there is none the value is null.
final class LinkedGroupColumn: GroupColumn, @unchecked Sendable {
  private let hop: LinkHop
  private let inner: GroupColumn
  private let oneRow = OneRow()

  init(_ hop: LinkHop, _ inner: GroupColumn) {
    self.hop = hop
    self.inner = inner
    super.init(hop.column)
  }

  override func numbers(
    _ index: Int, _ rows: Selection, _ numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    var place = 0
    rows.forEachRow { row -> Void in
      let target = Int(chunk.rowInteger(row))
      if chunk.isRowNull(row) || !hop.live.holds(target) {
        numbers[place] = 0
      } else {
        oneRow.select(target) { inner.numbers(target >> ChunkShape.shift, $0, numbers + place) }
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
