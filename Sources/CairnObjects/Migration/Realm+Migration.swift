import CairnStorage
import FoundationEssentials

extension Realm {
  /// Migrates a store as opening it would, and closes it again.
  ///
  /// - Throws: `Realm.Error`.
  public static func performMigration(
    for configuration: Configuration = .defaultConfiguration,
    _isolation: isolated (any Actor)? = #isolation
  ) throws {
    _ = try Realm(configuration: configuration, _isolation: _isolation)
  }
}

/// The number that a program last gave a store for the form of its classes; 0 where none has.
///
/// - Throws: `Realm.Error`: no such file, not a store; a key was given, and Cairn does not encrypt.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  if encryptionKey != nil { throw Realm.Configuration.encryption }
  do { return try Store.open(fileURL.path, .readOnly).snapshot().schemaVersion ?? 0 } catch {
    throw Realm.Error(error)
  }
}
