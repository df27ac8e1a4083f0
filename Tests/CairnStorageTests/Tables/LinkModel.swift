import CairnTestSupport
import CairnValues

@testable import CairnStorage

/// Four classes that link to each other and embed each other, as plain dictionaries.
struct LinkModel {
  /// The content of a property.
  enum Cell: Equatable {
    case value(Value)
    /// An object, or nil.
    case one(Int?)
    case many([Int])
    case map([String: Int?])

    /// The objects that the cell leads to, including deleted ones.
    var keys: [Int] {
      switch self {
      case .value: []
      case .one(let key): key.map { [$0] } ?? []
      case .many(let keys): keys
      case .map(let entries): entries.values.compactMap { $0 }
      }
    }

    /// The stored form of the cell.
    func stored(_ column: ColumnSchema) -> Value {
      switch self {
      case .value(let value): value
      case .one(let key): key.map { .int(Int64($0)) } ?? .null
      case .many(let keys):
        .data(
          column.collection == .set
            ? StoredCollection.encode(set: keys.map { .int(Int64($0)) }, of: column.type)
            : StoredCollection.encode(links: keys))
      case .map(let entries):
        .data(
          StoredCollection.encode(
            map: entries.map { ($0.key, $0.value.map { .int(Int64($0)) } ?? .null) },
            of: column.type))
      }
    }
  }

  struct Home: Equatable {
    let table: String
    let column: Int
    let key: Int
  }

  struct Row: Equatable {
    var cells: [Cell]
    var home: Home?
  }

  var rows: [String: [Int: Row]] = ["Person": [:], "Dog": [:], "Address": [:], "Spot": [:]]

  static let drafts = [
    TableDraft(
      name: "Person",
      columns: [
        column("id", .int, key: true), column("friend", .link, to: "Person"),
        column("pets", .link, .list, to: "Dog"), column("known", .link, .set, to: "Person"),
        column("named", .link, .map, to: "Dog"), column("home", .embedded, to: "Address"),
        column("others", .embedded, .list, to: "Address"), column("at", .embedded, to: "Spot"),
      ], inverses: [InverseSchema(name: "admirers", origin: "Person", property: "known")]),
    TableDraft(
      name: "Dog", columns: [column("name", .string), column("den", .embedded, to: "Spot")],
      inverses: [
        InverseSchema(name: "owners", origin: "Person", property: "pets"),
        InverseSchema(name: "callers", origin: "Person", property: "named"),
      ]),
    TableDraft(
      name: "Address",
      columns: [
        column("street", .string), column("spot", .embedded, to: "Spot"),
        column("under", .embedded, to: "Address"),
      ], isEmbedded: true),
    TableDraft(
      name: "Spot",
      columns: [column("type", .string), column("coordinates", .double, .list)],
      isEmbedded: true),
  ]

  private static func column(
    _ name: String, _ type: ValueType, _ kind: CollectionKind = .none, to target: String? = nil,
    key: Bool = false
  ) -> ColumnSchema {
    ColumnSchema(
      id: 0, name: name, type: type, collection: kind, isOptional: !key, isPrimaryKey: key,
      target: target, position: 0)
  }

  /// The properties of a class.
  static func columns(_ table: String) -> [ColumnSchema] {
    drafts.first { $0.name == table }?.columns ?? []
  }

  func isLive(_ table: String, _ key: Int) -> Bool { rows[table]?[key] != nil }

  /// Deletes a row with all objects that are embedded in it.
  mutating func delete(_ table: String, _ key: Int) {
    guard let row = rows[table]?.removeValue(forKey: key) else { return }
    for (column, cell) in zip(Self.columns(table), row.cells) where column.type == .embedded {
      for child in cell.keys { delete(column.target ?? "", child) }
    }
  }

  /// Sets a cell, and deletes the embedded objects that are no longer in it.
  mutating func set(_ cell: Cell, _ table: String, _ position: Int, _ key: Int) {
    let column = Self.columns(table)[position]
    let old = rows[table]?[key]?.cells[position]
    rows[table]?[key]?.cells[position] = cell
    guard column.type == .embedded, let old else { return }
    for child in old.keys where !cell.keys.contains(child) { delete(column.target ?? "", child) }
  }

  /// The location that a spot describes.
  func place(_ spot: Int?) -> Value {
    guard let spot, let row = rows["Spot"]?[spot], case .value(.string(let type)) = row.cells[0],
      type.lowercased() == "point", case .value(.data(let bytes)) = row.cells[1]
    else { return .null }
    let numbers = bytes.withUnsafeBytes { raw -> [Value] in
      let stored = StoredCollection(raw, of: .double, isMap: false)
      return (0..<stored.count).map(stored.value)
    }
    guard numbers.count >= 2, case .double(let longitude) = numbers[0],
      case .double(let latitude) = numbers[1], abs(longitude) <= 180, abs(latitude) <= 90
    else { return .null }
    return .point(Position(latitude: latitude, longitude: longitude))
  }

  /// For each object the objects that link to it through a property, once for each link.
  func sources(through position: Int, of table: String) -> [Int: [Int]] {
    let target = Self.columns(table)[position].target ?? ""
    var sources: [Int: [Int]] = [:]
    for (source, row) in (rows[table] ?? [:]).sorted(by: { $0.key < $1.key }) {
      for key in row.cells[position].keys where isLive(target, key) {
        sources[key, default: []].append(source)
      }
    }
    return sources
  }
}
