import CairnPostgres
import CairnQuery
import CairnStorage
import CairnSystem

/// A class of a store, opened for reading.
struct OpenedClass {
  let store: Store
  let snapshot: Snapshot
  let table: Table
  /// The table of a database that the class holds rows of; nil for a class of a file.
  var remote: RemoteClass?

  var schema: TableSchema { table.schema }

  /// - Parameter mode: Whether the store is only read.
  /// - Throws: A failure that suggests the nearest class if the class does not exist.
  init(_ target: TargetArguments, mode: Store.Mode = .readOnly) throws {
    let (path, className) = (target.store, target.className)
    if !System.exists(path), System.exists(className) {
      throw Failure(
        .noInput,
        message: "\(path) does not exist; the store comes first, as in '\(className) \(path)'")
    }
    let store = try Self.open(path, mode: mode, untrusted: target.checking.untrusted)
    try self.init(store, className: className)
  }

  /// - Throws: A failure that suggests the nearest class if the class does not exist.
  init(_ store: Store, className: String) throws {
    self.store = store
    snapshot = try store.snapshot()
    table = try Self.table(className, in: snapshot, of: store.path)
  }

  /// Opens another class of the same state of the store.
  ///
  /// - Parameter predicate: The condition of the rows that are needed of a database.
  func sibling(_ className: String, holding predicate: Predicate = .true) throws -> OpenedClass {
    if let remote { return try remote.database.class(className, holding: predicate) }
    return OpenedClass(
      store: store, snapshot: snapshot,
      table: try Self.table(className, in: snapshot, of: store.path))
  }

  /// A class in a state of a store.
  init(store: Store, snapshot: Snapshot, table: Table) {
    self.store = store
    self.snapshot = snapshot
    self.table = table
  }

  private static func table(_ name: String, in snapshot: Snapshot, of path: String) throws -> Table
  {
    guard let table = snapshot.table(name) else {
      throw unknown(name, in: snapshot.schema, of: path)
    }
    return table
  }

  /// Opens a store, and prints a note if its lock file cannot be used.
  static func open(
    _ path: String, mode: Store.Mode = .readOnly, untrusted: Bool
  ) throws -> Store {
    let store = try reading(path) { () throws(StoreError) in
      try Store.open(path, mode: mode, untrusted: untrusted)
    }
    if store.isUnlocked {
      Console.printMessage(
        "Note: \(path) is read without its lock file, which cannot be used here.")
      UsedFiles.note(try store.snapshot())
    }
    return store
  }

  /// Calls `open` to open a store. If the file is a data file instead, the error says how to import
  /// it.
  static func reading<R>(_ path: String, open: () throws(StoreError) -> R) throws -> R {
    if PostgresAddress.isURL(path) {
      throw Failure(
        .usage,
        message:
          "\(PostgresAddress(path)) is a database, which query, count, stats, join, export and "
          + "schema read; push and pull copy classes and tables")
    }
    CrashGuard.watch(path)
    do throws(StoreError) {
      let opened = try open()
      // Another store may have a user with the number of this process, but this one is in use now.
      Supervisor.noteWork()
      return opened
    } catch {
      guard error.kind == .notAStore, isData(path) else { throw error }
      throw Failure(
        .io,
        message:
          "\(error.message): import it into one first, as in `cairn import world.cairn \(path)`")
    }
  }

  /// Whether the extension of a path is that of a data file rather than of a store.
  static func isData(_ path: String) -> Bool {
    let fileExtension = path.split(separator: ".").last?.lowercased() ?? ""
    return [
      "csv", "tsv", "txt", "json", "jsonl", "ndjson", "geojson", "geojsonl", "gz",
    ].contains(fileExtension)
  }

  /// The failure for a class that does not exist.
  static func unknown(_ name: String, in schema: StoreSchema, of path: String) -> Failure {
    let names = schema.tables.map(\.name)
    let hint = Hint.text(name, among: names)
    let list = names.isEmpty ? "; it has no classes" : "; it has \(names.joined(separator: ", "))"
    return Failure(.usage, message: "\(path) has no class '\(name)'\(hint.isEmpty ? list : hint)")
  }

  /// The first location or geometry of the class, to which the options for areas apply.
  func location(for reason: String = "which this query needs") throws -> ColumnSchema {
    guard let column = spatialColumns.first else {
      throw Failure(.usage, message: "'\(schema.name)' has no location, \(reason)")
    }
    return column
  }

  /// The location or geometry of that name; the first one of the class for nil.
  ///
  /// - Parameter option: The option that names it.
  func location(named name: String?, option: String) throws -> ColumnSchema {
    guard let name else { return try location() }
    let columns = spatialColumns
    if let column = columns.first(where: { $0.name == name }) { return column }
    if schema.column(named: name) != nil {
      throw Failure(
        .usage, message: "\(option): '\(name)' of '\(schema.name)' is not a location or a geometry")
    }
    throw unknownLocation(name, option: option)
  }

  /// The failure for a name that is not a property of the class, with the nearest location.
  func unknownLocation(_ name: String, option: String) -> Failure {
    Failure(
      .usage,
      message: "\(option): '\(schema.name)' has no location or geometry '\(name)'"
        + Hint.text(name, among: spatialColumns.map(\.name)))
  }

  private var spatialColumns: [ColumnSchema] {
    schema.properties.filter { $0.hasSpatialIndex || $0.isGeometry }
  }

  /// Throws if the path is the store itself or its lock file, which output must not replace.
  func rejectOutput(to path: String?) throws {
    guard let path, path != "-" else { return }
    for (file, name) in [
      (store.path, "the store itself"), (store.lockPath, "the store's lock file"),
    ]
    where System.isSameFile(path, other: file) || path == file {
      throw Failure(.usage, message: "\(path) is \(name); --output needs another name")
    }
  }
}

/// Keeps track of the files that the command reads: output must not replace them, and a store that
/// is read without a lock file may change meanwhile.
enum UsedFiles {
  // Sendable: only the thread that runs the command uses them.
  nonisolated(unsafe) private static var inputs: [String] = []
  /// Snapshots of the stores that are read without their lock files, taken before any other read.
  // Sendable: only the thread that runs the command uses them.
  nonisolated(unsafe) private static var unlockedSnapshots: [Snapshot] = []

  /// Forgets all files, before a command runs.
  static func removeAll() {
    inputs = []
    unlockedSnapshots = []
  }

  /// Registers a file that the command reads.
  static func note(_ path: String) { inputs.append(path) }

  /// Registers a store that the command reads without its lock file.
  static func note(_ snapshot: Snapshot) { unlockedSnapshots.append(snapshot) }

  /// Throws if output would replace a file that the command reads.
  static func rejectOutput(to path: String) throws {
    guard !System.isDevice(path), inputs.contains(where: { System.isSameFile($0, other: path) })
    else {
      return
    }
    throw Failure(.usage, message: "\(path) is read by this command; --output needs another name")
  }

  /// Throws if a store that is read without its lock file was written meanwhile. Call this after
  /// the last read and before the output is complete.
  static func requireKept() throws {
    for snapshot in unlockedSnapshots { try snapshot.requireKept() }
  }

  /// The error to report instead of an error of the command: if a store was written meanwhile, that
  /// explains any other error.
  static func explanation(of error: any Error) -> any Error {
    do {
      try requireKept()
      return error
    } catch { return error }
  }
}
