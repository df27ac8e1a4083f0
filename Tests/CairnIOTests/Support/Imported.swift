import CairnStorage
import CairnTestSupport
import CairnValues

@testable import CairnIO

/// The result of importing some text.
struct Imported {
  let summary: ImportSummary
  /// The notes of the summary as text.
  var notes: [String] { summary.notes.map(\.description) }
  /// The rejected records of the summary as text.
  var rejects: [String] { summary.rejects.map(\.description) }
  let columns: [ColumnSchema]
  /// The rows in the order of the store.
  let rows: [[Value]]

  /// Imports one text into a new store.
  init(
    _ text: String, as name: String = "things.csv",
    _ change: (inout ImportOptions) -> Void = { _ in }
  ) throws {
    try self.init([(name, Array(text.utf8))], change)
  }

  /// Imports files into a new store.
  init(_ files: [(name: String, bytes: [UInt8])], _ change: (inout ImportOptions) -> Void) throws {
    let folder = try TemporaryFolder(inMemory: true)
    defer { withExtendedLifetime(folder) {} }
    let paths = try files.map { try folder.write($0.bytes, as: $0.name) }
    try self.init(paths, into: folder.store(), change)
  }

  /// Imports existing files into a new store.
  init(filesAt paths: [String], _ change: (inout ImportOptions) -> Void = { _ in }) throws {
    let folder = try TemporaryFolder(inMemory: true)
    defer { withExtendedLifetime(folder) {} }
    try self.init(paths, into: folder.store(), change)
  }

  /// Imports files into a store.
  init(_ paths: [String], into store: Store, _ change: (inout ImportOptions) -> Void) throws {
    var options = ImportOptions()
    options.className = "Thing"
    change(&options)
    summary = try Importer.run(files: paths, into: store, options: options)
    (columns, rows) = try Self.read(store, options.className ?? "")
  }

  static func read(_ store: Store, _ name: String) throws -> ([ColumnSchema], [[Value]]) {
    let snapshot = try store.snapshot()
    return withExtendedLifetime(snapshot) {
      guard let table = snapshot.table(name) else { return ([], []) }
      let keys = (0..<table.endKey).filter(table.isLive)
      let columns = table.schema.properties
      let rows = keys.map { key in columns.map { table.value($0.position, at: key) } }
      return (Array(columns), rows)
    }
  }

  /// The types of the properties, by name.
  var types: [String: ValueType] {
    Dictionary(uniqueKeysWithValues: columns.map { ($0.name, $0.type) })
  }

  /// Returns one column, sorted by another column of integers.
  func column(_ name: String, by key: String = "id") -> [Value] {
    guard let own = place(name), let order = place(key) else { return [] }
    return rows.sorted { Self.int($0[order]) < Self.int($1[order]) }.map { $0[own] }
  }

  /// Returns one column in the order of the store.
  func values(_ name: String) -> [Value] {
    guard let own = place(name) else { return [] }
    return rows.map { $0[own] }
  }

  /// Returns some columns of all rows, sorted by the first one, of integers.
  func ordered(_ names: [String]) -> [[Value]] {
    let columns = names.map { column($0, by: names[0]) }
    return rows.indices.map { row in columns.map { $0[row] } }
  }

  private func place(_ name: String) -> Int? { columns.firstIndex { $0.name == name } }

  private static func int(_ value: Value) -> Int64 {
    if case .int(let int) = value { int } else { .max }
  }
}

/// Returns the error of importing some text, or nil when the import succeeds.
func importError(
  _ text: String, as name: String = "things.csv", _ change: (inout ImportOptions) -> Void = { _ in }
) throws -> ImportError? {
  do {
    _ = try Imported(text, as: name, change)
    return nil
  } catch let error as ImportError { return error }
}

/// Calls `body` with a copy of the text that is padded as input blocks are.
func withPadded<R>(_ text: String, _ body: (UnsafePointer<UInt8>, Int) throws -> R) rethrows -> R {
  let bytes = Array(text.utf8)
  let padded = bytes + Array(repeating: 0x37, count: InputBlock.padding)
  return try padded.withUnsafeBufferPointer { buffer in
    try body(buffer.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped, bytes.count)
  }
}
