import CairnQuery
import CairnStorage

/// A class of a store, opened for reading.
struct Source {
  let store: Store
  let snapshot: Snapshot
  let table: Table

  var schema: TableSchema { table.schema }

  /// - Throws: a failure that names the nearest class where there is none of that name.
  init(_ target: TargetArguments) throws {
    let (path, className) = (target.store, target.className)
    if !System.exists(path), System.exists(className) {
      throw Failure(
        .noInput, "\(path) does not exist; the store comes first, as in '\(className) \(path)'")
    }
    store = try Self.open(path, untrusted: target.checking.untrusted)
    snapshot = try store.snapshot()
    guard let table = snapshot.table(className) else {
      throw Self.unknown(className, in: snapshot.schema, of: path)
    }
    self.table = table
  }

  /// Opens a store for reading; says so where that goes without its lock.
  static func open(_ path: String, untrusted: Bool) throws -> Store {
    let store = try reading(path) { () throws(StoreError) in
      try Store.open(path, .readOnly, untrusted: untrusted)
    }
    if store.isUnlocked {
      Console.say("Note: \(path) is read without its lock file, which cannot be used here.")
      UsedFiles.note(try store.snapshot())
    }
    return store
  }

  /// Does what opens a store, and says of a file of data what to do with it.
  static func reading<R>(_ path: String, _ open: () throws(StoreError) -> R) throws -> R {
    CrashGuard.watch(path)
    do throws(StoreError) {
      return try open()
    } catch {
      guard error.kind == .notAStore, isData(path) else { throw error }
      throw Failure(
        .io,
        "\(error.message): its rows go into one first, as in `cairn import world.cairn \(path)`")
    }
  }

  /// Whether a file's name is one of data rather than of a store.
  static func isData(_ path: String) -> Bool {
    let ending = path.split(separator: ".").last?.lowercased() ?? ""
    return [
      "csv", "tsv", "txt", "json", "jsonl", "ndjson", "geojson", "geojsonl", "gz",
    ].contains(ending)
  }

  /// What is said of a class that is not there.
  static func unknown(_ name: String, in schema: Schema, of path: String) -> Failure {
    let names = schema.tables.map(\.name)
    let hint = Hint.text(name, among: names)
    let list = names.isEmpty ? "; it has none yet" : "; it has \(names.joined(separator: ", "))"
    return Failure(.usage, "\(path) has no class '\(name)'\(hint.isEmpty ? list : hint)")
  }

  /// The property that places and areas speak of: the first location of the class.
  func location(for reason: String = "so nothing is near or within") throws -> ColumnSchema {
    guard let column = schema.properties.first(where: \.hasSpatialIndex) else {
      throw Failure(.usage, "'\(schema.name)' has no location, \(reason)")
    }
    return column
  }

  /// Fails where the path is the store itself or its lock file, which output must not replace.
  func refuse(_ path: String?) throws {
    guard let path, path != "-" else { return }
    for (file, name) in [
      (store.path, "the store itself"), (store.lockPath, "the store's lock file"),
    ]
    where System.isSameFile(path, file) || path == file {
      throw Failure(.usage, "\(path) is \(name); --output needs another name")
    }
  }
}
