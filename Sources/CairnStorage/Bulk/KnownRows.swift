import CairnSystem
import CairnValues

/// The rows of a load that the class has already, so that a load of the same file writes nothing.
///
/// Each batch is compared with the class in the state of that moment. Before the load is published,
/// `isCurrent` tells whether the rows of the class are still the same.
// Sendable: `lock` guards all state that changes.
final class KnownRows: @unchecked Sendable {
  private let store: Store
  private let tableName: String
  private let table: UInt32
  private let schema: [ColumnSchema]
  private let key: Int
  private let policy: ConflictPolicy
  /// The load's columns with the positions of theirs in the class.
  private let pairs: [(load: Int, own: Int)]
  /// The properties that the load does not have, in which it sets nulls.
  private let others: [Int]
  private let lock = Lock()
  /// A bit for each row of the class that a row of the load is equal to.
  private var found: [UInt64] = []
  /// The earliest state that a batch was compared with.
  private var version = UInt64.max

  /// - Parameters:
  ///   - columns: The properties of the load.
  ///   - key: The index of the primary key among them.
  /// - Returns: Nil if the rows of the class cannot be compared.
  init?(
    _ schema: TableSchema, columns: [BulkColumn], key: Int, policy: ConflictPolicy, of store: Store
  ) {
    guard policy != .error else { return nil }
    self.store = store
    self.key = key
    self.policy = policy
    (tableName, table, self.schema) = (schema.name, schema.id, schema.columns)
    var pairs: [(load: Int, own: Int)] = []
    for (index, column) in columns.enumerated() {
      // Embedded objects are rows of another class, which are not compared.
      guard let own = schema.stored(column.name), own.layout == column.layout, own.type != .embedded
      else { return nil }
      pairs.append((index, own.position))
    }
    self.pairs = pairs
    let known = Set(pairs.map(\.own))
    others = schema.properties.map(\.position).filter { !known.contains($0) }
  }

  /// Returns a flag for each row of a batch that the class has already; nil if it has none of them.
  ///
  /// - Complexity: A search of the primary key and a comparison of the columns for each row.
  func flags(of batch: ColumnBatch) throws(StoreError) -> [Bool]? {
    let snapshot = try store.snapshot()
    guard let table = current(in: snapshot), table.liveCount > 0,
      let finder = PrimaryKeyFinder(table)
    else { return nil }
    let columns = pairs.map { (batch.columns[$0.load], table.column($0.own)) }
    let others = others.map(table.column)
    var flags = [Bool](repeating: false, count: batch.rowCount)
    var rows: [Int] = []
    for row in 0..<batch.rowCount {
      guard let known = finder.find(batch.columns[key].value(at: row)) else { continue }
      let address = RowAddress(known)
      let isKnown =
        policy == .skip
        || columns.allSatisfy { $0.isEqual(row, to: $1.chunk(address.chunk), address.row) }
          && others.allSatisfy { $0.isBlank(address) }
      guard isKnown else { continue }
      flags[row] = true
      rows.append(known)
    }
    if rows.isEmpty { return nil }
    lock.withLock {
      version = min(version, snapshot.version)
      let words = (table.endKey + 63) / 64
      if found.count < words { found += Array(repeating: 0, count: words - found.count) }
      for row in rows { found[row >> 6] |= 1 << UInt64(row & 63) }
    }
    return flags
  }

  /// Whether a row of the class is equal to one of the load.
  func contains(_ row: Int) -> Bool {
    lock.withLock { row >> 6 < found.count && found[row >> 6] >> UInt64(row & 63) & 1 != 0 }
  }

  /// Whether the rows that were found are still the same.
  func isCurrent(in snapshot: Snapshot) -> Bool {
    let version = lock.withLock { self.version }
    if version == .max || version == snapshot.version { return true }
    guard current(in: snapshot) != nil,
      let changes = snapshot.changes(of: tableName, since: version)
    else { return false }
    let sets = [changes.deleted] + changes.modified.map(\.keys)
    return !sets.contains { set in set.runs.contains { run in run.contains(where: contains) } }
  }

  /// The class, if it has not been altered since the load began.
  private func current(in snapshot: Snapshot) -> Table? {
    guard let table = snapshot.table(tableName), table.schema.id == self.table,
      table.schema.columns == schema
    else { return nil }
    return table
  }
}

extension ColumnBuilder {
  /// Whether a row is equal to one of a chunk, bit by bit.
  fileprivate func isEqual(_ row: Int, to chunk: Chunk, _ other: Int) -> Bool {
    guard isNull(row) == chunk.isNull(other) else { return false }
    if isNull(row) { return true }
    switch layout {
    case .integers: return integer(at: row) == chunk.int(at: other)
    case .doubles:
      return rows.element(row, as: UInt64.self) == chunk.double(at: other).bitPattern
    case .floats: return rows.element(row, as: UInt32.self) == chunk.float(at: other).bitPattern
    case .points:
      let here = chunk.position(at: other)
      return rows.element(row, as: Double.self) == here.longitude
        && heap.element(row, as: Double.self) == here.latitude && here.altitude == 0
    case .bytes: return bytes(at: row).elementsEqual(chunk.bytes(at: other))
    case .fixed(let width):
      return fixed(row, width: width).elementsEqual(chunk.bytes(at: other))
    }
  }
}

extension Column {
  /// Whether a row is null or an empty collection.
  fileprivate func isBlank(_ address: RowAddress) -> Bool {
    let chunk = chunk(address.chunk)
    return schema.collection == .none
      ? chunk.isNull(address.row) : chunk.collection(at: address.row, of: schema).count == 0
  }
}
