import CairnStorage

/// A sink that gathers every row with its sort key, for sorting.
final class SortKeySink: Sink {
  private(set) var rows: [SortKeyedRow] = []
  private let order: RowOrder

  init(_ order: RowOrder) { self.order = order }

  func prepare(_ chunks: [Int]) { order.first.prepare(chunks) }

  func take(_ chunk: Int, selection: inout Selection, scratch: ScratchBuffers) -> Bool {
    let sortKeys = scratch.sortKeys
    order.first.sortKeys(chunk, rows: selection, sortKeys: sortKeys)
    let selection = selection
    let first = RowAddress.firstKey(ofChunk: chunk)
    rows.append(
      contentsOf: [SortKeyedRow](unsafeUninitializedCapacity: ChunkShape.rows) { buffer, count in
        selection.forEachRow { row -> Void in
          buffer[count] = SortKeyedRow(sortKey: sortKeys[count], key: first | row)
          count += 1
        }
      })
    return true
  }
}

extension RowOrder {
  /// Sorts rows that arrive in key order.
  func sort(_ rows: inout [SortKeyedRow]) {
    guard rows.count > 256 else { return rows.sort(by: precedes) }
    SortKeyRadixSort.sort(&rows)
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].sortKey == rows[start].sortKey { end += 1 }
      // Rows with the same sort key are already in key order, which settles most of them.
      if end - start > 1, !isSettled(by: rows[start].sortKey) {
        rows[start..<end].sort(by: precedes)
      }
      start = end
    }
  }
}

extension RowOrder {
  /// The rows in this order. The sort is stable.
  func sorted(_ keys: [Int]) -> [Int] {
    guard keys.count > 1 else { return keys }
    // Here `key` is the index in `keys`.
    var rows = keys.enumerated().map { index, key in
      let sortKey = first.ascendingSortKey(key)
      return SortKeyedRow(sortKey: first.isAscending ? sortKey : ~sortKey, key: index)
    }
    SortKeyRadixSort.sort(&rows)
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].sortKey == rows[start].sortKey { end += 1 }
      if end - start > 1, !isSettled(by: rows[start].sortKey) {
        rows[start..<end].sort { a, b in
          let order = tie(a.sortKey, a: keys[a.key], b: keys[b.key])
          return order != 0 ? order < 0 : a.key < b.key
        }
      }
      start = end
    }
    return rows.map { keys[$0.key] }
  }
}
