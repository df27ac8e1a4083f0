import CairnRequest
import CairnStorage
import CairnValues

/// The rectangle and the period of a class.
struct Extent: Sendable {
  /// West, south, east and north in degrees; nil without locations.
  let bounds: [Double]?
  /// The first and the last date in seconds since 2001; nil without dates.
  let period: (first: Double, last: Double)?
  /// Whether some rows have no location.
  let hasRowsWithoutLocation: Bool
  /// Whether some rows have no date.
  let hasRowsWithoutDate: Bool

  init(of table: Table) {
    let schema = table.schema
    var bounds: [Double]?
    var (withoutLocation, withoutDate) = (false, false)
    if let column = schema.spatialColumn, let spatial = schema.spatialColumn(for: column) {
      let profile = ColumnProfile(table.column(spatial.position), of: table)
      bounds = profile.extent.map { [$0.west, $0.south, $0.east, $0.north] }
      withoutLocation = profile.nullCount > 0
    }
    var period: (first: Double, last: Double)?
    if let column = schema.dateColumn {
      let profile = ColumnProfile(table.column(column.position), of: table)
      if case .date(let first)? = profile.bounds?.least,
        case .date(let last)? = profile.bounds?.greatest
      {
        period = (first, last)
      }
      withoutDate = profile.nullCount > 0
    }
    self.bounds = bounds
    self.period = period
    hasRowsWithoutLocation = withoutLocation
    hasRowsWithoutDate = withoutDate
  }

  /// The member `extent` of a collection.
  var json: JSON {
    var members: [(String, JSON)] = []
    if let bounds {
      members.append(
        (
          "spatial",
          [
            "bbox": [.array(bounds.map { .double($0) })],
            "crs": .string(ServedSystem.crs84.uri),
          ]
        ))
    }
    if let period {
      let interval = [period.first, period.last].map { JSON.string(Timestamp.text($0)) }
      members.append(
        (
          "temporal",
          [
            "interval": [.array(interval)],
            "trs": "http://www.opengis.net/def/uom/ISO-8601/0/Gregorian",
          ]
        ))
    }
    return .object(members)
  }
}

extension TableSchema {
  /// The properties that filters can compare.
  var queryables: [ColumnSchema] { properties.filter { $0.isScalar || $0.isSpatial } }

  /// The properties that pages can be sorted by.
  var sortables: [ColumnSchema] { properties.filter(\.isScalar) }
}

extension ColumnSchema {
  /// Whether each row is a number, a text or another single value.
  var isScalar: Bool {
    guard collection == .none else { return false }
    switch type {
    case .bool, .int, .float, .double, .decimal128, .string, .date, .uuid, .objectId: return true
    case .data, .point, .mixed, .link, .embedded, .geometry, .lineString, .polygon, .box:
      return false
    }
  }
}

/// Times in RFC 3339.
enum Timestamp {
  /// The text of a time in seconds since 2001, always with a time of day.
  static func text(_ seconds: Double) -> String {
    let text = ISODate.format(seconds)
    return text.contains("T") ? text : text + "T00:00:00Z"
  }
}
