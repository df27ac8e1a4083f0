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
      ? Self.all(source, addsDistance: isFree && isByDistance)
      : try Self.selected(lists, source, offersDistance: isFree && isNear)
    if needsLocation, !chosen.contains(where: \.isLocation) {
      let location = try source.location(for: "which the format needs")
      chosen += Self.column(location.name, source)
    }
    columns = chosen
    hasDistance = chosen.contains { $0.source == Self.distance.source }
  }

  private static let distance = OutputColumn(
    name: DistanceColumn.name, type: .double, source: .given(0))

  /// The column of that name, or at the end of that path; empty where there is none.
  private static func column(_ name: String, _ source: Source) -> [OutputColumn] {
    let classes = source.snapshot.schema
    let path = ColumnPath(name, of: source.schema, in: classes)
    return path.map { [$0.output(name, in: classes)] } ?? []
  }

  private static func all(_ source: Source, addsDistance: Bool) -> [OutputColumn] {
    source.schema.properties.flatMap { column($0.name, source) } + (addsDistance ? [distance] : [])
  }

  private static func selected(
    _ lists: [String], _ source: Source, offersDistance: Bool
  ) throws -> [OutputColumn] {
    let schema = source.schema
    let parts = schema.properties.filter { $0.type == .point }.flatMap { place in
      LocationPart.allCases.map { "\(place.name).\($0.rawValue)" }
    }
    let others = parts + (offersDistance ? [distance.name] : [])
    let named = try ColumnList.items(lists, of: schema, option: "--select", others: others) {
      name in
      if offersDistance, name == distance.name { return [distance] }
      let columns = name == "*" ? all(source, addsDistance: false) : column(name, source)
      return columns.isEmpty ? part(name, source).map { [$0] } : columns
    }
    let columns = named.flatMap { $0 }
    for (index, column) in columns.enumerated()
    where columns[..<index].contains(where: { $0.source == column.source }) {
      throw Failure(.usage, "--select names '\(column.name)' twice")
    }
    return columns
  }

  /// `location.latitude` and its like.
  private static func part(_ name: String, _ source: Source) -> OutputColumn? {
    let classes = source.snapshot.schema
    guard let dot = name.lastIndex(of: "."),
      let part = LocationPart(rawValue: String(name[name.index(after: dot)...])),
      let path = ColumnPath(String(name[..<dot]), of: source.schema, in: classes),
      path.end.type == .point, path.end.collection == .none
    else { return nil }
    return path.output(name, part: part, in: classes)
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
    part == .wkt || type == .point
  }
}
