import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// The value of `--near`: a location, or the only row of a class that meets a condition.
enum NearOption {
  case point(GeoPoint)
  case row(NamedRow)

  /// Parses `LAT,LON` or `CLASS:CONDITION`.
  init(text: String) throws {
    if let colon = text.firstIndex(of: ":"), colon > text.startIndex, NumberText.list(text) == nil {
      self = .row(
        NamedRow(
          className: String(text[..<colon].trimmingSpaces()),
          condition: String(text[text.index(after: colon)...].trimmingSpaces())))
    } else {
      self = .point(try Coordinates.point(text))
    }
  }
}

/// The only row of a class that meets a condition.
struct NamedRow {
  let className: String
  let condition: String

  /// A location, or a geometry as WKT.
  enum Place {
    case point(GeoPoint)
    case shape(String)
  }

  /// The location or geometry of the row.
  ///
  /// - Parameter source: A class of the store in which the row is found.
  /// - Throws: A usage failure if no row or several rows meet the condition, or if the row has no
  ///   location.
  func location(in source: OpenedClass) throws -> Place {
    let predicate = try Predicate(parsing: condition)
    let target = try source.sibling(className, holding: predicate)
    let column = try target.location(for: "which --near needs")
    let query = TableQuery(
      table: className, predicate: predicate, limit: 2)
    let execution = try Execution(query, on: target.table)
    let keys = execution.keys()
    guard let key = keys.first else {
      throw Failure(.usage, message: "--near: no row of '\(className)' meets \(condition)")
    }
    guard keys.count == 1 else {
      throw Failure(
        .usage,
        message: "--near: several rows of '\(className)' meet \(condition); "
          + "add a condition that only one of them meets")
    }
    let value = target.table.value(column.position, at: key)
    if case .point(let place) = value,
      let point = GeoPoint(latitude: place.latitude, longitude: place.longitude)
    {
      return .point(point)
    }
    if case .geometry(let bytes) = value {
      let geometry = Geometry(packed: bytes)
      if !geometry.isEmpty { return .shape(geometry.wkt) }
    }
    throw Failure(
      .usage, message: "--near: the row of '\(className)' with \(condition) has no location")
  }
}
