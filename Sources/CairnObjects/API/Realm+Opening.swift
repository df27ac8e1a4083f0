import CairnStorage
import CairnSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Realm {
  /// Opens the store of the default configuration.
  ///
  /// - Throws: ``Realm/Error``, as ``init(configuration:_isolation:)`` does.
  public init(_isolation: isolated (any Actor)? = #isolation) throws {
    try self.init(configuration: .defaultConfiguration, _isolation: _isolation)
  }

  /// Opens the store in the file, and creates it if the file does not exist. All other settings are
  /// those of the default configuration.
  ///
  /// - Throws: ``Realm/Error``, as ``init(configuration:_isolation:)`` does.
  public init(fileURL: URL, _isolation: isolated (any Actor)? = #isolation) throws {
    var configuration = Configuration.defaultConfiguration
    configuration.fileURL = fileURL
    try self.init(configuration: configuration, _isolation: _isolation)
  }

  /// Opens a store. Opening it again on the same thread or actor while the first realm is held
  /// returns the same realm.
  ///
  /// - Throws: ``Realm/Error`` for a file that does not exist, is not a store, has a newer format,
  ///   is damaged or may not be accessed, and for an encryption key; with `objectTypes`, also for a
  ///   class that is wrong or does not fit the store.
  public init(
    configuration: Configuration, _isolation: isolated (any Actor)? = #isolation
  ) throws {
    do { self.init(try SessionRegistry.session(configuration, isolation: _isolation)) } catch let
      error
      as Error
    {
      throw error.about(configuration.fileURL)
    }
  }
}

extension Realm.Configuration {
  /// Throws if the configuration has a key, also for a store that is open already.
  func checkEncryption() throws {
    if encryptionKey != nil { throw Self.encryptionUnsupported }
  }

  /// Opens the store that the configuration names.
  func openStore() throws -> Store {
    try checkReadOnly()
    do {
      if let inMemoryIdentifier { return try Store.openInMemory(identifier: inMemoryIdentifier) }
      let path = try self.path
      try seed(path)
      try compact(path)
      return try Store.open(path, mode: readOnly ? .readOnly : .create, untrusted: untrusted)
    } catch let error as StoreError { throw Realm.Error(error) }
  }
}

extension Session {
  /// Registers the classes that the configuration names, and throws if one of them is wrong.
  func registerTypes() throws {
    for type in configuration.objectTypes ?? [] {
      let layout = ObjectLayout.of(type)
      let handle = try handle(for: layout)
      _ = try ClassBinding(layout, schema: handle.table.schema)
    }
  }

  /// - Throws: ``Realm/Error`` if a class of the configuration leads to one that it does not name.
  func checkListedTargets() throws {
    guard let types = configuration.objectTypes else { return }
    let named = Set(types.map { ObjectLayout.of($0).className })
    for layout in types.map({ ObjectLayout.of($0) }) {
      for property in layout.properties {
        guard let target = property.kind.target.map({ ObjectLayout.of($0).className }),
          !named.contains(target)
        else { continue }
        throw Realm.Error(
          .schemaMismatch,
          description: "Property '\(layout.className).\(property.name)' leads to class "
            + "'\(target)', which is not among the objectTypes of the configuration; add "
            + "\(target).self to them.")
      }
    }
  }

  /// Checks that a class may be used.
  ///
  /// - Throws: ``Realm/Error`` for a class that the configuration does not name.
  func checkListed(_ layout: ObjectLayout) throws {
    guard let types = configuration.objectTypes else {
      guard !layout.type.shouldIncludeInDefaultSchema() else { return }
      throw Realm.Error(
        .fail,
        description: "Object type '\(layout.className)' is not managed by the Realm: its "
          + "shouldIncludeInDefaultSchema() is false; name it in the objectTypes of a configuration."
      )
    }
    guard !types.contains(where: { ObjectIdentifier($0) == ObjectIdentifier(layout.type) }) else {
      return
    }
    throw Realm.Error(
      .fail,
      description: "Object type '\(layout.className)' is not managed by the Realm: it is not among "
        + "the objectTypes of the configuration; add \(layout.className).self to them.")
  }
}

extension Realm {
  /// Returns whether the file of the configuration exists.
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard let path = try? configuration.path else { return false }
    return FileManager.default.fileExists(atPath: path)
  }

  /// Deletes the file of a store and the lock file beside it. Returns false if the file did not
  /// exist.
  ///
  /// - Throws: ``Realm/Error`` if the store is open, in this process or another.
  @discardableResult
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    do { return try Store.remove(configuration.path) } catch let error as StoreError {
      throw Realm.Error(error)
    }
  }

  /// Writes the snapshot that the realm reads to a new file, without the free space of the
  /// original.
  ///
  /// - Throws: ``Realm/Error`` if the file already exists, a key is given (Cairn does not encrypt),
  ///   or a write transaction is open.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    let session = checked
    if encryptionKey != nil { throw Configuration.encryptionUnsupported }
    guard session.transaction == nil else {
      throw Realm.Error(
        .fail, description: "A copy cannot be written inside a write transaction; commit it first.")
    }
    try session.finishPendingWrite()
    do { try session.snapshot.copy(to: fileURL.path) } catch { throw Realm.Error(error) }
  }

  /// Writes the snapshot that the realm reads to the file of a configuration, which must not exist
  /// yet.
  ///
  /// - Throws: ``Realm/Error``, as ``writeCopy(toFile:encryptionKey:)`` does.
  public func writeCopy(configuration: Configuration) throws {
    try writeCopy(
      toFile: URL(fileURLWithPath: configuration.path), encryptionKey: configuration.encryptionKey)
  }
}

extension Realm.Configuration {
  static let encryptionUnsupported = Realm.Error(
    .fail,
    description: "Cairn does not encrypt its files, because it reads them in place, through the "
      + "memory map. Leave encryptionKey out, and keep the file on an encrypted volume.")

  /// The path of the file.
  var path: String {
    get throws {
      guard let path = fileURL?.path, !path.isEmpty else {
        throw Realm.Error(.fail, description: "The configuration does not name a file.")
      }
      return path
    }
  }

  /// - Throws: ``Realm/Error`` for a setting that contradicts `readOnly`.
  func checkReadOnly() throws {
    guard readOnly else { return }
    if deleteRealmIfMigrationNeeded {
      throw Realm.Error(
        .fail, description: "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
    }
    if shouldCompactOnLaunch != nil {
      throw Realm.Error(
        .fail, description: "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
    }
  }

  /// Creates a missing file as a copy of the seed file.
  func seed(_ path: String) throws(StoreError) {
    guard let seedFilePath, !FileManager.default.fileExists(atPath: path) else { return }
    do throws(StoreError) {
      try Store.open(seedFilePath.path, mode: .readOnly, untrusted: untrusted).snapshot().copy(
        to: path)
    } catch {
      // Another process was first.
      if error.kind != .exists { throw error }
    }
  }

  /// Compacts the file if the program's block asks for it.
  func compact(_ path: String) throws(StoreError) {
    guard let shouldCompactOnLaunch else { return }
    let timer = EventTimer(events, store: storeName)
    var before = 0
    let isCompacted = try Store.compact(path, untrusted: untrusted) {
      before = $0.total
      return shouldCompactOnLaunch($0.total, $0.used)
    }
    guard isCompacted else { return }
    let after = fileSize(path)
    Logger.log(
      .detail, category: Category.Storage.all,
      message: "compacted '\(path)' from \(before) to \(after) bytes")
    timer.report(.compacted(before: before, after: after))
  }

  private func fileSize(_ path: String) -> Int {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_size) : 0
  }
}
