import CairnGeometry
import CairnQuery
import CairnRequest
import CairnStorage
import CairnValues

/// The parameters of a page of items.
struct ItemsQuery {
  /// One key of the order.
  struct Sort {
    let column: ColumnSchema
    let isAscending: Bool
  }

  /// The names of the parameters that are not names of properties.
  static let parameters = [
    "f", "limit", "cursor", "bbox", "bbox-crs", "crs", "datetime", "sortby", "properties",
    "filter", "filter-lang", "filter-crs",
  ]

  let collection: Collection
  /// The condition.
  let predicate: Predicate
  /// The order; by the keys of rows if empty.
  let sort: [Sort]
  let limit: Int
  /// The place behind the last item of the previous page.
  let cursor: PageCursor?
  /// The coordinate system of the response.
  let system: ServedSystem
  /// The properties of the response.
  let properties: [ColumnSchema]

  /// - Parameter others: Parameters that have another meaning than a property.
  init(_ collection: Collection, others: Set<String> = []) throws {
    self.collection = collection
    let query = collection.context.query
    let options = collection.context.options
    limit = try Self.limit(query["limit"], options: options)
    sort = try Self.sort(query["sortby"], of: collection)
    properties = try Self.properties(query["properties"], of: collection)
    system = try .named(query["crs"], parameter: "crs", options: options)
    predicate = try Self.request(of: collection, others: others)
      .predicate(of: collection.schema)
    cursor = try Self.cursor(query["cursor"], of: collection, sort: sort)
  }

  private static func limit(_ text: String?, options: ServiceOptions) throws(Problem) -> Int {
    guard let text else { return min(options.defaultLimit, options.maxLimit) }
    guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }),
      text.contains(where: { $0 != "0" })
    else { throw .badRequest("limit: must be at least 1, found '\(text)'") }
    return min(Int(text) ?? .max, options.maxLimit)
  }

  private static func sort(_ text: String?, of collection: Collection) throws(Problem) -> [Sort] {
    guard let text else { return [] }
    var keys: [Sort] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let name = part.drop { $0 == " " }
      let isSigned = name.hasPrefix("+") || name.hasPrefix("-")
      let column = try collection.column(
        String(isSigned ? name.dropFirst() : name), of: collection.schema.sortables,
        parameter: "sortby")
      guard !keys.contains(where: { $0.column.position == column.position }) else { continue }
      keys.append(Sort(column: column, isAscending: !name.hasPrefix("-")))
    }
    return keys
  }

  static func properties(
    _ text: String?, of collection: Collection
  ) throws(Problem) -> [ColumnSchema] {
    let geometry = collection.schema.spatialColumn?.position
    let all = collection.schema.properties.filter { $0.position != geometry }
    guard let text else { return all }
    var named: [ColumnSchema] = []
    for name in text.split(separator: ",") {
      let column = try collection.column(
        String(name), of: collection.schema.properties, parameter: "properties")
      if column.position != geometry, !named.contains(where: { $0.position == column.position }) {
        named.append(column)
      }
    }
    return named
  }

  private static func cursor(
    _ text: String?, of collection: Collection, sort: [Sort]
  ) throws(Problem) -> PageCursor? {
    guard let text else { return nil }
    guard let cursor = PageCursor(text), cursor.values.count == sort.count else {
      throw .badRequest("cursor: follow the link 'next' of a page instead of writing one")
    }
    guard cursor.file == collection.context.state.file else {
      throw .badRequest("cursor: the store was compacted since; begin again without a cursor")
    }
    return cursor
  }

  // MARK: Conditions

  /// The conditions. The standard adds the features without a geometry or a date to those that meet a
  /// box or an interval, and ignores both in collections without geometries or dates.
  private static func request(
    of collection: Collection, others: Set<String>
  ) throws -> RowRequest {
    let query = collection.context.query
    var request = RowRequest()
    if let text = given("bbox", in: query) { try add(bbox: text, of: collection, to: &request) }
    if let text = given("datetime", in: query) {
      try add(dates: text, of: collection, to: &request)
    }
    if let text = given("filter", in: query) {
      request.conditions.append(Predicate(try filter(text, of: collection)))
    }
    for item in query.items where !parameters.contains(item.name) && !others.contains(item.name) {
      let column = try collection.column(
        item.name, of: collection.schema.sortables, parameter: "query")
      let value = try PropertyValue.value(item.value, of: column)
      request.conditions.append(
        Predicate(.compare(.property(column.name), .equal, .value(value), [])))
    }
    return request
  }

  private static func add(
    bbox text: String, of collection: Collection, to request: inout RowRequest
  ) throws {
    let system = try ServedSystem.named(
      collection.context.query["bbox-crs"], parameter: "bbox-crs",
      options: collection.context.options)
    let shape: Shape
    do { shape = try BoxParameter.shape(text, in: system) } catch {
      throw error is Problem ? error : Problem.parameter("bbox", error)
    }
    guard let column = collection.schema.spatialColumn else { return }
    request.areas = [.relation(.intersects, shape)]
    // The extent is found only where it matters.
    request.keepsRowsWithoutLocation =
      column.isOptional && (isLive(collection) || collection.extent.hasRowsWithoutLocation)
  }

  private static func add(
    dates text: String, of collection: Collection, to request: inout RowRequest
  ) throws(Problem) {
    let dates: DateInterval
    do { dates = try DateInterval(text) } catch {
      throw .badRequest("datetime: \(error.message)")
    }
    guard let column = collection.schema.dateColumn else { return }
    request.dates = dates
    request.keepsRowsWithoutDate =
      column.isOptional && (isLive(collection) || collection.extent.hasRowsWithoutDate)
  }

  /// The value of a parameter; nil if it is missing or empty, as for the empty fields of a form.
  private static func given(_ name: String, in query: QueryItems) -> String? {
    guard let text = query[name], !text.isEmpty else { return nil }
    return text
  }

  /// Whether the condition is for changes, so that rows that do not exist yet have to meet it too.
  private static func isLive(_ collection: Collection) -> Bool {
    if case .live = collection.context.route { true } else { false }
  }

  private static func filter(
    _ text: String, of collection: Collection
  ) throws -> PredicateNode {
    let query = collection.context.query
    let options = collection.context.options
    let name = query["filter-lang"] ?? FilterLanguage.text.rawValue
    guard let language = FilterLanguage(name: name) else {
      throw Problem.badRequest("filter-lang: '\(name)' is neither cql2-text nor cql2-json")
    }
    let system = try ServedSystem.named(
      query["filter-crs"], parameter: "filter-crs", options: options)
    return try CQL2.condition(
      text, language: language, on: collection, system: system, maxDepth: options.maxFilterDepth)
  }
}

/// Values of properties in URLs.
enum PropertyValue {
  /// Reads a value of the column's type.
  static func value(_ text: String, of column: ColumnSchema) throws(Problem) -> Value {
    guard let value = value(text, type: column.type) else {
      throw .badRequest("\(column.name): '\(text)' is not a value of the type \(column.type.name)")
    }
    return value
  }

  private static func value(_ text: String, type: ValueType) -> Value? {
    switch type {
    case .bool: ["true": true, "false": false, "1": true, "0": false][text].map { .bool($0) }
    case .int: Int64(text).map { .int($0) }
    case .float, .double: Double(text).map { .double($0) }
    case .decimal128: Decimal128(text: text).map { .decimal($0) }
    case .string: .string(text)
    case .date: ISODate.parse(text.uppercased()).map { .date($0) }
    case .uuid: UUIDBytes(text).map { .uuid($0) }
    case .objectId: ObjectId(text).map { .objectId($0) }
    case .data, .point, .mixed, .link, .embedded, .geometry, .lineString, .polygon, .box: nil
    }
  }
}
