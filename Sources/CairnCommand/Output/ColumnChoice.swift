import CairnFormats
import CairnGeometry
import CairnQuery
import CairnStorage
import CairnValues

/// The columns that `query` and `export` write: those of `--select`, or all, and the distance from
/// `--near` if it is wanted.
struct ColumnChoice {
  let columns: [OutputColumn]
  /// Whether the distance is one of the columns.
  let hasDistance: Bool

  /// - Parameters:
  ///   - isByDistance: Whether the rows are sorted by distance, which is then shown too.
  ///   - needsLocation: Whether the format requires a location.
  init(
    _ lists: [String], of source: OpenedClass, isNear: Bool, isByDistance: Bool, needsLocation: Bool
  ) throws {
    let schema = source.schema
    // A property named `distance` takes precedence over the computed distance.
    let isFree = schema.column(named: DistanceColumn.name) == nil
    if isFree, !isNear { try Self.rejectDistance(lists) }
    var chosen =
      lists.isEmpty
      ? Self.all(source, addsDistance: isFree && isByDistance)
      : try Self.selected(lists, source: source, offersDistance: isFree && isNear)
    if needsLocation, !chosen.contains(where: \.isLocation) {
      let location = try source.location(for: "which the format needs")
      chosen += Self.column(location.name, source: source)
    }
    columns = chosen
    hasDistance = chosen.contains { $0.source == Self.distance.source }
  }

  private static let distance = OutputColumn(
    name: DistanceColumn.name, type: .double, source: .given(0))

  /// The column of that name, or at the end of that path; empty if it does not exist.
  private static func column(_ name: String, source: OpenedClass) -> [OutputColumn] {
    let classes = source.snapshot.schema
    let path = ColumnPath(name, of: source.schema, in: classes)
    return path.map { [$0.output(name, in: classes)] } ?? []
  }

  private static func all(_ source: OpenedClass, addsDistance: Bool) -> [OutputColumn] {
    source.schema.properties.flatMap { column($0.name, source: source) }
      + (addsDistance ? [distance] : [])
  }

  private static func selected(
    _ lists: [String], source: OpenedClass, offersDistance: Bool
  ) throws -> [OutputColumn] {
    let schema = source.schema
    let parts = schema.properties.filter { $0.type == .point }.flatMap { column in
      LocationPart.allCases.map { "\(column.name).\($0.rawValue)" }
    }
    let others = parts + (offersDistance ? [distance.name] : [])
    let named = try ColumnList.items(lists, of: schema, option: "--select", others: others) {
      name in
      if offersDistance, name == distance.name { return [distance] }
      let columns = name == "*" ? all(source, addsDistance: false) : column(name, source: source)
      return columns.isEmpty ? part(name, source: source).map { [$0] } : columns
    }
    let columns = named.flatMap { $0 }
    for (index, column) in columns.enumerated()
    where columns[..<index].contains(where: { $0.source == column.source }) {
      throw Failure(.usage, message: "--select names '\(column.name)' twice")
    }
    return columns
  }

  /// The column for a part of a location, such as `location.latitude`.
  private static func part(_ name: String, source: OpenedClass) -> OutputColumn? {
    let classes = source.snapshot.schema
    guard let dot = name.lastIndex(of: "."),
      let part = LocationPart(rawValue: String(name[name.index(after: dot)...])),
      let path = ColumnPath(String(name[..<dot]), of: source.schema, in: classes),
      path.end.type == .point, path.end.collection == .none
    else { return nil }
    return path.output(name, part: part, in: classes)
  }

  private static func rejectDistance(_ lists: [String]) throws {
    let names = lists.flatMap { $0.split(separator: ",") }.map { $0.trimmingSpaces() }
    guard names.contains(where: { $0 == distance.name }) else { return }
    throw Failure(.usage, message: "--select distance needs --near, the point to measure from")
  }
}

extension OutputColumn {
  fileprivate var isLocation: Bool { type == .point }

  /// Whether the output of the column depends on the coordinate system.
  var dependsOnSystem: Bool {
    part == .wkt || type == .point
  }
}

/// A path from an object of a class to a property: the property itself, or `toy.name` through
/// to-one links.
struct ColumnPath {
  /// The links of the path, then the property.
  let columns: [ColumnSchema]

  /// The property at the end of the path.
  let end: ColumnSchema

  /// Resolves a path; nil if there is no such property. A name may contain dots: the longest
  /// existing name wins.
  init?(_ text: String, of schema: TableSchema, in classes: StoreSchema) {
    guard let columns = Self.columns(text, schema: schema, classes: classes), let end = columns.last
    else {
      return nil
    }
    self.columns = columns
    self.end = end
  }

  private static func columns(
    _ text: String, schema: TableSchema, classes: StoreSchema
  ) -> [ColumnSchema]? {
    if let column = schema.column(named: text) { return [column] }
    let dots = text.indices.filter { text[$0] == "." }
    for dot in dots.reversed() {
      guard let link = schema.column(named: String(text[..<dot])), link.isLink,
        link.collection == .none, let target = link.target.flatMap(classes.table(named:)),
        let rest = columns(
          String(text[text.index(after: dot)...]), schema: target, classes: classes)
      else { continue }
      return [link] + rest
    }
    return nil
  }

  /// The path as a sort key takes it.
  var path: PropertyPath { PropertyPath(columns.map { .property($0.name) }) }

  /// The path as an output column of that name.
  ///
  /// - Parameter part: The part of the location that the column shows; nil for the whole value.
  func output(_ name: String, part: LocationPart? = nil, in classes: StoreSchema) -> OutputColumn {
    let type = part?.type ?? Self.outputType(end, classes: classes)
    guard columns.count > 1 else {
      let source = part.map { OutputColumn.Source.part($0, of: end.position) }
      return OutputColumn(name: name, type: type, source: source ?? .stored(end.position))
    }
    return OutputColumn(name: name, type: type, source: .path(columns.map(\.position), part))
  }

  /// The type of the output: a link is written as the key of its object, a collection as JSON.
  private static func outputType(_ column: ColumnSchema, classes: StoreSchema) -> ValueType {
    if column.collection != .none { return .mixed }
    guard column.type == .link else { return column.type }
    let target = column.target.flatMap(classes.table(named:))
    return target.flatMap { target in target.primaryKey.map { target.columns[$0].type } } ?? .int
  }
}

/// The distance of each row from `--near`, in metres along the sphere.
struct DistanceColumn {
  static let name = "distance"

  private let origin: GeoPoint
  private let location: Int
  private let isRounded: Bool

  /// - Parameter isRounded: Whether to round to decimetres, for people, instead of writing all
  ///   digits.
  init(from origin: GeoPoint, to location: ColumnSchema, isRounded: Bool) {
    self.origin = origin
    self.location = location.position
    self.isRounded = isRounded
  }

  /// The distance of a row; null if it has no location.
  func value(of key: Int, in table: Table) -> Value {
    guard case .point(let position) = table.value(location, at: key),
      let point = GeoPoint(latitude: position.latitude, longitude: position.longitude)
    else { return .null }
    let metres = origin.distance(to: point).asMeters()
    return .double(isRounded ? (metres * 10).rounded() / 10 : metres)
  }
}
