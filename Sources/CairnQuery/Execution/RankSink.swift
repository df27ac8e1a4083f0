import CairnStorage

/// Gathers every row with its rank, to be sorted.
final class RankSink: Sink, @unchecked Sendable {
  private(set) var rows: [RankedRow] = []
  private let order: RowOrder

  init(_ order: RowOrder) { self.order = order }

  override func prepare(_ chunks: [Int]) { order.first.prepare(chunks) }

  override func take(_ chunk: Int, _ selection: inout Selection, _ workspace: Workspace) -> Bool {
    let ranks = workspace.ranks
    order.first.ranks(chunk, selection, ranks)
    let selection = selection
    let first = chunk << ChunkShape.shift
    rows.append(
      contentsOf: [RankedRow](unsafeUninitializedCapacity: ChunkShape.rows) { buffer, count in
        selection.forEachRow { row -> Void in
          buffer[count] = RankedRow(rank: ranks[count], key: first | row)
          count += 1
        }
      })
    return true
  }
}

extension RowOrder {
  /// Sorts rows that come by rising key.
  func sort(_ rows: inout [RankedRow]) {
    guard rows.count > 256 else { return rows.sort(by: precedes) }
    RadixSort.sort(&rows)
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].rank == rows[start].rank { end += 1 }
      // Equal ranks stand by rising key already, which is all there is to settle most of them.
      if end - start > 1, !isSettled(by: rows[start].rank) { rows[start..<end].sort(by: precedes) }
      start = end
    }
  }
}

extension RowOrder {
  /// The rows in this order; those that are equal in it stay as they stood.
  func sorted(_ keys: [Int]) -> [Int] {
    guard keys.count > 1 else { return keys }
    // `key` is the place in `keys` here.
    var rows = keys.enumerated().map { place, key in
      let rank = first.ascendingRank(key)
      return RankedRow(rank: first.isAscending ? rank : ~rank, key: place)
    }
    RadixSort.sort(&rows)
    var start = 0
    while start < rows.count {
      var end = start + 1
      while end < rows.count, rows[end].rank == rows[start].rank { end += 1 }
      if end - start > 1, !isSettled(by: rows[start].rank) {
        rows[start..<end].sort { a, b in
          let order = tie(a.rank, keys[a.key], keys[b.key])
          return order != 0 ? order < 0 : a.key < b.key
        }
      }
      start = end
    }
    return rows.map { keys[$0.key] }
  }
}

/// A stable sort by rank, byte by byte; bytes that all ranks share cost nothing.
enum RadixSort {
  static func sort(_ rows: inout [RankedRow]) {
    var differing: UInt64 = 0
    for row in rows { differing |= row.rank ^ rows[0].rank }
    var other = [RankedRow](repeating: RankedRow(rank: 0, key: 0), count: rows.count)
    for shift in stride(from: UInt64(0), to: 64, by: 8) where differing >> shift & 0xFF != 0 {
      pass(rows, &other, shift)
      swap(&rows, &other)
    }
  }

  private static func pass(_ rows: [RankedRow], _ other: inout [RankedRow], _ shift: UInt64) {
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 257) { places in
      places.initialize(repeating: 0)
      for row in rows { places[Int(row.rank >> shift & 0xFF) + 1] += 1 }
      for byte in 1...256 { places[byte] += places[byte - 1] }
      other.withUnsafeMutableBufferPointer { other in
        for row in rows {
          let byte = Int(row.rank >> shift & 0xFF)
          other[places[byte]] = row
          places[byte] += 1
        }
      }
    }
  }
}
