import CairnStorage
import CairnValues

extension PathBinder {
  /// The group column of a key.
  ///
  /// - Throws: ``QueryError`` if the property does not exist or has the wrong type.
  func groupColumn(_ key: GroupKey) throws(QueryError) -> () -> GroupColumn {
    switch key.derivation {
    case nil:
      let path = try valuePaths([key.property])[0]
      return { path.groupColumn() }
    case .calendar(let part, let zone):
      let column = try column(key.property)
      guard column.schema.type == .date else { throw mismatch(column, what: "is not a date") }
      return { CalendarGroupColumn(column, part: part, zone: zone) }
    case .cell(let grid):
      let named = try column(key.property)
      guard let point = table.schema.point(for: named.schema) else {
        throw mismatch(named, what: "is not a location, which lies in one cell")
      }
      let column = table.column(point.position)
      return { CellGroupColumn(column, grid: grid) }
    }
  }
}
