import CairnStorage
import CairnValues

/// The rows that conditions are asked of: a property of every type and collection, few values, every third row a null.
enum PredicateRows {
  static let count = 130

  static func columns(_ isIndexed: Bool) -> [ColumnSchema] {
    kinds.enumerated().map { position, kind in
      let canBeIndexed = kind.collection == .none && indexable.contains(kind.type)
      return ColumnSchema(
        id: 0, name: kind.name, type: kind.type, collection: kind.collection, isOptional: true,
        isIndexed: isIndexed && canBeIndexed, target: kind.type == .link ? "Row" : nil,
        position: position)
    }
  }

  private static let kinds: [(name: String, type: ValueType, collection: CollectionKind)] =
    [
      ("a", .int, .none), ("b", .bool, .none), ("c", .string, .none), ("d", .double, .none),
      ("e", .date, .none), ("f", .float, .none), ("g", .point, .none), ("h", .decimal128, .none),
      ("i", .data, .none), ("j", .uuid, .none), ("k", .objectId, .none), ("m", .mixed, .none),
      ("n", .link, .none), ("as", .int, .list), ("cs", .string, .list), ("ds", .double, .set),
      ("am", .int, .map), ("ms", .mixed, .list), ("ns", .link, .list), ("gs", .point, .list),
    ]

  private static let indexable: Set<ValueType> = [
    .bool, .int, .double, .float, .string, .date, .uuid, .objectId, .link,
  ]

  static func row(_ number: Int) -> [Value] {
    kinds.enumerated().map { place, kind in
      let seed = number &* 7 &+ place
      // The first two have nobody to link to.
      let isNull =
        kind.type == .link ? number < 2 : kind.collection == .none && seed.isMultiple(of: 3)
      if isNull { return kind.collection == .none ? .null : .data([]) }
      guard kind.collection == .none else {
        return .data(collection(kind.type, kind.collection, seed))
      }
      switch kind.type {
      case .mixed: return .data(Element.value(value(mixed[seed % mixed.count], seed)).encoded())
      case .link: return .int(Int64(seed % number))
      default: return value(kind.type, seed)
      }
    }
  }

  private static let mixed: [ValueType] = [
    .int, .string, .double, .bool, .date, .decimal128, .data,
  ]

  private static func collection(
    _ type: ValueType, _ kind: CollectionKind, _ seed: Int
  ) -> [UInt8] {
    let values = (0..<seed % 4).map { value(type == .link ? .int : type, seed &* 5 &+ $0) }
    switch (kind, type) {
    case (.map, _):
      return StoredCollection.encode(map: Array(zip(["k", "", "é"], values)), of: type)
    case (.set, _): return StoredCollection.encode(set: values, of: type)
    case (_, .link):
      return StoredCollection.encode(links: values.isEmpty ? [] : [0, seed % 2])
    case (_, .mixed):
      return StoredCollection.encode(
        values.indices.map { Element.value(value(mixed[(seed &+ $0) % mixed.count], seed)) })
    default: return StoredCollection.encode(values, of: type)
    }
  }

  private static let texts = ["", "a", "A", "é", "e\u{301}", "ab", "a*b?", "Saint", "ß", "日本"]
  private static let doubles = [0, 1, -1, 0.5, 1e300, -0.0, .nan, .infinity, 9_007_199_254_740_992]

  private static func value(_ type: ValueType, _ seed: Int) -> Value {
    let small = seed % 11
    switch type {
    case .bool: return .bool(seed.isMultiple(of: 2))
    case .int: return .int(small == 0 ? .min : small == 1 ? .max : Int64(small) - 4)
    case .float: return .float(Float(doubles[seed % doubles.count]))
    case .double: return .double(doubles[seed % doubles.count])
    case .date: return .date(Double(small) * 86400)
    case .string: return .string(texts[seed % texts.count])
    case .data: return .data(Array(texts[seed % texts.count].utf8))
    case .decimal128: return .decimal(Decimal128(Int64(small)) / Decimal128(Int64(4)))
    case .uuid: return .uuid(bytes(16, small).withUnsafeBytes { UUIDBytes(storedBytes: $0) })
    case .objectId: return .objectId(bytes(12, small).withUnsafeBytes { ObjectId(storedBytes: $0) })
    case .point:
      return .point(
        Position(
          latitude: Double(seed % 181 - 90), longitude: Double(seed &* 3 % 361 - 180), altitude: 0))
    case .mixed, .link, .embedded: return .null
    }
  }

  private static func bytes(_ count: Int, _ first: Int) -> [UInt8] {
    [UInt8(first)] + Array(repeating: 0, count: count - 1)
  }
}
