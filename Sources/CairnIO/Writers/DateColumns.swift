internal import CairnStorage
internal import CairnValues

/// The columns of dates in an output. A column writes all its dates in one form: if one has a time,
/// all have one.
struct DateColumns {
  private let columns: [OutputColumn]
  /// The form of every column; nil if each column has its own.
  private let form: ISODate.Form?
  /// The columns whose form is not the shortest one.
  private var withTimes: [Int]

  /// Creates the columns. Dates that are computed row by row have times until all rows are known.
  init(_ columns: [OutputColumn], form: ISODate.Form?) {
    self.columns = columns
    self.form = form
    withTimes = columns.indices.filter { index in
      guard columns[index].type == .date, form != .shortest else { return false }
      if case .given = columns[index].source { return true }
      return form == .time
    }
  }

  /// Chooses the forms of the columns of a table, by all dates that it holds. A later state of the
  /// table changes nothing.
  mutating func decide(_ table: Table, index: Int) {
    guard form == nil else { return }
    for (cell, column) in columns.enumerated() where column.table == index && column.type == .date {
      switch column.source {
      case .stored(let position): choose(table.dateForm(of: position), cell: cell)
      case .path(let path, nil): choose(Self.form(along: path, of: table), cell: cell)
      case .path, .part, .measure, .given: break
      }
    }
  }

  /// Chooses the forms by all rows of the output.
  mutating func decide(_ rows: [[Value]]) {
    guard form == nil else { return }
    withTimes = columns.indices.filter { index in
      rows.contains { row in
        guard case .date(let date) = row[index] else { return false }
        return !ISODate.isDay(date)
      }
    }
  }

  /// Sets the form of the dates in a row.
  @inline(__always)
  func set(_ cells: UnsafeMutableBufferPointer<Cell>) {
    for index in withTimes {
      if case .date(let date, _) = cells[index] { cells[index] = .date(date, .time) }
    }
  }

  private mutating func choose(_ form: ISODate.Form, cell: Int) {
    if form == .time { withTimes.append(cell) }
  }

  private static func form(along path: [Int], of table: Table) -> ISODate.Form {
    guard let end = path.last else { return .shortest }
    let target = path.dropLast().reduce(table as Table?) { table, step in
      table?.target(of: step)
    }
    return target?.dateForm(of: end) ?? .shortest
  }
}
