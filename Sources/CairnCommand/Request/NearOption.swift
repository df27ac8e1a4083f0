import CairnGeometry
import CairnQuery
import CairnRequest
import CairnStorage
import CairnSystem
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

/// The row or rows of a class that meet a condition.
struct NamedRow {
  let className: String
  let condition: String

  /// A location, or a geometry as WKT.
  enum Place {
    case point(GeoPoint)
    case shape(String)
  }

  init(className: String, condition: String) {
    self.className = className
    self.condition = condition
  }

  /// Whether a text may be `CLASS:CONDITION`, as far as that shows before the class is opened.
  static func mayBe(_ argument: String) -> Bool { argument.contains(":") }

  /// Reads `CLASS:CONDITION`, if `source` has the class; nil for anything else, such as a file.
  init?(_ argument: String, in source: OpenedClass) {
    guard !System.exists(argument), let colon = argument.firstIndex(of: ":") else { return nil }
    className = String(argument[..<colon].trimmingSpaces())
    condition = String(argument[argument.index(after: colon)...].trimmingSpaces())
    guard source.backend.mayHave(className, beside: source), !condition.isEmpty else { return nil }
  }

  /// The class, with the formulas of the condition as columns, and the condition.
  private func target(in source: OpenedClass) throws -> (OpenedClass, Predicate) {
    let predicate = try Predicate(parsing: condition, takesFormulas: true)
    let target = try source.sibling(className, holding: predicate)
    return (try target.measuring().computing(formulasOf: predicate), predicate)
  }

  /// The locations or geometries of all rows that meet the condition, as WKT.
  ///
  /// - Throws: A usage failure if no row with a location meets the condition.
  func shape(in source: OpenedClass, option: String) throws -> String {
    let (target, predicate) = try target(in: source)
    let column = try target.location(for: "which \(option) needs")
    let execution = try Execution(
      TableQuery(table: className, predicate: predicate), on: target.table)
    let keys = execution.keys()
    try target.requireComputed()
    let geometries = keys.compactMap { key -> Geometry? in
      switch target.table.value(column.position, at: key) {
      case .point(let place):
        GeoPoint(latitude: place.latitude, longitude: place.longitude).map { Geometry($0) }
      case .geometry(let bytes): Geometry(packed: bytes)
      default: nil
      }
    }.filter { !$0.isEmpty }
    guard let first = geometries.first else {
      throw Failure(
        .usage, message: "\(option): no row of '\(className)' with a location meets \(condition)")
    }
    return try geometries.count == 1 ? first.wkt : Geometry(members: geometries).wkt
  }

  /// The location or geometry of the row.
  ///
  /// - Parameter source: A class of the store in which the row is found.
  /// - Throws: A usage failure if no row or several rows meet the condition, or if the row has no
  ///   location.
  func location(in source: OpenedClass) throws -> Place {
    let (target, predicate) = try target(in: source)
    let column = try target.location(for: "which --near needs")
    let query = TableQuery(
      table: className, predicate: predicate, limit: 2)
    let execution = try Execution(query, on: target.table)
    let keys = execution.keys()
    try target.requireComputed()
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
