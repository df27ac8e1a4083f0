import CairnGeometry
import CairnIO
import CairnStorage
import CairnSystem
import CairnValues

/// The feature in the body of a request that changes an item.
struct FeatureBody: Sendable {
  private let bytes: [UInt8]
  private let feature: ParsedJSON
  private let properties: [(name: String, value: ParsedJSON)]
  /// Whether members that are missing keep their values.
  private let isPart: Bool
  /// The coordinate system of the geometry.
  private let system: ServedSystem

  /// The members that GeoJSON and the items of this service have. Those after the first four say
  /// nothing about the item.
  private static let members = ["type", "id", "geometry", "properties", "links", "bbox"]
  private static let types = [
    "application/geo+json", "application/json", "application/merge-patch+json",
  ]
  /// The types of new items, for the header `Accept-Post`.
  static let newTypes = types.prefix(2).joined(separator: ", ")
  /// The types of parts of items, for the header `Accept-Patch`.
  static let partTypes = types.reversed().joined(separator: ", ")

  /// - Throws: A problem if the body is not a feature in one of the service's coordinate systems.
  init(_ request: Request, isPart: Bool, options: ServiceOptions) throws(Problem) {
    guard let type = request.headers["Content-Type"] else {
      throw .badRequest("the header Content-Type is missing, such as \(Self.types[0])")
    }
    let bare = type.prefix { $0 != ";" }.lowercased()
    guard Self.types.contains(bare.filter { $0 != " " }) else {
      throw Problem(415, detail: "the body has to be GeoJSON, with a type such as \(Self.types[0])")
    }
    let header = request.headers["Content-Crs"]?.filter { !"<> ".contains($0) }
    system = try .named(header, parameter: "Content-Crs", options: options)
    guard let text = String(validating: request.body, as: UTF8.self) else {
      throw .badRequest("the body is not UTF-8")
    }
    bytes = request.body
    self.isPart = isPart
    do { feature = try JSONReader.read(text) } catch {
      throw .badRequest("the body is not JSON: \(error.message), at byte \(error.offset + 1)")
    }
    guard case .object(let members) = feature.content else {
      throw .badRequest("the body is not a feature")
    }
    for (name, _) in members where !Self.members.contains(name) {
      throw .badRequest("a feature has no member '\(name)'; values belong in 'properties'")
    }
    guard feature["type"]?.string == "Feature" || isPart && feature["type"] == nil else {
      throw .badRequest("the member 'type' has to be \"Feature\"")
    }
    switch feature["properties"]?.content {
    case .object(let properties): self.properties = properties
    case nil, .null: properties = []
    default: throw .badRequest("the member 'properties' is not an object")
    }
  }

  // MARK: Values

  /// The values of a new row, in the order of the properties.
  func newValues(of schema: TableSchema) throws -> [Value] {
    var values = try given(of: schema)
    if let position = schema.primaryKey {
      let column = schema.columns[position]
      values[position] = try id(of: column) ?? values[position] ?? newKey(column)
    }
    return try schema.properties.map { column in
      if let value = values[column.position] { return value }
      if column.isNullable { return .null }
      guard column.collection == .none else { return .defaultValue(of: column.storedType) }
      throw missing(column, of: schema)
    }
  }

  /// The values to set, by the positions of their columns. Collections, links and embedded objects
  /// keep theirs.
  ///
  /// - Parameter id: The identifier of the item, which cannot change.
  func values(of schema: TableSchema, id: String) throws -> [Int: Value] {
    var values = try given(of: schema)
    if let position = schema.primaryKey {
      let column = schema.columns[position]
      let key = try PropertyValue.value(id, of: column)
      for other in [values[position], try self.id(of: column)] where other != nil && other != key {
        throw Problem.badRequest("the id of an item cannot change")
      }
      values[position] = nil
    } else if let other = feature["id"], other.plainText != id {
      throw Problem.badRequest("the id of an item cannot change")
    }
    guard !isPart else { return values }
    for column in schema.properties
    where values[column.position] == nil && !column.isPrimaryKey && column.isSettable {
      guard column.isNullable else { throw missing(column, of: schema) }
      values[column.position] = .null
    }
    return values
  }

  private func missing(_ column: ColumnSchema, of schema: TableSchema) -> Problem {
    column.position == schema.spatialColumn?.position
      ? .badRequest("the geometry is missing, which '\(schema.name)' cannot lack")
      : .badRequest("the property '\(column.name)' is missing, which cannot be null")
  }

  /// The values that the feature has.
  private func given(of schema: TableSchema) throws -> [Int: Value] {
    var values: [Int: Value] = [:]
    let main = schema.spatialColumn
    for (name, json) in properties {
      guard let column = schema.properties.first(where: { $0.name == name }) else {
        let problem = Problem.notFound(
          "property", name: name, among: schema.properties.map(\.name))
        throw Problem.badRequest(problem.detail)
      }
      guard column.position != main?.position else {
        throw Problem.badRequest("the property '\(name)' belongs in the member 'geometry'")
      }
      guard values[column.position] == nil else {
        throw Problem.badRequest("the property '\(name)' is there twice")
      }
      values[column.position] = try value(json, of: column)
    }
    if let json = feature["geometry"] {
      if let main {
        values[main.position] = try value(json, of: main)
      } else if !json.isNull {
        throw Problem.badRequest("the items of '\(schema.name)' have no geometry")
      }
    }
    return values
  }

  /// The member `id` as a primary key; nil if the feature has none.
  private func id(of column: ColumnSchema) throws(Problem) -> Value? {
    guard let json = feature["id"] else { return nil }
    guard let text = json.plainText else {
      throw .badRequest("the member 'id' is neither a string nor a number")
    }
    return try PropertyValue.value(text, of: column)
  }

  /// A key for a new item whose client leaves the choice to the service.
  private func newKey(_ column: ColumnSchema) throws(Problem) -> Value {
    switch column.type {
    case .objectId: return .objectId(.generate())
    case .uuid:
      // Version 4, variant 1.
      let high = UInt64.random(in: 0 ... .max) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
      let low = UInt64.random(in: 0 ... .max) >> 2 | 1 << 63
      return .uuid(UUIDBytes(high: high, low: low))
    default:
      throw .badRequest("the id is missing, which is the primary key '\(column.name)'")
    }
  }

  private func value(_ json: ParsedJSON, of column: ColumnSchema) throws -> Value {
    if json.isNull { return .null }
    guard column.isSettable else {
      throw Problem.badRequest(
        "the property '\(column.name)' is a \(column.typeName), which requests cannot set")
    }
    let value =
      column.isSpatial
      ? try geometry(json, of: column) : try json.value(of: column)
    guard let value else {
      let text = text(of: json).prefix(80)
      throw Problem.badRequest(
        "\(column.name): \(text) is not a value of the type \(column.type.name)")
    }
    return value
  }

  private func text(of json: ParsedJSON) -> String {
    String(decoding: bytes[json.offset..<json.end], as: UTF8.self)
  }

  private func geometry(_ json: ParsedJSON, of column: ColumnSchema) throws -> Value? {
    guard system.code == nil else { return try projected(text(of: json), of: column) }
    if column.isPoint {
      guard json["type"]?.string == "Point", let parts = json["coordinates"]?.elements,
        case let numbers = parts.compactMap(\.number), numbers.count == parts.count,
        (2...3).contains(numbers.count)
      else { return nil }
      return .point(
        Position(
          latitude: numbers[1], longitude: numbers[0],
          altitude: numbers.count == 3 ? numbers[2] : 0))
    }
    let geometry = try Geometry(geoJSON: text(of: json))
    try geometry.validate(edges: .planar)
    return .geometry(geometry.bytes)
  }

  /// A geometry of another coordinate system, without its heights.
  private func projected(_ text: String, of column: ColumnSchema) throws -> Value? {
    let geometry = try CQL2Shapes(system: system).geometry(geoJSON: text)
    guard column.isPoint else {
      try geometry.validate(edges: .planar)
      return .geometry(geometry.bytes)
    }
    guard geometry.kind == .point, !geometry.isEmpty else { return nil }
    return geometry.withView { view in
      .point(Position(latitude: view.latitude(0), longitude: view.longitude(0), altitude: 0))
    }
  }
}

extension ColumnSchema {
  /// Whether a request can set the property.
  fileprivate var isSettable: Bool {
    guard collection == .none else { return false }
    return switch type {
    case .link, .embedded, .mixed, .box: false
    default: true
    }
  }
}

extension ParsedJSON {
  fileprivate var isNull: Bool {
    if case .null = content { true } else { false }
  }

  /// The value of a number; nil for other values.
  fileprivate var number: Double? {
    guard case .number(let text) = content else { return nil }
    return Double(text)
  }

  /// The text of a string or a number; nil for other values.
  fileprivate var plainText: String? {
    switch content {
    case .string(let text), .number(let text): text
    default: nil
    }
  }

  /// The value as one of a column's type; nil if it is of another type.
  fileprivate func value(of column: ColumnSchema) throws(Problem) -> Value? {
    switch (column.type, content) {
    case (.bool, .bool(let flag)): return .bool(flag)
    case (.int, .number(let text)):
      return (Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }).map { .int($0) }
    case (.float, .number(let text)):
      return Float(text).flatMap { $0.isFinite ? .float($0) : nil }
    case (.double, .number(let text)): return Double(text).map { .double($0) }
    case (.decimal128, .number(let text)), (.decimal128, .string(let text)),
      (.date, .string(let text)), (.uuid, .string(let text)), (.objectId, .string(let text)):
      return try PropertyValue.value(text, of: column)
    case (.string, .string(let text)): return .string(text)
    case (.data, .string(let text)): return Base64.decode(text).map { .data($0) }
    default: return nil
    }
  }
}
