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
  /// The rows of the class that rows of the load are equal to.
  private var equal = BitSet()
  /// The rows of the class that other rows of the load replace.
  private var replaced = BitSet()
  /// Rows of the class that a row of the load is equal to, and another one replaces that may come
  /// before it.
  private var doubtful: Set<Int> = []
  /// The number of the last batch that was compared.
  private var lastBatch = -1
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

  /// Returns a flag for each row of a batch, which is true if the class has the row already; nil if it
  /// has none of them.
  ///
  /// - Parameter number: The index of the batch in the source. A row is not left out behind another
  ///   one with the same key.
  /// - Complexity: A search of the primary key and a comparison of the columns for each row.
  func flags(of batch: ColumnBatch, number: Int) throws(StoreError) -> [Bool]? {
    let snapshot = try store.snapshot()
    guard let table = current(in: snapshot), table.liveCount > 0,
      let finder = PrimaryKeyFinder(table)
    else { return nil }
    // Rows with the same key have the same value in its column.
    let columns = pairs.filter { $0.load != key }.map {
      KnownColumn(batch.columns[$0.load], table.column($0.own), endKey: table.endKey)
    }
    let others = others.map(table.column)
    var found: [(row: Int, known: Int, isEqual: Bool)] = []
    for row in 0..<batch.rowCount {
      let value = batch.columns[key].value(at: row)
      // Several rows may have a null key.
      guard value != .null, let known = finder.find(value) else { continue }
      let address = RowAddress(known)
      let isEqual =
        policy == .skip
        || columns.allSatisfy { $0.isEqual(row, to: address) }
          && others.allSatisfy { $0.isBlank(address) }
      found.append((row, known, isEqual))
    }
    if found.isEmpty { return nil }
    var flags = [Bool](repeating: false, count: batch.rowCount)
    lock.withLock {
      version = min(version, snapshot.version)
      for (row, known, isEqual) in found { flags[row] = omits(known, isEqual, number: number) }
      lastBatch = max(lastBatch, number)
    }
    return flags.contains(true) ? flags : nil
  }

  /// Notes a row of the load whose key a row of the class has. Returns whether it is left out: the
  /// last row with a key remains, so one behind a row that replaces the other is written.
  private func omits(_ known: Int, _ isEqual: Bool, number: Int) -> Bool {
    if isEqual {
      if replaced.contains(known) { return false }
      equal.insert(known)
      return true
    }
    // Threads compare batches in any order, so the equal row may be in a later batch.
    if number < lastBatch, equal.contains(known) { doubtful.insert(known) }
    replaced.insert(known)
    return false
  }

  /// Whether a row of the class, which a row of the load replaces, may have to become equal to a row
  /// that was left out.
  func isDoubtful(_ row: Int) -> Bool {
    lock.withLock {
      equal.contains(row) && (!replaced.contains(row) || doubtful.contains(row))
    }
  }

  /// Whether the rows that were found are still the same.
  func isCurrent(in snapshot: Snapshot) -> Bool {
    lock.withLock {
      if version == .max || version == snapshot.version { return true }
      guard current(in: snapshot) != nil,
        let changes = snapshot.changes(of: tableName, since: version)
      else { return false }
      let sets = [changes.deleted] + changes.modified.map(\.keys)
      guard !sets.contains(where: { $0.runs.contains { $0.contains(where: equal.contains) } })
      else { return false }
      // The change log ends some time.
      version = snapshot.version
      return true
    }
  }

  /// The class, if it has not been altered since the load began.
  private func current(in snapshot: Snapshot) -> Table? {
    guard let table = snapshot.table(tableName), table.schema.id == self.table,
      table.schema.columns == schema
    else { return nil }
    return table
  }
}

/// A column of a batch beside that of the class. For use by one thread.
private final class KnownColumn {
  private let values: ColumnBuilder
  private let column: Column
  /// The chunks of the class that were read, because rows with neighbouring keys are far apart in a
  /// file.
  private var chunks: [Chunk?]

  init(_ values: ColumnBuilder, _ column: Column, endKey: Int) {
    self.values = values
    self.column = column
    chunks = Array(repeating: nil, count: RowAddress(max(0, endKey - 1)).chunk + 1)
  }

  /// Whether a row of the batch is equal to a stored one, bit by bit.
  func isEqual(_ row: Int, to address: RowAddress) -> Bool {
    values.isEqual(row, to: chunk(address.chunk), of: column, address)
  }

  private func chunk(_ index: Int) -> Chunk {
    if let known = chunks[index] { return known }
    let chunk = column.unresolved(index)
    chunks[index] = chunk
    return chunk
  }
}

extension ColumnBuilder {
  /// Whether a row is equal to one of a chunk of a stored column, bit by bit.
  fileprivate func isEqual(
    _ row: Int, to chunk: Chunk, of column: Column, _ address: RowAddress
  ) -> Bool {
    let other = address.row
    guard isNull(row) == chunk.isNull(other) else { return false }
    if isNull(row) { return true }
    switch layout {
    case .integers: return integer(at: row) == chunk.int(at: other)
    case .doubles:
      return rows.element(row, as: UInt64.self) == chunk.double(at: other).bitPattern
    case .floats: return rows.element(row, as: UInt32.self) == chunk.float(at: other).bitPattern
    case .points:
      let here = chunk.position(at: other)
      return rows.element(row, as: UInt64.self) == here.longitude.bitPattern
        && heap.element(row, as: UInt64.self) == here.latitude.bitPattern
        && here.altitude.bitPattern == 0
    case .bytes:
      let (own, stored) = (bytes(at: row), chunk.bytes(at: other))
      guard chunk.hasReferences, let reference = LargeReference(stored) else {
        return areSame(own, stored)
      }
      // The checksums of different values may agree, so an equal one is read.
      guard reference.matches(own), var reader = column.storedLargeValues(ofChunk: address.chunk),
        let value = reader.value(reference, row: other)
      else { return false }
      return areSame(own, value)
    case .fixed(let width): return areSame(fixed(row, width: width), chunk.bytes(at: other))
    }
  }

  private func areSame(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    guard let first = one.baseAddress, let second = other.baseAddress else { return true }
    return memcmp(first, second, one.count) == 0
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
