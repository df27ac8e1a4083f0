import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// A store and a `LinkModel` that undergo the same random changes.
struct LinkWorkload {
  let folder: TemporaryFolder
  private var opened: Store?
  var store: Store {
    guard let opened else { preconditionFailure("the store is closed") }
    return opened
  }
  private(set) var model = LinkModel()
  var source: ValueSource
  private var nextID: Int64 = 0

  init(seed: UInt64, in folder: TemporaryFolder? = nil) throws {
    let folder = try folder ?? TemporaryFolder(inMemory: true)
    self.folder = folder
    let store = try folder.store()
    opened = store
    source = ValueSource(seed: seed)
    try store.write { _ = try $0.createTables(LinkModel.drafts) }
  }

  mutating func reopen() throws { opened = try Store.open(folder.file(), mode: .readWrite) }

  /// Closes the store.
  mutating func close() { opened = nil }

  /// Makes one transaction of random changes.
  mutating func transact(
    _ changes: Int, commits: Bool,
    inside: (WriteTransaction, LinkModel) throws -> Void
  ) throws {
    let before = model
    let transaction = try store.beginWrite()
    for _ in 0..<changes { try change(transaction) }
    try inside(transaction, model)
    if commits {
      try transaction.commit()
    } else {
      transaction.rollback()
      model = before
    }
  }

  private mutating func change(_ transaction: WriteTransaction) throws {
    switch source.int(1...100) {
    case ...35: _ = try insert(["Person", "Dog"][source.int(0...1)], nil, transaction)
    case ...80: try setSomething(transaction)
    case ...92: try deleteSomething(transaction)
    case ...98: try failSomehow(transaction)
    default: try deleteAll(transaction)
    }
  }

  /// Inserts a row of random cells, after the objects that are embedded in it.
  private mutating func insert(
    _ name: String, _ home: LinkModel.Home?, _ transaction: WriteTransaction
  ) throws -> Int {
    let writer = try #require(transaction.table(name))
    // Objects of the same class that are embedded in the row take keys before it. Without them the
    // key is known in advance.
    var cells: [LinkModel.Cell] = []
    let columns = LinkModel.columns(name)
    for (position, column) in columns.enumerated() {
      if column.type == .embedded {
        cells.append(
          column.target == name
            ? .one(nil)
            : try embedded(
              column, LinkModel.Home(table: name, column: position, key: writer.nextKey),
              transaction))
      } else {
        cells.append(cell(column))
      }
    }
    let key = try writer.insert(
      zip(columns, cells).map { $1.stored($0) }, owner: try home.map { try owner($0, transaction) })
    model.rows[name]?[key] = LinkModel.Row(cells: cells, home: home)
    return key
  }

  private func owner(_ home: LinkModel.Home, _ transaction: WriteTransaction) throws -> Owner {
    let schema = try #require(transaction.table(home.table)).schema
    return Owner(table: schema.id, column: schema.columns[home.column].id, key: home.key)
  }

  /// New objects that are embedded in a property, or none.
  private mutating func embedded(
    _ column: ColumnSchema, _ home: LinkModel.Home, _ transaction: WriteTransaction
  ) throws -> LinkModel.Cell {
    let target = column.target ?? ""
    guard column.collection == .none else {
      var keys: [Int] = []
      for _ in 0..<source.int(0...2) { keys.append(try insert(target, home, transaction)) }
      return .many(keys)
    }
    return source.chance(30) ? .one(nil) : .one(try insert(target, home, transaction))
  }

  /// The random content of a property without embedded objects.
  private mutating func cell(_ column: ColumnSchema) -> LinkModel.Cell {
    if column.isPrimaryKey {
      nextID += 1
      return .value(.int(nextID))
    }
    if column.name == "type" {
      return .value(
        [.string("Point"), .string("pOINT"), .null, .string("Line")][source.int(0...3)])
    }
    if column.name == "coordinates" { return .value(.data(coordinates())) }
    guard column.type == .link else {
      return .value(source.chance(20) ? .null : .string(source.text(.plain)))
    }
    let live = (model.rows[column.target ?? ""] ?? [:]).keys.sorted()
    func pick() -> Int? { live.isEmpty ? nil : live[source.int(0...live.count - 1)] }
    switch column.collection {
    case .none: return .one(source.chance(20) ? nil : pick())
    case .list: return .many((0..<source.int(0...4)).compactMap { _ in pick() })
    case .set: return .many(Set((0..<source.int(0...4)).compactMap { _ in pick() }).sorted())
    case .map:
      var entries: [String: Int?] = [:]
      for _ in 0..<source.int(0...3) { entries["k\(source.int(0...9))"] = .some(pick()) }
      return .map(entries)
    }
  }

  private mutating func coordinates() -> [UInt8] {
    let place = source.position(.plain)
    switch source.int(0...7) {
    case 0: return StoredCollection.encode(doubles: [place.longitude])
    case 1: return StoredCollection.encode(doubles: [.nan, place.latitude])
    case 2: return StoredCollection.encode(doubles: [place.longitude, 90.5, 3])
    case 3: return StoredCollection.encode([.null, .double(1)], of: .double)
    case 4: return StoredCollection.encode(doubles: [place.longitude, place.latitude, 812])
    default: return StoredCollection.encode(doubles: [place.longitude, place.latitude])
    }
  }

  private mutating func someRow() -> (table: String, key: Int)? {
    let name = ["Person", "Dog", "Address", "Spot"][source.int(0...3)]
    let live = (model.rows[name] ?? [:]).keys.sorted()
    return live.isEmpty ? nil : (name, live[source.int(0...live.count - 1)])
  }

  private mutating func setSomething(_ transaction: WriteTransaction) throws {
    guard let (name, key) = someRow() else { return }
    let columns = LinkModel.columns(name)
    let position = source.int(0...columns.count - 1)
    let column = columns[position]
    let cell: LinkModel.Cell
    if column.type == .embedded {
      let home = LinkModel.Home(table: name, column: position, key: key)
      var kept = model.rows[name]?[key]?.cells[position] ?? .one(nil)
      if case .many(let keys) = kept, source.chance(60) {
        let fresh = try embedded(column, home, transaction).keys
        kept = .many(keys.filter { model.isLive(column.target ?? "", $0) && $0 % 2 == 0 } + fresh)
      } else {
        kept = try embedded(column, home, transaction)
      }
      cell = kept
    } else {
      cell = self.cell(column)
    }
    try #require(transaction.table(name)).set(cell.stored(column), position: position, at: key)
    model.set(cell, name, position, key)
  }

  private mutating func deleteSomething(_ transaction: WriteTransaction) throws {
    guard let (name, key) = someRow() else { return }
    try #require(transaction.table(name)).delete(key)
    model.delete(name, key)
  }

  private mutating func deleteAll(_ transaction: WriteTransaction) throws {
    let name = ["Person", "Dog", "Address", "Spot"][source.int(0...3)]
    try #require(transaction.table(name)).deleteAll()
    for key in (model.rows[name] ?? [:]).keys.sorted() { model.delete(name, key) }
  }

  /// Statements that must fail and change nothing.
  private mutating func failSomehow(_ transaction: WriteTransaction) throws {
    let people = try #require(transaction.table("Person"))
    let spots = try #require(transaction.table("Spot"))
    let empty = Value.data([])
    func person(_ id: Value, friend: Value, at: Value = .null) -> [Value] {
      [id, friend, empty, empty, empty, .null, empty, at]
    }
    let beyond = Value.int(Int64(people.nextKey + 5))
    #expect(throws: StoreError.self) { try people.insert(person(.int(-1), friend: beyond)) }
    #expect(throws: StoreError.self) { try people.insert(person(.string("x"), friend: .null)) }
    #expect(throws: StoreError.self) { try people.insert([.int(-1)]) }
    #expect(throws: StoreError.self) { try spots.insert([.string("Point"), empty]) }
    #expect(throws: StoreError.self) {
      try people.insert(
        person(.int(-1), friend: .null),
        owner: Owner(table: people.schema.id, column: 5, key: 0))
    }
    guard let taken = model.rows["Person"]?.first, case .value(let id) = taken.value.cells[0] else {
      return
    }
    #expect(throws: StoreError.self) { try people.insert(person(id, friend: .null)) }
    #expect(throws: StoreError.self) { try people.set(beyond, position: 1, at: taken.key) }
    if let foreign = model.rows["Spot"]?.first(where: { $0.value.home?.table != "Person" }) {
      let spot = Value.int(Int64(foreign.key))
      #expect(throws: StoreError.self) { try people.set(spot, position: 7, at: taken.key) }
      #expect(throws: StoreError.self) {
        try people.insert(person(.int(-1), friend: .null, at: spot))
      }
    }
  }
}
