import CairnValues

/// What the primary keys of a bulk load lead to.
struct BulkConflicts {
  /// Rows of the load that do not live, counted from its first row, rising.
  var dropped: [Int] = []
  /// Rows of the class that give way.
  var replaced: [Int] = []
  /// Rows that took the place of an older one.
  var replacements = 0
  /// Rows that were dropped because their key was taken.
  var skipped = 0
}

extension BulkWriter {
  /// Finds primary keys that come twice, or are taken already, and does with them what the policy says.
  func resolveConflicts(_ writer: TableWriter) throws(StoreError) -> BulkConflicts {
    var conflicts = BulkConflicts()
    guard let key = load.primaryKey,
      let run = indexes.first(where: { $0.column == key })?.run(0)
    else { return conflicts }
    let reading = try LMDBTransaction(reading: handle)
    defer { reading.abort() }
    let reader = ValueRunReader(run, table: table, reading)
    var same: [ValueEntry] = []
    for position in 0..<run.count {
      guard let entry = reader.entry(position) else { continue }
      if let last = same.last, last.value != entry.value {
        try settle(same, writer, &conflicts)
        same.removeAll(keepingCapacity: true)
      }
      same.append(entry)
    }
    if !same.isEmpty { try settle(same, writer, &conflicts) }
    conflicts.dropped.sort()
    return conflicts
  }

  private func settle(
    _ same: [ValueEntry], _ writer: TableWriter, _ conflicts: inout BulkConflicts
  ) throws(StoreError) {
    let taken = writer.table.liveCount > 0 ? existing(same[0], writer) : nil
    guard same.count > 1 || taken != nil else { return }
    var rows: [(ordinal: UInt64, row: Int)] = []
    for entry in same { rows.append((try ordinal(of: entry.key), entry.key)) }
    rows.sort { $0.ordinal < $1.ordinal }
    switch load.policy {
    case .error: throw duplicate(same[0].value, rows.map(\.ordinal), isTaken: taken != nil)
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

  private func existing(_ entry: ValueEntry, _ writer: TableWriter) -> Int? {
    guard let key = load.primaryKey else { return nil }
    return writer.table.find(primaryKey: entry.value.value(of: load.columns[key].type))
  }

  private func ordinal(of row: Int) throws(StoreError) -> UInt64 {
    let block = row / blockRows
    let array = SpilledArray(offset: ordinals[block], count: blockRows)
    return try array.value(at: row % blockRows, load.spill)
  }

  private func duplicate(_ value: IndexKey, _ ordinals: [UInt64], isTaken: Bool) -> StoreError {
    let key = load.primaryKey.map { load.columns[$0] }
    let shown = value.value(of: key?.type ?? .string).shown
    let records = ordinals.prefix(5).map { String(load.recordNumber($0)) }.joined(separator: ", ")
    let where_ =
      isTaken
      ? "exists already (record \(records))"
      : "comes \(ordinals.count) times (records \(records))"
    return StoreError(
      .duplicateKey,
      "the primary key '\(key?.name ?? "")' \(shown) \(where_); choose what to do with --on-conflict replace or skip"
    )
  }
}

extension IndexKey {
  /// The value that the key stands for in a column of that type.
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
