/// Brings the columns of a table into the width of a terminal.
enum TableLayout {
  static let gap = 2

  /// How many of the columns fit, each as narrow as may be, and what else is in the room. Texts are cut, the
  /// longest first; when that is not enough columns are left out from the right.
  static func fit(_ columns: inout [TableColumn], width: Int) -> Int {
    let count = fitting(columns, width)
    var room = width - gap * (count - 1) - (count < columns.count ? gap + 1 : 0)
    for place in 0..<count { room -= columns[place].narrowWidth }
    let cap = cap(columns[..<count], max(0, room))
    for place in 0..<count where columns[place].fullWidth > columns[place].narrowWidth {
      columns[place].limit = max(columns[place].narrowWidth, cap)
    }
    return count
  }

  private static func fitting(_ columns: [TableColumn], _ width: Int) -> Int {
    var used = 0
    for (place, column) in columns.enumerated() {
      used += column.narrowWidth + (place > 0 ? gap : 0)
      let mark = place < columns.count - 1 ? gap + 1 : 0
      if used + mark > width { return max(1, place) }
    }
    return columns.count
  }

  /// The width up to which texts may grow, so that `room` is filled.
  private static func cap(_ columns: ArraySlice<TableColumn>, _ room: Int) -> Int {
    var cap = columns.map(\.fullWidth).max() ?? 0
    func growth(_ cap: Int) -> Int {
      columns.reduce(0) { $0 + max(0, min(cap, $1.fullWidth) - $1.narrowWidth) }
    }
    while cap > 0, growth(cap) > room { cap -= 1 }
    return cap
  }
}
