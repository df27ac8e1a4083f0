import CairnPostgres
import CairnRequest
import CairnStorage
import CairnSystem

/// Opening what a command line names.
extension OpenedClass {
  /// Opens a class of a store or of a file of data, or a table of a database as a class without rows.
  ///
  /// - Parameter mode: Whether a store is only read.
  init(describing arguments: RowArguments, mode: Store.Mode = .readOnly) throws {
    self = try arguments.reference.open(
      mode: mode, untrusted: arguments.isUntrusted, needs: arguments.needs,
      leavingOut: arguments.leavesOut)
  }

  /// Opens a class of a store or of a file of data, whose rows can be read at once.
  init(_ arguments: RowArguments) throws {
    if case .database(let url) = arguments.reference.container { throw Failure(notAStore: url) }
    try self.init(describing: arguments)
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
    if PostgresAddress.isURL(path) { throw Failure(notAStore: path) }
    CrashGuard.watch(path)
    do throws(StoreError) {
      let opened = try open()
      // Another store may have a user with the number of this process, but this one is in use now.
      Supervisor.noteWork()
      return opened
    } catch {
      guard error.kind == .notAStore, DataFile.isData(path) else { throw error }
      throw Failure(
        .io,
        message:
          "\(error.message): import it into one first, as in `cairn import world.cairn \(path)`")
    }
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

  // MARK: Locations

  /// The first location or geometry of the class, to which the options for areas apply.
  func location(for reason: String = "which this query needs") throws -> ColumnSchema {
    do throws(SpatialColumnError) { return try schema.spatialColumn(named: nil) } catch {
      throw Failure(error, of: schema, reason: reason)
    }
  }

  /// The location or geometry of that name; the first one of the class for nil.
  ///
  /// - Parameter option: The option that names it.
  func location(named name: String?, option: String) throws -> ColumnSchema {
    do throws(SpatialColumnError) { return try schema.spatialColumn(named: name) } catch {
      throw Failure(error, of: schema, option: option)
    }
  }
}
