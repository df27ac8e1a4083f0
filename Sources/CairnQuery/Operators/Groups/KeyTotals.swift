import CairnStorage

/// The keys of each group's rows that have a value in a column.
final class KeyTotals: GroupTotals {
  private var keys: [[Int]] = []

  override func add(
    _ index: Int, rows: Selection, numbers: UnsafePointer<UInt32>, groups: Int
  ) {
    grow(groups)
    let (chunk, first) = (column.chunk(index), RowAddress.firstKey(ofChunk: index))
    var position = 0
    rows.forEachRow { row -> Void in
      let group = Int(numbers[position])
      position += 1
      if !chunk.isRowNull(row) { keys[group].append(first + row) }
    }
  }

  private func grow(_ groups: Int) {
    while keys.count < groups { keys.append([]) }
  }

  override func merge(_ other: GroupTotals, theirs: Int, into mine: Int, groups: Int) {
    grow(groups)
    guard let other = other as? KeyTotals, theirs < other.keys.count else { return }
    keys[mine] += other.keys[theirs]
  }

  override func summary(_ group: Int) -> Summary {
    guard group < keys.count else { return Summary() }
    return Summary(count: keys[group].count, keys: keys[group].sorted())
  }
}
