import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The columns that `query` and `export` write: those of `--select`, or all, and the distance if it
/// is wanted.
struct ColumnChoice {
  private(set) var columns: [OutputColumn]
  /// Whether the distance is one of the columns.
  let hasDistance: Bool
  /// The columns that formulas compute, whose values have the indexes after that of the distance.
  let computed: [ComputedColumn]

  /// - Parameters:
  ///   - isByDistance: Whether the rows are sorted by distance, which is then shown too.
  ///   - needsLocation: Whether the format requires a location.
  ///   - pictured: The columns that other options show on a map, with these options.
  ///   - replaced: A computed column that takes the place of the column of its name.
  init(
    _ lists: [String], of source: OpenedClass, isNear: Bool, isByDistance: Bool,
    needsLocation: Bool, pictured: [(option: String, name: String)] = [],
    replacing replaced: ComputedColumn? = nil
  ) throws {
    let schema = source.schema
    // A property named `distance` takes precedence over the computed distance.
    let isFree = schema.column(named: DistanceColumn.name) == nil
    if isFree, !isNear { try Self.rejectDistance(lists) }
    var computed: [ComputedColumn] = []
    var chosen =
      lists.isEmpty
      ? Self.all(source, addsDistance: isFree && isByDistance)
      : try Self.selected(
        lists, source: source, offersDistance: isFree && isNear, computed: &computed)
    for (option, name) in pictured where !chosen.contains(where: { $0.name == name }) {
      chosen += try Self.selected(
        [name], source: source, offersDistance: isFree && isNear, option: option,
        computed: &computed)
    }
    if let replaced {
      computed.append(replaced)
      chosen = chosen.map { column in
        guard case .stored(let position) = column.source,
          schema.columns[position].name == replaced.name
        else { return column }
        return replaced.output(computed.count).named(column.name, table: 0)
      }
    }
    if needsLocation, !chosen.contains(where: \.isSpatial) {
      let location = try source.location(for: "which the format needs")
      chosen += Self.column(location.name, source: source)
    }
    columns = chosen
    self.computed = computed
    hasDistance = chosen.contains { $0.source == Self.distance.source }
  }

  /// Lets other values be written in the place of a stored column.
  mutating func replace(_ position: Int, by source: OutputColumn.Source) {
    for index in columns.indices where columns[index].source == .stored(position) {
      columns[index] = OutputColumn(
        name: columns[index].name, type: columns[index].type, source: source)
    }
  }

  /// The ellipsoid, if one of the columns is a measure.
  ///
  /// - Throws: An error that says what to install if PROJ is missing.
  static func ellipsoid(for columns: [OutputColumn]) throws -> Ellipsoid? {
    try columns.contains(where: \.isMeasure) ? Ellipsoid.wgs84() : nil
  }

  static let distance = OutputColumn(
    name: DistanceColumn.name, type: .double, source: .given(0))

  /// The column of that name, or at the end of that path; empty if it does not exist.
  private static func column(_ name: String, source: OpenedClass) -> [OutputColumn] {
    let classes = source.snapshot.schema
    // Measures are computed for the rows that are written, not for whole chunks.
    guard let path = ColumnPath(name, of: source.schema, in: classes), !path.end.isHidden else {
      return []
    }
    return [path.output(name, in: classes)]
  }

  private static func all(_ source: OpenedClass, addsDistance: Bool) -> [OutputColumn] {
    source.schema.properties.flatMap { column($0.name, source: source) }
      + (addsDistance ? [distance] : [])
  }

  private static func selected(
    _ lists: [String], source: OpenedClass, offersDistance: Bool, option: String = "--select",
    computed: inout [ComputedColumn]
  ) throws -> [OutputColumn] {
    let schema = source.schema
    let parts = schema.properties.filter { $0.type == .point }.flatMap { column in
      LocationPart.allCases.map { "\(column.name).\($0.rawValue)" }
    }
    let others =
      parts + measures(of: schema).map(\.rawValue) + (offersDistance ? [distance.name] : [])
    var failure: PredicateError?
    let named = try ColumnList.items(lists) { text -> [OutputColumn]? in
      if offersDistance, text == distance.name { return [distance] }
      if let columns = Self.columns(text, of: source) { return columns }
      do {
        let column = try ComputedColumn(text, of: source, hasDistance: offersDistance)
        guard let column else { return nil }
        computed.append(column)
        return [column.output(computed.count)]
      } catch {
        failure = error as? PredicateError ?? failure
        return nil
      }
    } unknown: { text in
      failure.flatMap { Failure($0) } ?? Self.unnamed(text, of: source, hasDistance: offersDistance)
        ?? ColumnList.unknown(text, in: schema, option: option, others: others)
    }
    let columns = named.flatMap { $0 }
    try rejectRepeated(columns)
    for column in computed where columns.count(where: { $0.name == column.name }) > 1 {
      throw Failure(.usage, message: "--select names '\(column.name)' twice")
    }
    return columns
  }

  /// The failure for a formula that has no name; nil for any other text.
  private static func unnamed(
    _ text: String, of source: OpenedClass, hasDistance: Bool
  ) -> Failure? {
    let named = try? ComputedColumn("\(text) AS name", of: source, hasDistance: hasDistance)
    guard named != nil else { return nil }
    return Failure(
      .usage,
      message: "--select: a computed column needs a name, as in \(text.trimmingSpaces()) AS name")
  }

  /// The columns of a name in a list: a property, a path, a part of a location, a measure, or `*`
  /// for all properties. Nil for a class without one.
  static func columns(_ name: String, of source: OpenedClass) -> [OutputColumn]? {
    let found = name == "*" ? all(source, addsDistance: false) : column(name, source: source)
    guard found.isEmpty else { return found }
    return (part(name, source: source) ?? measure(name, source: source)).map { [$0] }
  }

  /// Throws if two columns show the same.
  static func rejectRepeated(_ columns: [OutputColumn]) throws {
    for (index, column) in columns.enumerated()
    where columns[..<index].contains(where: {
      $0.source == column.source && $0.table == column.table
    }) {
      throw Failure(.usage, message: "--select names '\(column.name)' twice")
    }
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

  /// The measures of a class that has a geometry, unless their names are those of properties.
  static func measures(of schema: TableSchema) -> [GeometryMeasure] {
    guard schema.properties.contains(where: \.isGeometry) else { return [] }
    return GeometryMeasure.allCases.filter { schema.property(named: $0.rawValue) == nil }
  }

  /// The column for a measure of the first geometry, such as `area`, or of any one, such as
  /// `footprint.area`.
  private static func measure(_ name: String, source: OpenedClass) -> OutputColumn? {
    let dot = name.lastIndex(of: ".")
    let word = dot.map { String(name[name.index(after: $0)...]) } ?? name
    let geometry = dot.map { String(name[..<$0]) }
    guard let measure = GeometryMeasure(rawValue: word),
      let column = source.schema.properties.first(where: {
        $0.isGeometry && (geometry ?? $0.name) == $0.name
      })
    else { return nil }
    return OutputColumn(
      name: name, type: .double, source: .measure(measure, of: column.position))
  }

  private static func rejectDistance(_ lists: [String]) throws {
    let names = lists.flatMap { $0.split(separator: ",") }.map { $0.trimmingSpaces() }
    guard names.contains(where: { $0 == distance.name }) else { return }
    throw Failure(
      .usage, message: "--select distance needs --near or --near-shape, to measure from")
  }
}

extension OutputColumn {
  /// Whether the output of the column depends on the coordinate system.
  var dependsOnSystem: Bool {
    part == .wkt || isSpatial
  }

  /// Whether the column is measured on the ellipsoid.
  var isMeasure: Bool {
    if case .measure = source { true } else { false }
  }
}

/// The distance of each row from a shape, in metres along the sphere or with planar edges in degrees.
struct DistanceColumn {
  static let name = "distance"

  private let reader: DistanceReader
  private let edges: GeoPolygon.Edges
  private let isRounded: Bool

  /// - Parameter isRounded: Whether to round to decimetres, or to a ten-millionth of a degree, for
  ///   people, instead of writing all digits.
  init(from origin: QueryRequest.Origin, of table: Table, isRounded: Bool) throws {
    reader = try origin.reader(of: table)
    edges = origin.edges
    self.isRounded = isRounded
  }

  /// The distance of a row; null if it has no location.
  func value(of key: Int) -> Value {
    Self.value(reader.distance(of: key), edges: edges, isRounded: isRounded)
  }

  /// A distance in metres, or with planar edges in degrees, as a value.
  static func value(_ number: Double?, edges: GeoPolygon.Edges, isRounded: Bool) -> Value {
    let steps: Double = edges == .planar ? 1e7 : 10
    return number.map { .double(isRounded ? ($0 * steps).rounded() / steps : $0) } ?? .null
  }
}
