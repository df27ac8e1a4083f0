import CairnValues

extension BulkWriter {
  /// Adds the load to its class in one commit; nil if the program's class was made meanwhile under
  /// another number, or rows were changed that the load left out.
  func publish() throws(StoreError) -> BulkSummary? {
    let transaction = try WriteTransaction.waiting(load.store.handle)
    do {
      if let known = transaction.schema.table(named: load.tableName), known.id != table,
        load.sharesClass
      {
        transaction.rollback()
        return nil
      }
      let summary = try publish(in: transaction)
      if summary == nil { transaction.rollback() }
      return summary
    } catch {
      transaction.rollback()
      throw error
    }
  }

  private func publish(in transaction: WriteTransaction) throws(StoreError) -> BulkSummary? {
    let schema = try schema(in: transaction)
    guard let writer = transaction.table(schema.name) else {
      throw StoreError(
        .schemaMismatch, message: "class '\(schema.name)' was removed during the import")
    }
    let conflicts = try resolveConflicts(writer)
    guard try load.isOmissionRight(replacing: conflicts.replaced, in: transaction) else {
      return nil
    }
    try writer.padTail()
    let firstChunk = writer.table.chunkCount
    let firstRow = firstChunk * ChunkShape.rows
    for key in conflicts.replaced { try writer.delete(key) }
    writer.published = BulkExtent(
      extent: TableState.Extent(firstChunk: firstChunk, id: extent), rowCount: rowCount,
      deletedRows: conflicts.dropped,
      baseRun: baseRun(firstRow), values: indexes.compactMap { $0.run(firstRow) },
      texts: texts.compactMap { $0.run(firstRow) },
      leaves: load.location.flatMap { leaves[$0] },
      largeColumns: schema.columns.filter { $0.layout == .bytes }.map(\.id),
      otherLocations: otherLocations(schema))
    try transaction.commit()
    return BulkSummary(
      inserted: rowCount - conflicts.skipped - conflicts.replacements,
      replaced: conflicts.replacements, skipped: conflicts.skipped)
  }

  private func baseRun(_ firstRow: Int) -> SpatialRun? {
    guard let location = load.location, locatedCount > 0 else { return nil }
    return SpatialRun(
      id: StorageKey.loadRun(extent), column: columns[location], firstRow: firstRow,
      count: locatedCount)
  }

  /// Returns the positions of the columns with an R-tree that does not determine the row order.
  private func otherLocations(_ schema: TableSchema) -> [Int] {
    let own = load.location.map { columns[$0] }
    return schema.columns.filter { $0.hasSpatialIndex && $0.id != own }.map(\.position)
  }

  /// Returns the class after the load: widened, or made under the number that the chunks were
  /// written with.
  private func schema(in transaction: WriteTransaction) throws(StoreError) -> TableSchema {
    if let known = transaction.schema.table(named: load.tableName) {
      guard known.id == table, let widening = load.widening(known) else { throw load.changed }
      if let draft = widening.draft {
        try transaction.alter([draft], version: known.version, derives: true)
      }
      let wide = transaction.schema.table(named: load.tableName) ?? known
      guard try load.ids(in: wide) == columns else { throw load.changed }
      return wide
    }
    let version = transaction.schemaVersion ?? 0
    let absent = try load.absentClasses(in: transaction.schema, version: version)
    if absent.contains(where: { $0.name.hasSameCodePoints(as: load.tableName) }) {
      for schema in absent { try make(schema, in: transaction) }
      guard let schema = transaction.schema.table(named: load.tableName) else { throw load.changed }
      return schema
    }
    return try transaction.createTable(
      load.newSchema(id: table, version: version)
    ).schema
  }

  /// Makes a class of the program: the load's under the number that the chunks were written with.
  private func make(
    _ schema: TableSchema, in transaction: WriteTransaction
  ) throws(StoreError) {
    if schema.name.hasSameCodePoints(as: load.tableName) {
      _ = try transaction.createTable(schema.changed(id: table))
    } else {
      try transaction.createNumbered(schema)
    }
  }
}

/// The primary key conflicts of a bulk load.
struct BulkConflicts {
  /// Rows of the load that are deleted from the start, counted from its first row, in rising order.
  var dropped: [Int] = []
  /// Rows of the class that the load replaces.
  var replaced: [Int] = []
  /// The number of rows that replaced an older one.
  var replacements = 0
  /// The number of rows that were dropped because their key was taken.
  var skipped = 0
}

extension BulkWriter {
  /// Finds primary keys that repeat or are already taken, and applies the conflict policy.
  func resolveConflicts(_ writer: TableWriter) throws(StoreError) -> BulkConflicts {
    var conflicts = BulkConflicts()
    guard let key = load.primaryKey,
      let run = indexes.first(where: { $0.column == key })?.run(0)
    else { return conflicts }
    let reading = try LMDBTransaction(reading: handle)
    defer { reading.abort() }
    let reader = ValueRunReader(run, table: table, source: reading)
    var same: [ValueEntry] = []
    for position in 0..<run.count {
      guard let entry = reader.entry(position) else { continue }
      if let last = same.last, last.value != entry.value {
        try resolve(same, writer: writer, conflicts: &conflicts)
        same.removeAll(keepingCapacity: true)
      }
      same.append(entry)
    }
    if !same.isEmpty { try resolve(same, writer: writer, conflicts: &conflicts) }
    conflicts.dropped.sort()
    return conflicts
  }

  private func resolve(
    _ same: [ValueEntry], writer: TableWriter, conflicts: inout BulkConflicts
  ) throws(StoreError) {
    let taken = writer.table.liveCount > 0 ? existing(same[0], writer: writer) : nil
    guard same.count > 1 || taken != nil else { return }
    var rows: [(ordinal: UInt64, row: Int)] = []
    for entry in same { rows.append((try ordinal(of: entry.key), entry.key)) }
    rows.sort { $0.ordinal < $1.ordinal }
    switch load.policy {
    case .error:
      throw duplicate(same[0].value, ordinals: rows.map(\.ordinal), isTaken: taken != nil)
    case .skip:
      let losers = taken == nil ? rows.dropFirst() : rows[...]
      conflicts.dropped += losers.map(\.row)
      conflicts.skipped += losers.count
    case .replace:
      let losers = rows.dropLast()
      conflicts.dropped += losers.map(\.row)
      conflicts.replacements += losers.count + (taken == nil ? 0 : 1)
      if let taken { conflicts.replaced.append(taken) }
    }
  }

  private func existing(_ entry: ValueEntry, writer: TableWriter) -> Int? {
    guard let key = load.primaryKey else { return nil }
    return writer.table.find(primaryKey: entry.value.value(of: load.columns[key].type))
  }

  private func ordinal(of row: Int) throws(StoreError) -> UInt64 {
    let block = row / blockRows
    let array = SpilledArray(offset: ordinals[block], count: blockRows)
    return try array.value(at: row % blockRows, load.spill)
  }

  private func duplicate(_ value: IndexKey, ordinals: [UInt64], isTaken: Bool) -> StoreError {
    let key = load.primaryKey.map { load.columns[$0] }
    let shown = value.value(of: key?.type ?? .string).plainText
    let records = ordinals.prefix(5).map { String(load.recordNumber($0)) }.joined(separator: ", ")
    let problem =
      isTaken
      ? "exists already (record \(records))"
      : "appears \(ordinals.count) times (records \(records))"
    return StoreError(
      .duplicateKey, message: "the primary key '\(key?.name ?? "")' \(shown) \(problem)")
  }
}

extension IndexKey {
  /// Returns the value that the key represents in a column of that type.
  func value(of type: ValueType) -> Value {
    switch self {
    case .number(let number):
      switch type {
      case .bool: return .bool(number != 0)
      case .int, .link: return .int(Int64(bitPattern: number ^ 1 << 63))
      default:
        let bits = number >> 63 == 1 ? number ^ 1 << 63 : ~number
        return type == .date
          ? .date(Double(bitPattern: bits)) : .double(Double(bitPattern: bits))
      }
    case .bytes(let bytes):
      return bytes.withUnsafeBytes { raw in
        switch type {
        case .objectId: .objectId(ObjectId(storedBytes: raw))
        case .uuid: .uuid(UUIDBytes(storedBytes: raw))
        case .data: .data(bytes)
        default: .string(String(decoding: bytes, as: UTF8.self))
        }
      }
    }
  }
}
