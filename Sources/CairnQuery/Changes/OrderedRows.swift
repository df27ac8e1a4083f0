/// Rows in an order, in blocks: one can be put in or taken out without moving all that follow.
struct OrderedRows {
  private var blocks: [[RankedRow]] = []
  /// Rows of each block, none of which is empty.
  private var counts: [Int] = []
  private(set) var count = 0

  private static let size = 512

  /// A row's block, and its place there.
  struct Place: Comparable {
    var block: Int
    var offset: Int

    static func < (a: Place, b: Place) -> Bool {
      a.block == b.block ? a.offset < b.offset : a.block < b.block
    }
  }

  /// Rows that come in their order.
  init(_ rows: [RankedRow]) {
    var start = 0
    // Room is left in each for as many again.
    while start < rows.count {
      let end = min(rows.count, start + Self.size / 2)
      blocks.append(Array(rows[start..<end]))
      counts.append(end - start)
      start = end
    }
    count = rows.count
  }

  /// The keys in order.
  var keys: [Int] { blocks.flatMap { $0.map(\.key) } }

  /// The key at a place.
  func key(at place: Int) -> Int {
    var left = place
    var block = 0
    while left >= counts[block] {
      left -= counts[block]
      block += 1
    }
    return blocks[block][left].key
  }

  /// Where a row stands.
  struct Standing {
    let key: Int
    let place: Place
    /// The number of rows before it.
    let index: Int
  }

  /// Where rows stand that are there under the order's ranks, by rising place; those that are not are left out.
  func standings(of keys: [Int], in order: RowOrder) -> [Standing] {
    let places = keys.compactMap { key -> (Place, Int)? in
      let place = place(of: order.ranked(key), in: order)
      guard place.block < blocks.count, blocks[place.block][place.offset].key == key else {
        return nil
      }
      return (place, key)
    }
    return standings(places.sorted { $0.0 < $1.0 })
  }

  /// Where the rows stand whose keys the test holds for, by rising place.
  func standings(where test: (Int) -> Bool) -> [Standing] {
    var found: [(Place, Int)] = []
    for (number, block) in blocks.enumerated() {
      for (offset, row) in block.enumerated() where test(row.key) {
        found.append((Place(block: number, offset: offset), row.key))
      }
    }
    return standings(found)
  }

  private func standings(_ places: [(place: Place, key: Int)]) -> [Standing] {
    var block = 0
    var before = 0
    return places.map { place, key in
      while block < place.block {
        before += counts[block]
        block += 1
      }
      return Standing(key: key, place: place, index: before + place.offset)
    }
  }

  /// The first place at which no row stands that comes before this one.
  func place(of row: RankedRow, in order: RowOrder) -> Place {
    var low = 0
    var high = blocks.count
    while low < high {
      let middle = (low + high) >> 1
      let last = blocks[middle][counts[middle] - 1]
      if order.precedes(last, row) { low = middle + 1 } else { high = middle }
    }
    guard low < blocks.count else { return Place(block: low, offset: 0) }
    let block = blocks[low]
    var start = 0
    var end = block.count
    while start < end {
      let middle = (start + end) >> 1
      if order.precedes(block[middle], row) { start = middle + 1 } else { end = middle }
    }
    return Place(block: low, offset: start)
  }

  /// Takes rows out; the places rise.
  mutating func remove(_ places: [Place]) {
    for place in places.reversed() {
      blocks[place.block].remove(at: place.offset)
      counts[place.block] -= 1
    }
    count -= places.count
    guard places.contains(where: { counts[$0.block] == 0 }) else { return }
    blocks.removeAll(where: \.isEmpty)
    counts.removeAll { $0 == 0 }
  }

  /// Puts a row in where the order wants it.
  mutating func insert(_ row: RankedRow, in order: RowOrder) {
    var place = place(of: row, in: order)
    if place.block == blocks.count {
      if blocks.isEmpty {
        blocks.append([])
        counts.append(0)
      }
      // Behind all of them.
      place = Place(block: blocks.count - 1, offset: counts[blocks.count - 1])
    }
    blocks[place.block].insert(row, at: place.offset)
    counts[place.block] += 1
    count += 1
    if counts[place.block] > Self.size { split(place.block) }
  }

  private mutating func split(_ block: Int) {
    let half = counts[block] / 2
    let rest = Array(blocks[block][half...])
    blocks[block].removeSubrange(half...)
    counts[block] = half
    blocks.insert(rest, at: block + 1)
    counts.insert(rest.count, at: block + 1)
  }
}
