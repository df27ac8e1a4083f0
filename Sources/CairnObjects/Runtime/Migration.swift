import CairnStorage
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// An object in a migration, either in the old store or in the migrated one. Its properties are
/// read and set by name.
public typealias MigrationObject = DynamicObject

/// The block that migrates objects. It receives the migration and the schema version that the store
/// had before.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

/// A block that receives each object of the old store and its counterpart in the migrated one;
/// either is nil if it does not exist.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

/// A store between two schemas of a program: the old objects, which are read only, and the new
/// ones.
///
/// The classes already have their new schema, and compatible values have been kept. All changes
/// become visible when the block returns, or none do.
public struct Migration {
  let session: Session
  /// The session of the snapshot before the migration.
  let oldSession: Session

  /// Calls the block with every old object of a class and its new counterpart. For a class that the
  /// store did not have, calls it with the objects created in the migration.
  ///
  /// The new object is nil if the program no longer has the class. Objects that the migration has
  /// deleted are skipped.
  public func enumerateObjects(ofType typeName: String, _ block: MigrationObjectEnumerateBlock) {
    migrateClasses(typeName)
    let source = oldSession.handle(typeName)
    let end = (source ?? session.handle(typeName))?.table.endKey ?? 0
    for key in 0..<end {
      let old = source.flatMap { $0.isLive(key) ? Self.object(key, handle: $0) : nil }
      if source != nil, old == nil { continue }
      // Looked up on each iteration, because the block may have removed the class.
      let handle = session.handle(typeName)
      let object = handle.flatMap { $0.isLive(key) ? Self.object(key, handle: $0) : nil }
      if handle != nil, object == nil { continue }
      block(old, object)
    }
  }

  /// Creates an object from a dictionary of values by name, an array of values in declaration
  /// order, or another object.
  @discardableResult
  public func create(
    _ typeName: String, value: Any = [String: Any]()
  ) -> MigrationObject {
    migrateClasses(typeName)
    guard let handle = session.handle(typeName) else { unknown(typeName) }
    let row = orFatal { try session.create(in: handle, value) }
    return MigrationObject._object(at: row)
  }

  /// Deletes a new object and the embedded objects in it.
  public func delete(_ object: MigrationObject) {
    guard let row = object.row, row.handle.session === session else {
      programmingError("Can only delete an object from the Realm it belongs to.")
    }
    row.handle.checkLive(row.key)
    session.delete([row.key], from: row.handle)
  }

  /// Deletes all objects of a class, and the class itself if the program no longer has it.
  ///
  /// - Returns: Whether the store has a class of that name.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    migrateClasses(typeName)
    guard let handle = session.handle(typeName) else { return false }
    session.packCollections()
    session.openCollections.discardAll()
    if session.layout(named: typeName) == nil {
      session.transaction?.removeTable(typeName)
      session.classes.removeHandle(typeName)
      session.moveHandles()
    } else {
      session.writer(of: handle).deleteAll()
      session.markChanged()
    }
    return true
  }

  /// Moves the old values of one property to another.
  ///
  /// If the class does not have the properties, or their types differ, opening the realm throws after the
  /// block has returned, and the store remains as it was.
  ///
  /// - Parameters:
  ///   - typeName: The class.
  ///   - oldName: A property that the class no longer has.
  ///   - newName: The property that replaces it, of the same type.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    migrateClasses(typeName)
    guard let transaction = session.transaction else { return }
    session.packCollections()
    let new = session.layout(named: typeName)?.property(named: newName)?.columnName ?? newName
    do throws(StoreError) {
      try transaction.renameProperty(of: typeName, from: oldName, to: new)
    } catch {
      // Realm's form of the method does not throw.
      session.migrationFault = session.migrationFault ?? Realm.Error(error)
      return
    }
    session.moveHandles()
  }

  /// Migrates a class that the realm did not know when the migration began.
  private func migrateClasses(_ typeName: String) {
    guard session.layout(named: typeName) == nil, session.configuration.objectTypes == nil,
      let layout = ProgramClasses.layout(named: typeName)
    else { return }
    orFatal { try session.register(layout) }
  }

  private func unknown(_ typeName: String) -> Never {
    programmingError(session.unknownClass(typeName))
  }

  private static func object(_ key: Int, handle: ClassHandle) -> MigrationObject {
    MigrationObject._object(at: Row(handle: handle, key: key))
  }
}

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

/// Returns the schema version of a store, or 0 if no program has set one.
///
/// - Throws: `Realm.Error` if the file does not exist or is not a store, or if a key was given,
///   because Cairn does not encrypt.
public func schemaVersionAtURL(_ fileURL: URL, encryptionKey: Data? = nil) throws -> UInt64 {
  if encryptionKey != nil { throw Realm.Configuration.encryptionUnsupported }
  do { return try Store.open(fileURL.path, mode: .readOnly).snapshot().schemaVersion ?? 0 } catch {
    throw Realm.Error(error)
  }
}
