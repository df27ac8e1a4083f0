import CairnFormats
import CairnStorage
import CairnValues

/// The columns that `query` and `export` write: those of `--select`, or all, and in both cases the
/// distance from `--near` where that is wanted.
struct ColumnChoice {
  let columns: [OutputColumn]
  /// Whether the rows' distances are among them.
  let hasDistance: Bool

  /// - Parameters:
  ///   - isByDistance: the rows come in that order, so that their distances are of interest.
  ///   - needsLocation: the format cannot do without one.
  init(
    _ lists: [String], of source: Source, isNear: Bool, isByDistance: Bool, needsLocation: Bool
  ) throws {
    let schema = source.schema
    // A property of that name is what the name stands for.
    let isFree = schema.column(named: DistanceColumn.name) == nil
    if isFree, !isNear { try Self.refuseDistance(lists) }
    var chosen =
      lists.isEmpty
      ? Self.all(schema, addsDistance: isFree && isByDistance)
      : try Self.selected(lists, schema, offersDistance: isFree && isNear)
    if needsLocation, !chosen.contains(where: \.isLocation) {
      chosen.append(Self.column(try source.location(for: "which the format needs")))
    }
    columns = chosen
    hasDistance = chosen.contains { $0.source == Self.distance.source }
  }

  private static let distance = OutputColumn(
    name: DistanceColumn.name, type: .double, source: .given(0))

  private static func column(_ column: ColumnSchema) -> OutputColumn {
    OutputColumn(name: column.name, type: column.type, source: .stored(column.position))
  }

  private static func all(_ schema: TableSchema, addsDistance: Bool) -> [OutputColumn] {
    schema.properties.map(column) + (addsDistance ? [distance] : [])
  }

  private static func selected(
    _ lists: [String], _ schema: TableSchema, offersDistance: Bool
  ) throws -> [OutputColumn] {
    let parts = schema.properties.filter { $0.type == .point }.flatMap { place in
      LocationPart.allCases.map { "\(place.name).\($0.rawValue)" }
    }
    let others = parts + (offersDistance ? [distance.name] : [])
    let named = try ColumnList.items(lists, of: schema, option: "--select", others: others) {
      name in
      if offersDistance, name == distance.name { return [distance] }
      if let known = schema.column(named: name) { return [column(known)] }
      return name == "*" ? schema.properties.map(column) : part(name, schema).map { [$0] }
    }
    let columns = named.flatMap { $0 }
    for (index, column) in columns.enumerated()
    where columns[..<index].contains(where: { $0.source == column.source }) {
      throw Failure(.usage, "--select names '\(column.name)' twice")
    }
    return columns
  }

  /// `location.latitude` and its like.
  private static func part(_ name: String, _ schema: TableSchema) -> OutputColumn? {
    guard let dot = name.lastIndex(of: "."),
      let part = LocationPart(rawValue: String(name[name.index(after: dot)...])),
      let location = schema.column(named: String(name[..<dot])), location.type == .point
    else { return nil }
    return OutputColumn(name: name, type: part.type, source: .part(part, of: location.position))
  }

  private static func refuseDistance(_ lists: [String]) throws {
    let names = lists.flatMap { $0.split(separator: ",") }.map { $0.trimmingSpaces() }
    guard names.contains(where: { $0 == distance.name }) else { return }
    throw Failure(.usage, "--select distance needs --near, the place to measure from")
  }
}

extension OutputColumn {
  fileprivate var isLocation: Bool { type == .point }

  /// Whether what is written depends on the coordinate system.
  var isPlace: Bool {
    if case .part(.wkt, of: _) = source { true } else { type == .point }
  }
}
