import CairnTestSupport
import CairnValues

@testable import CairnStorage

/// A store with something of everything: links and embedded objects, collections, value indexes,
/// base and delta runs of R-trees with deleted rows, bulk loads and single writes.
enum MixedStore {
  static let columns = [
    BulkColumn(name: "key", type: .int, isOptional: false),
    BulkColumn(name: "at", type: .point, isOptional: true),
    BulkColumn(name: "name", type: .string, isOptional: true),
    BulkColumn(name: "size", type: .double, isOptional: true),
  ]

  /// The files that were made before.
  private static let files = Locked<[Origin: [UInt8]]>([:])

  /// The arguments that determine the content of a store.
  private struct Origin: Hashable {
    let seed: UInt64
    let rows: Int
  }

  /// Creates the store, or copies one with the same arguments. The seed counts only in a soak run;
  /// otherwise the tests share one store of each size, because a copy is cheap.
  static func make(
    _ folder: TemporaryFolder, seed: UInt64, rows: Int = Soak.count(5000, long: 6000)
  ) throws {
    let origin = Origin(seed: Soak.isOn ? seed : 11, rows: rows)
    // Tests that need the same store wait for the one that makes it.
    let bytes = try files.withLock { files in
      if let bytes = files[origin] { return bytes }
      let made = try TemporaryFolder(inMemory: true)
      try build(made, seed: origin.seed, rows: rows)
      let bytes = try contents(made.file())
      files[origin] = bytes
      return bytes
    }
    try write(bytes, to: folder.file())
  }

  /// Creates the store in a few commits.
  private static func build(_ folder: TemporaryFolder, seed: UInt64, rows: Int) throws {
    var work = try LinkWorkload(seed: seed, in: folder)
    for _ in 0..<6 { try work.transact(40, commits: true) { _, _ in } }
    let store = work.store
    try Batch(columns, rows: rows, seed: seed).load(
      into: store, "Place", location: 1, primaryKey: 0, indexed: [2])
    var source = ValueSource(seed: seed + 1)
    try store.write { transaction in
      guard let writer = transaction.table("Place") else { return }
      for _ in 0..<60 {
        let key = source.int(0...rows - 1)
        guard writer.table.isLive(key) else { continue }
        switch source.int(0...2) {
        case 0: try writer.delete(key)
        case 1: try writer.set(source.value(of: .point, .plain), position: 1, at: key)
        default: try writer.set(.string(source.text(.plain)), position: 2, at: key)
        }
      }
      for row in 0..<150 {
        try writer.insert([
          .int(Int64(rows + row)), source.value(of: .point, .plain), .null, .double(1.5),
        ])
      }
    }
    // A few more rows, which are not indexed yet.
    try store.write { transaction in
      guard let writer = transaction.table("Place") else { return }
      for key in rows..<rows + 3 {
        try writer.set(source.value(of: .point, .plain), position: 1, at: key)
        try writer.set(.string(source.text(.plain)), position: 2, at: key + 3)
        try writer.delete(key + 6)
        try writer.insert([
          .int(Int64(2 * rows + key)), source.value(of: .point, .plain), .string("new"), .null,
        ])
      }
    }
    try store.write { transaction in
      let writer = try transaction.createTable("Every", columns: EveryColumnTests.columns)
      for _ in 0..<30 {
        try writer.insert(EveryColumnTests.columns.map { cell($0, &source) })
      }
    }
  }

  /// A random value of a column, as a row stores it.
  private static func cell(_ column: ColumnSchema, _ source: inout ValueSource) -> Value {
    if column.isNullable, source.chance(30) { return .null }
    let flavour: ValueSource.Flavour = source.chance(50) ? .plain : .extreme
    if column.collection == .none {
      guard column.type == .mixed else { return source.value(of: column.type, flavour) }
      return .data(element(&source).encoded())
    }
    let values = (0..<source.int(0...5)).map { _ -> Value in
      column.isOptional && source.chance(20) ? .null : source.value(of: column.type, .plain)
    }
    switch (column.collection, column.type) {
    case (.map, .mixed):
      return .data(
        StoredCollection.encode(
          map: values.indices.map { Element.Entry(key: "k\($0)", value: element(&source)) }))
    case (.map, let type):
      return .data(
        StoredCollection.encode(
          map: values.enumerated().map { ("k\($0.offset)", $0.element) }, of: type))
    case (.set, .mixed):
      return .data(StoredCollection.encode(set: values.map { _ in element(&source) }))
    case (.set, let type): return .data(StoredCollection.encode(set: values, of: type))
    case (_, .mixed): return .data(StoredCollection.encode(values.map { _ in element(&source) }))
    case (_, let type): return .data(StoredCollection.encode(values, of: type))
    }
  }

  private static func element(_ source: inout ValueSource) -> Element {
    let types = ValueSource.storedTypes
    let value = source.value(of: types[source.int(0...types.count - 1)], .plain)
    switch source.int(0...5) {
    case 0: return .list([.value(value), .value(.null), .list([])])
    case 1: return .map([Element.Entry(key: "a", value: .value(value))])
    default: return .value(value)
    }
  }
}

extension Store {
  /// A digest of every live row with its key and values, folded into one number for each class.
  func rowDigests() throws -> [String: Int] {
    let snapshot = try snapshot()
    var digests: [String: Int] = [:]
    for schema in snapshot.schema.tables {
      let table = snapshot.table(schema)
      var hasher = Hasher()
      hasher.combine(schema)
      for key in 0..<table.endKey where table.isLive(key) {
        hasher.combine(key)
        for column in schema.columns {
          table.value(column.position, at: key).combineBits(into: &hasher)
        }
      }
      digests[schema.name] = hasher.finalize()
    }
    return digests
  }
}

extension Value {
  /// Hashes kind and content bit for bit: unlike the hash of a value, it tells -0 from 0.
  fileprivate func combineBits(into hasher: inout Hasher) {
    hasher.combine(self)
    switch self {
    case .float(let number): hasher.combine(number.bitPattern)
    case .double(let number), .date(let number): hasher.combine(number.bitPattern)
    case .decimal(let number):
      hasher.combine(number.high)
      hasher.combine(number.low)
    case .point(let place):
      hasher.combine(place.latitude.bitPattern)
      hasher.combine(place.longitude.bitPattern)
      hasher.combine(place.altitude.bitPattern)
    default: break
    }
  }
}
