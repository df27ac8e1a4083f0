import CairnStorage
import CairnTestSupport
import CairnValues

/// Classes with every kind of link, and random rows for them: deleted targets, links to the same
/// row, repeated list elements, empty collections.
enum LinkedStore {
  static let drafts = [
    TableDraft(
      name: "Person",
      columns: [
        column("name", .string), column("age", .int, indexed: true), column("height", .double),
        column("ratio", .float), column("price", .decimal128), column("born", .date),
        column("member", .bool), column("code", .uuid), column("chip", .objectId),
        column("blob", .data), column("at", .point),
        column("boss", .link, to: "Person", indexed: true), column("dog", .link, to: "Dog"),
        column("dogs", .link, .list, to: "Dog"), column("pals", .link, .set, to: "Person"),
        column("pets", .link, .map, to: "Dog"), column("address", .embedded, to: "Address"),
        column("home", .embedded, to: "Place"), column("spots", .embedded, .list, to: "Place"),
        column("tags", .string, .list), column("scores", .int, .list),
        column("weights", .double, .set), column("sums", .decimal128, .list),
        column("chips", .objectId, .list),
        column("flags", .bool, .list), column("days", .date, .list), column("limits", .int, .map),
        column("labels", .string, .map), column("any", .mixed), column("anys", .mixed, .list),
        column("extras", .mixed, .map), column("points", .point, .list),
      ],
      inverses: [
        InverseSchema(name: "workers", origin: "Person", property: "boss"),
        InverseSchema(name: "owned", origin: "Dog", property: "owner"),
      ]),
    TableDraft(
      name: "Dog",
      columns: [
        column("name", .string), column("age", .int), column("weight", .float),
        column("owner", .link, to: "Person"), column("toys", .link, .list, to: "Toy"),
        column("any", .mixed),
      ],
      inverses: [
        InverseSchema(name: "keepers", origin: "Person", property: "dogs"),
        InverseSchema(name: "fans", origin: "Person", property: "dog"),
      ]),
    TableDraft(name: "Toy", columns: [column("name", .string), column("price", .double)]),
    TableDraft(
      name: "Address",
      columns: [
        column("city", .string), column("number", .int), column("place", .embedded, to: "Place"),
      ], isEmbedded: true),
    TableDraft(
      name: "Place",
      columns: [
        column("type", .string),
        ColumnSchema(id: 0, name: "coordinates", type: .double, collection: .list, position: 0),
      ], isEmbedded: true),
  ]
}

/// A writer of random rows into the classes of one transaction.
struct LinkedWriter {
  private let write: WriteTransaction
  var random: SplitMix64

  init(_ write: WriteTransaction, _ random: SplitMix64) {
    self.write = write
    self.random = random
  }

  private func writer(_ name: String) throws -> TableWriter {
    guard let writer = write.table(name) else {
      throw StoreError(.misuse, message: "no class \(name)")
    }
    return writer
  }

  mutating func insert(_ count: Int) throws {
    for _ in 0..<count {
      for name in ["Toy", "Dog", "Person"] { try insert(into: name) }
    }
  }

  private mutating func insert(into name: String) throws {
    let writer = try writer(name)
    let key = writer.nextKey
    var values: [Value] = []
    for column in writer.schema.properties { values.append(try value(column, writer, key)) }
    try writer.insert(values)
  }

  /// Changes and deletes random rows.
  mutating func edit(_ count: Int) throws {
    for _ in 0..<count {
      let writer = try writer(random.pick(["Person", "Person", "Dog", "Toy"]))
      guard writer.table.endKey > 0 else { continue }
      let key = random.below(writer.table.endKey)
      guard writer.table.isLive(key) else { continue }
      if random.chance(0.3) {
        try writer.delete(key)
        continue
      }
      let column = random.pick(writer.schema.properties)
      try writer.set(try value(column, writer, key), position: column.position, at: key)
    }
  }

  private mutating func value(
    _ column: ColumnSchema, _ writer: TableWriter, _ key: Int
  ) throws -> Value {
    if column.collection != .none { return .data(try collection(column, writer, key)) }
    if column.isOptional || column.isNullable, random.chance(0.15) { return .null }
    switch column.type {
    case .link: return try anyObject(of: column.target ?? "")
    case .embedded: return try embedded(column, writer, key)
    case .mixed: return .data(element(2).encoded())
    default: return scalar(column)
    }
  }

  /// A link to any object of a class, or null if the class is empty. Deletions follow later.
  private mutating func anyObject(of name: String) throws -> Value {
    let table = try writer(name).table
    for _ in 0..<8 where table.endKey > 0 {
      let key = random.below(table.endKey)
      if table.isLive(key) { return .int(Int64(key)) }
    }
    return .null
  }

  private mutating func embedded(
    _ column: ColumnSchema, _ owner: TableWriter, _ key: Int
  ) throws -> Value {
    let writer = try writer(column.target ?? "")
    let own = writer.nextKey
    let place = Owner(table: owner.schema.id, column: column.id, key: key)
    var values: [Value] = []
    // Nested embedded objects are written first, with the future key of their owner.
    for inner in writer.schema.properties {
      values.append(
        inner.name == "coordinates"
          ? .data(coordinates()) : inner.name == "type" ? type() : try value(inner, writer, own))
    }
    return .int(Int64(try writer.insert(values, owner: place)))
  }

  private mutating func type() -> Value {
    random.pick([
      .string("Point"), .string("Point"), .string("point"), .string("POINT"), .string("Line"),
      .null,
    ])
  }

  private mutating func coordinates() -> [UInt8] {
    let place = random.position()
    var numbers = [place.longitude, place.latitude]
    if random.chance(0.1) { numbers = random.pick([[], [1], [.nan, 2], [181, 0], [0, -91]]) }
    if random.chance(0.1) { numbers.append(5) }
    return StoredCollection.encode(doubles: numbers)
  }

  private mutating func collection(
    _ column: ColumnSchema, _ writer: TableWriter, _ key: Int
  ) throws -> [UInt8] {
    var values: [Value] = []
    let count = random.chance(0.25) ? 0 : random.below(5)
    for _ in 0..<count {
      switch column.type {
      case .link:
        let object = try anyObject(of: column.target ?? "")
        if object != .null { values.append(object) }
      case .embedded: values.append(try embedded(column, writer, key))
      default: values.append(random.chance(0.12) ? .null : scalar(column))
      }
    }
    if column.type == .link, column.collection == .list, let last = values.last, random.chance(0.4)
    {
      values.append(last)
    }
    let elements = (0..<count).map { _ in element(2) }
    let keys = (0..<count).map { _ in random.pick(["a", "b", "é", "", "k"]) }
    switch (column.collection, column.type) {
    case (.map, .mixed):
      return StoredCollection.encode(
        map: zip(keys, elements).map { Element.Entry(key: $0, value: $1) })
    case (.map, let type):
      if type == .link, !values.isEmpty, random.chance(0.2) { values[0] = .null }
      return StoredCollection.encode(
        map: zip(keys, values).map { (key: $0, value: $1) }, of: type)
    case (.set, let type): return StoredCollection.encode(set: values, of: type)
    case (_, .mixed): return StoredCollection.encode(elements)
    case (_, let type): return StoredCollection.encode(values, of: type)
    }
  }

  private mutating func element(_ depth: Int) -> Element {
    if depth > 0, random.chance(0.25) {
      let parts = (0..<random.below(4)).map { _ in element(depth - 1) }
      if random.chance(0.5) { return .list(parts) }
      let keys = ["a", "b", "k", "é"]
      return .map(parts.indices.map { Element.Entry(key: keys[$0], value: parts[$0]) })
    }
    switch random.below(9) {
    case 0: return .value(.null)
    case 1: return .value(.bool(random.chance(0.5)))
    case 2: return .value(.int(Int64(random.below(4))))
    case 3: return .value(.double(random.pick([0, 1, 1.5, .nan])))
    case 4: return .value(.string(random.word()))
    case 5: return .value(.decimal(Decimal128(Int64(random.below(3)))))
    case 6: return .value(.data(random.bytes(random.below(3))))
    case 7:
      let table = random.pick(["Person", "Dog"])
      guard let writer = write.table(table), writer.nextKey > 0 else { return .value(.null) }
      return .value(.link(Link(table: writer.schema.id, key: random.below(writer.nextKey))))
    default: return .value(.date(Double(random.below(5))))
    }
  }

  private mutating func scalar(_ column: ColumnSchema) -> Value {
    switch column.type {
    case .int: .int(random.chance(0.05) ? random.integer() : Int64(random.below(12)))
    case .double: .double(random.chance(0.1) ? random.double() : Double(random.below(12)) / 2)
    case .float: .float(random.chance(0.05) ? .nan : Float(random.below(12)) / 2)
    case .string: .string(random.word())
    case .bool: .bool(random.chance(0.5))
    case .date: .date(Double(random.below(8)) * 86400)
    case .decimal128: .decimal(Decimal128(Int64(random.below(40))) / Decimal128(Int64(4)))
    case .data: .data(random.bytes(random.below(3)))
    case .uuid:
      .uuid([UInt8(random.below(3))].padded(to: 16).withUnsafeBytes { UUIDBytes(storedBytes: $0) })
    case .objectId:
      .objectId(
        [UInt8(random.below(3))].padded(to: 12).withUnsafeBytes { ObjectId(storedBytes: $0) })
    default: .point(random.position())
    }
  }
}

extension [UInt8] {
  /// The bytes, padded with zeros to a size.
  fileprivate func padded(to size: Int) -> [UInt8] {
    self + Array(repeating: 0, count: size - count)
  }
}
