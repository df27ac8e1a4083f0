package import CairnStorage
package import CairnValues

/// The column of numbers that has the third coordinate of the locations in another column.
package struct AltitudeColumn {
  /// The index of the column.
  package let index: Int
  private let column: OutputColumn
  private let location: Int

  /// Finds the column. Returns nil without one, or if the other column does not hold points.
  package init?(_ columns: [OutputColumn], location: Int) {
    guard columns[location].type == .point,
      let index = columns.firstIndex(where: {
        $0.name == "altitude" && [.int, .float, .double].contains($0.type)
      })
    else { return nil }
    self.index = index
    column = columns[index]
    self.location = location
  }

  /// Returns the column of a table that holds the altitudes, with its type; nil for other sources.
  package func stored(in table: Table) -> (column: Column, type: ValueType)? {
    guard case .stored(let position) = column.source else { return nil }
    return (table.column(position), column.type)
  }

  /// Returns the altitude of a location of a row; nil if the row has none, or the location is in another
  /// column.
  package func value(in row: UnsafeBufferPointer<Cell>, of column: Int) -> Double? {
    guard column == location else { return nil }
    return switch row[index] {
    case .double(let value): value
    case .float(let value): Double(value)
    case .int(let value): Double(value)
    default: nil
    }
  }
}
