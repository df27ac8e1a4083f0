import CairnStorage

/// The combinations of values that have come by.
final class Seen {
  private let columns: [GroupColumn]
  private var pairs: [WordTable]
  private var known: [Bool] = []
  private var word: UInt64 = 0
  private var number: UInt32 = 0

  init(_ keys: [RowKey]) {
    columns = keys.map(\.groupColumn)
    pairs = keys.dropFirst().map { _ in WordTable() }
  }

  /// Whether no row with the same values has come before; false where a link on the way to one is null.
  func isNew(_ key: Int) -> Bool {
    for column in columns where column.isMissing(key) { return false }
    var combined = 0
    for (place, column) in columns.enumerated() {
      let value = number(column, key)
      combined =
        place == 0
        ? value : pairs[place - 1].number(of: UInt64(combined) << 32 | UInt64(value))
    }
    while known.count <= combined { known.append(false) }
    defer { known[combined] = true }
    return !known[combined]
  }

  private func number(_ column: GroupColumn, _ key: Int) -> Int {
    let row = key & (ChunkShape.rows - 1)
    withUnsafeMutablePointer(to: &word) { word in
      word.pointee = 0
      var one = Selection(word - row >> 6)
      one.add(row >> 6, 1 << UInt64(row & 63))
      withUnsafeMutablePointer(to: &number) {
        column.numbers(key >> ChunkShape.shift, one, $0)
      }
    }
    return Int(number)
  }
}
