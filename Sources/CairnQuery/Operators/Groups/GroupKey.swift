import CairnGeometry
import CairnStorage
import CairnValues

/// A key that rows are grouped by: a property, or a value that is derived from it.
package struct GroupKey: Sendable {
  /// The property, by its name or by its path through links.
  package let property: String
  /// The derived value; nil for the property itself.
  package let derivation: Derivation?

  /// A value that is derived from a property.
  package enum Derivation: Sendable {
    /// A part of a date in a time zone: an int, or a text for `.date`. Dates beyond the year ±999999
    /// have none.
    case calendar(CalendarPart, in: TimeZoneRules)
    /// The code of the cell of a grid that contains a location.
    case cell(of: CellGrid)
  }

  /// Creates a key.
  package init(_ property: String, derivation: Derivation? = nil) {
    self.property = property
    self.derivation = derivation
  }
}

/// A part of a date.
package enum CalendarPart: String, CaseIterable, Sendable {
  /// The year of the Gregorian calendar.
  case year
  /// The month, 1 to 12.
  case month
  /// The day of the month, 1 to 31.
  case day
  /// The hour of the day, 0 to 23.
  case hour
  /// The day as text, such as `2024-05-01`.
  case date
}

/// Numbers integers that are computed from the values of a column.
class DerivedGroupColumn: GroupColumn {
  fileprivate var table = WordTable()

  /// Writes the numbers of the selected rows' integers.
  @inline(__always)
  fileprivate final func write(
    _ chunk: Chunk, rows: Selection, numbers: UnsafeMutablePointer<UInt32>,
    integer: (Int) -> Int64?
  ) {
    var table = table
    self.table = WordTable()
    var position = 0
    rows.forEachRow { row -> Void in
      let found = chunk.isRowNull(row) ? nil : integer(row)
      numbers[position] = found.map { UInt32(table.number(of: UInt64(bitPattern: $0)) + 1) } ?? 0
      position += 1
    }
    self.table = table
  }

  override final func number(of other: GroupColumn, _ number: Int) -> Int {
    guard number > 0, let other = other as? DerivedGroupColumn else { return 0 }
    return table.number(of: other.table.words[number - 1]) + 1
  }

  override final func value(_ number: Int) -> Value {
    number > 0 ? value(of: Int64(bitPattern: table.words[number - 1])) : .null
  }

  /// The value that an integer encodes: itself, unless a subclass encodes something else.
  fileprivate func value(of integer: Int64) -> Value { .int(integer) }
}

/// Numbers the cells of a grid that locations lie in.
final class CellGroupColumn: DerivedGroupColumn {
  private let grid: CellGrid

  init(_ column: Column, grid: CellGrid) {
    self.grid = grid
    super.init(column)
  }

  override func numbers(
    _ index: Int, rows: Selection, numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    write(chunk, rows: rows, numbers: numbers) { row in
      let place = chunk.position(at: row)
      return grid.code(longitude: place.longitude, latitude: place.latitude)
    }
  }
}

/// Numbers parts of dates in a time zone.
final class CalendarGroupColumn: DerivedGroupColumn {
  private let part: CalendarPart
  private let zone: TimeZoneRules
  /// The day of the row before and its part: dates often come in runs.
  private var lastDay = Int.min
  private var lastPart: Int64 = 0

  init(_ column: Column, part: CalendarPart, zone: TimeZoneRules) {
    self.part = part
    self.zone = zone
    super.init(column)
  }

  override func numbers(
    _ index: Int, rows: Selection, numbers: UnsafeMutablePointer<UInt32>
  ) {
    let chunk = column.chunk(index)
    let scale = chunk.scale
    write(chunk, rows: rows, numbers: numbers) { integer(chunk.rowDouble($0, scale: scale)) }
  }

  private func integer(_ seconds: Double) -> Int64? {
    guard abs(seconds) < ISODate.maxSeconds else { return nil }
    let utc = Int(seconds.rounded(.down))
    let local = utc + zone.offset(at: utc)
    let (day, second) = ISODate.split(local)
    if part == .hour { return Int64(second / 3600) }
    if day != lastDay {
      lastDay = day
      lastPart = Int64(self.integer(day: day))
    }
    return lastPart
  }

  private func integer(day: Int) -> Int {
    let civil = ISODate.civil(days: day)
    switch part {
    case .year: return civil.year
    case .month: return civil.month
    case .day: return civil.day
    case .date, .hour: return day
    }
  }

  override fileprivate func value(of integer: Int64) -> Value {
    part == .date ? .string(ISODate.format(Double(integer) * 86_400)) : .int(integer)
  }
}
