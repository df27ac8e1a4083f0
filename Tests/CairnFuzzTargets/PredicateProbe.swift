import CairnQuery
import CairnStorage
import CairnValues

/// Parses text as a predicate and evaluates it on two stores with the same content.
enum PredicateProbe {
  static func read(_ text: String) {
    do throws(PredicateError) {
      check(try Predicate(parsing: text), text)
    } catch {
      require(isWithin(error, text), "'\(text)' is rejected at \(String(describing: error.offset))")
    }
  }

  private static func isWithin(_ error: PredicateError, _ text: String) -> Bool {
    (error.offset.map { 0...text.utf8.count ~= $0 } ?? false) && !error.description.isEmpty
  }

  /// Checks that a parsed predicate survives printing and parsing.
  private static func check(_ predicate: Predicate, _ text: String) {
    let printed = "\(predicate)"
    guard let again = try? Predicate(parsing: printed) else {
      fatalError("'\(text)' is printed as '\(printed)', which does not parse")
    }
    require(again == predicate, "'\(text)' is printed as '\(printed)', a different predicate")
    require("\(again)" == printed, "'\(text)' is printed as '\(printed)' and then as '\(again)'")
    PredicateWorld.ask(predicate)
  }
}

/// Stops the process unless a condition holds.
func require(_ holds: Bool, _ message: @autoclosure () -> String) {
  if !holds { fatalError(message()) }
}

/// Two in-memory stores with the same rows, one with value indexes and one without.
enum PredicateWorld {
  private static let stores = [false, true].map(make)

  /// Checks that a predicate matches the same rows with and without an index, and that its negation
  /// matches all others.
  static func ask(_ predicate: Predicate) {
    let answers = stores.map { answer(predicate, $0) }
    require(answers[0] == answers[1], "an index changes the result of '\(predicate)'")
  }

  /// The rows that match the predicate, or nil if it does not bind to the class.
  private static func answer(_ predicate: Predicate, _ store: Store) -> [Int]? {
    guard let snapshot = try? store.snapshot(), let table = snapshot.table(name) else {
      fatalError("cannot read the rows of the store")
    }
    defer { withExtendedLifetime(snapshot) {} }
    guard let bound = try? predicate.bound(to: table.schema, in: table.classes) else { return nil }
    checkText(bound, table)
    let keys = rows(predicate, table)
    let others = rows(Predicate(.not(predicate.root)), table)
    let all = rows(.true, table)
    require(
      (keys + others).sorted() == all, "'\(predicate)' and its negation do not cover all rows")
    return keys
  }

  private static func rows(_ predicate: Predicate, _ table: Table) -> [Int] {
    let query = TableQuery(table: name, predicate: predicate)
    guard let execution = try? Execution(query, on: table) else {
      fatalError("'\(predicate)' binds to the class but cannot be run")
    }
    let keys = execution.keys()
    require(execution.count() == keys.count, "the count of '\(predicate)' differs from its rows")
    require(execution.first() == keys.first, "the first row of '\(predicate)' differs")
    return keys
  }

  /// Checks that a bound predicate survives printing and parsing.
  private static func checkText(_ bound: BoundPredicate, _ table: Table) {
    let again = try? Predicate(parsing: "\(bound)").bound(to: table.schema, in: table.classes)
    require(again == bound, "'\(bound)' is read back as '\(again.map { "\($0)" } ?? "nothing")'")
  }

  // MARK: Rows

  private static let name = "Row"

  private static func make(isIndexed: Bool) -> Store {
    do {
      let store = try Store.openInMemory(identifier: isIndexed ? "fuzz-indexed" : "fuzz-plain")
      let write = try store.beginWrite()
      let writer = try write.createTable(name, columns: PredicateRows.columns(isIndexed))
      for number in 0..<PredicateRows.count { try writer.insert(PredicateRows.row(number)) }
      try write.commit()
      return store
    } catch { fatalError("cannot create a store: \(error)") }
  }
}

/// The rows that predicates are evaluated on: a property of every type and collection, few distinct
/// values, and a null in every third row.
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
      // The first two rows have no row to link to.
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
    case .mixed, .link, .embedded, .geometry, .lineString, .polygon, .box: return .null
    }
  }

  private static func bytes(_ count: Int, _ first: Int) -> [UInt8] {
    [UInt8(first)] + Array(repeating: 0, count: count - 1)
  }
}
