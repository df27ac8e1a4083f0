import CairnStorage
import FoundationEssentials

extension Realm {
  /// Whether there is a file where the configuration says.
  public static func fileExists(for configuration: Configuration) -> Bool {
    guard let path = try? configuration.path else { return false }
    return FileManager.default.fileExists(atPath: path)
  }

  /// Deletes the file of a store, and the lock file beside it. False when there was none.
  ///
  /// - Throws: `Realm.Error`: somebody has the store open, in this process or another.
  @discardableResult
  public static func deleteFiles(for configuration: Configuration) throws -> Bool {
    do { return try Store.remove(configuration.path) } catch let error as StoreError {
      throw Realm.Error(error)
    }
  }

  /// Writes the state that the realm reads into a new file, without the room that is free in its own.
  ///
  /// - Throws: `Realm.Error`: there is a file already; a key was given, and Cairn does not encrypt; a write transaction
  ///   is open.
  public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
    let session = checked
    if encryptionKey != nil { throw Configuration.encryption }
    guard session.transaction == nil else {
      throw Realm.Error(
        .fail, "A copy cannot be written inside a write transaction: commit it first.")
    }
    try session.settle()
    do { try session.snapshot.copy(to: fileURL.path) } catch { throw Realm.Error(error) }
  }

  /// Writes the state that the realm reads into the file of a configuration, which must not be there yet.
  ///
  /// - Throws: `Realm.Error`, as `writeCopy(toFile:)`.
  public func writeCopy(configuration: Configuration) throws {
    try writeCopy(
      toFile: URL(fileURLWithPath: configuration.path), encryptionKey: configuration.encryptionKey)
  }
}

extension Realm.Configuration {
  static let encryption = Realm.Error(
    .fail,
    "Cairn does not encrypt its files: they are read in place, through the memory map. Leave encryptionKey "
      + "out, and keep the file on an encrypted volume.")

  /// Where the file is.
  var path: String {
    get throws {
      guard let path = fileURL?.path, !path.isEmpty else {
        throw Realm.Error(.fail, "The configuration names no file.")
      }
      return path
    }
  }

  /// - Throws: `Realm.Error` for what cannot be done to a store that is only read.
  func checkReadOnly() throws {
    guard readOnly else { return }
    if deleteRealmIfMigrationNeeded {
      throw Realm.Error(.fail, "Cannot set `deleteRealmIfMigrationNeeded` when `readOnly` is set.")
    }
    if shouldCompactOnLaunch != nil {
      throw Realm.Error(.fail, "Cannot set `shouldCompactOnLaunch` when `readOnly` is set.")
    }
  }

  /// Copies the store that a new file begins as.
  func seed(_ path: String) throws(StoreError) {
    guard let seedFilePath, !FileManager.default.fileExists(atPath: path) else { return }
    do throws(StoreError) {
      try Store.open(seedFilePath.path, .readOnly, untrusted: untrusted).snapshot().copy(to: path)
    } catch {
      // Somebody else was first.
      if error.kind != .exists { throw error }
    }
  }

  /// Compacts the file if the program says so.
  func compact(_ path: String) throws(StoreError) {
    guard let shouldCompactOnLaunch else { return }
    try Store.compact(path, untrusted: untrusted) { shouldCompactOnLaunch($0.total, $0.used) }
  }
}
