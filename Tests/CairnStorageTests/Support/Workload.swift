import CairnTestSupport
import CairnValues
import Testing

@testable import CairnStorage

/// A class and a plain dictionary that undergo the same random changes.
final class Workload {
  let folder: TemporaryFolder
  private(set) var store: Store
  let columns: [ColumnSchema]
  /// The committed state.
  private(set) var rows: [Int: [Value]] = [:]
  private(set) var endKey = 0
  var source: ValueSource
  /// The source of the values of insertions and changes.
  var flavours = ValueSource.Flavour.allCases

  /// The state of an open transaction.
  struct State {
    var rows: [Int: [Value]]
    var endKey: Int
  }

  init(_ columns: [ColumnSchema], seed: UInt64) throws {
    folder = try TemporaryFolder(inMemory: true)
    store = try folder.store()
    self.columns = columns
    source = ValueSource(seed: seed)
    try store.write { _ = try $0.createTable("Row", columns: columns) }
  }

  /// Replaces the store with another one, so that its file can be compacted.
  func close() throws { store = try Store.open(folder.file("other"), mode: .create) }

  func reopen() throws {
    let path = folder.file()
    store = try Store.open(path, mode: .readWrite)
  }

  /// Makes one transaction of random changes; `percentages` are those of insert, set and (the rest)
  /// delete.
  func transact(
    _ changes: Int, insert: Int = 40, set: Int = 40, commits: Bool = true,
    inside: (Table, State) throws -> Void = { _, _ in }
  ) throws {
    let transaction = try store.beginWrite()
    let writer = try #require(transaction.table("Row"))
    var state = State(rows: rows, endKey: endKey)
    var live = state.rows.keys.sorted()
    for _ in 0..<changes {
      let dice = source.int(1...100)
      if dice <= insert || live.isEmpty {
        let row = try freshRow(state)
        let key = try writer.insert(row)
        #expect(key == state.endKey, "keys ascend by one and are never reused")
        state.rows[key] = row
        state.endKey += 1
        live.append(key)
      } else if dice <= insert + set {
        let key = live[source.int(0...live.count - 1)]
        let position = source.int(0...columns.count - 1)
        let value = try freshValue(position, state)
        try writer.set(value, position: position, at: key)
        state.rows[key]?[position] = value
      } else {
        let index = source.int(0...live.count - 1)
        try writer.delete(live[index])
        state.rows[live[index]] = nil
        live.remove(at: index)
      }
    }
    try inside(writer.table, state)
    if commits {
      try transaction.commit()
      (rows, endKey) = (state.rows, state.endKey)
    } else {
      transaction.rollback()
    }
    #expect(try FileCheck.inspect(store.path) == .ready)
    #expect(throws: Never.self) { try checkForWriting(store.path) }
  }

  /// The class in a new snapshot. Keep the snapshot while the table is used.
  func snapshot() throws -> (Snapshot, Table) {
    let snapshot = try store.snapshot()
    return (snapshot, try #require(snapshot.table("Row")))
  }

  private func freshRow(_ state: State) throws -> [Value] {
    try columns.indices.map { try freshValue($0, state) }
  }

  private func freshValue(_ position: Int, _ state: State) throws -> Value {
    let column = columns[position]
    if column.isPrimaryKey { return freshKey(position, state) }
    if column.isOptional, source.chance(25) { return .null }
    return source.value(of: column.storedType, flavours[source.int(0...flavours.count - 1)])
  }

  private func freshKey(_ position: Int, _ state: State) -> Value {
    while true {
      let key = source.value(of: columns[position].type, .plain)
      if !state.rows.values.contains(where: { $0[position] == key }) { return key }
    }
  }
}

extension Workload {
  /// Compares a table with the model, and returns the first few differences.
  func differences(_ table: Table, _ state: State? = nil) -> [String] {
    let state = state ?? State(rows: rows, endKey: endKey)
    var found: [String] = []
    if table.endKey != state.endKey { found.append("end key \(table.endKey), not \(state.endKey)") }
    if table.liveCount != state.rows.count {
      found.append("\(table.liveCount) live rows, not \(state.rows.count)")
    }
    let perChunk = (0..<table.chunkCount).reduce(0) { $0 + table.liveCount(ofChunk: $1) }
    if perChunk != state.rows.count { found.append("\(perChunk) live rows in the chunks") }
    for key in -1...state.endKey {
      guard table.isLive(key) == (state.rows[key] != nil) else {
        found.append("row \(key) \(table.isLive(key) ? "is live" : "is deleted")")
        continue
      }
      guard let row = state.rows[key] else { continue }
      for position in columns.indices
      where !identical(table.value(position, at: key), row[position]) {
        found.append(
          "row \(key), '\(columns[position].name)': \(table.value(position, at: key)), not \(row[position])"
        )
      }
      if found.count > 5 { break }
    }
    return found + zoneObjections(table, state)
  }

  /// Zones that do not contain the rows of their chunk.
  private func zoneObjections(_ table: Table, _ state: State) -> [String] {
    var found: [String] = []
    for (position, column) in columns.enumerated() {
      for chunk in 0..<table.chunkCount {
        let first = chunk * ChunkShape.rows
        let stored = (first..<first + table.rowCount(ofChunk: chunk)).map { key in
          table.value(position, at: key)
        }
        let zone = table.column(position).zone(chunk)
        guard zone.isKnown else { continue }
        found += objections(to: zone, stored, column.storedType).prefix(2)
          .map { "'\(column.name)', chunk \(chunk): \($0)" }
      }
    }
    return found
  }
}
