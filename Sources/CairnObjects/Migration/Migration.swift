import CairnStorage
import CairnValues

/// An object in a migration: of the state before, or of the one that comes of it. Its properties are read and set by name.
public typealias MigrationObject = DynamicObject

/// What a migration does to objects; gets the program's migration and the number that the store had before.
public typealias MigrationBlock =
  @Sendable (_ migration: Migration, _ oldSchemaVersion: UInt64) -> Void

/// What a program does with an object of the state before, and with the same object of the new one; nil where there is none.
public typealias MigrationObjectEnumerateBlock = (
  _ oldObject: MigrationObject?, _ newObject: MigrationObject?
) -> Void

/// A store between two forms of a program's classes: the objects as they were, to be read, and as they will be.
///
/// The classes have their new form already, and what could be kept was kept. All of it becomes visible when the block
/// returns, or nothing does.
public struct Migration {
  let session: Session
  /// The state before.
  let former: Session

  /// The classes as they were.
  public var oldSchema: Schema { Schema(former) }

  /// The classes as they are to be.
  public var newSchema: Schema { Schema(session) }

  /// Calls the block with every object that a class had, and with what becomes of it; of a class that the store did not
  /// have, with what was made in the migration.
  ///
  /// The new object is nil where the program has no such class any more. Objects that were deleted in the migration are
  /// left out.
  public func enumerateObjects(ofType typeName: String, _ block: MigrationObjectEnumerateBlock) {
    bringUp(typeName)
    let source = former.handle(typeName)
    let end = (source ?? session.handle(typeName))?.table.endKey ?? 0
    for key in 0..<end {
      let old = source.flatMap { $0.isLive(key) ? Self.object(key, $0) : nil }
      if source != nil, old == nil { continue }
      // Asked for anew each time: the block may have removed the class.
      let handle = session.handle(typeName)
      let object = handle.flatMap { $0.isLive(key) ? Self.object(key, $0) : nil }
      if handle != nil, object == nil { continue }
      block(old, object)
    }
  }

  /// Makes an object of a dictionary by name, of an array in the order of the declaration, or of another object.
  @discardableResult
  public func create(
    _ typeName: String, value: Any = [String: Any]()
  ) -> MigrationObject {
    bringUp(typeName)
    guard let handle = session.handle(typeName) else { unknown(typeName) }
    let row = trapping { try session.create(in: handle, value) }
    return MigrationObject._object(at: row)
  }

  /// Deletes an object of the new state, and the embedded objects in it.
  public func delete(_ object: MigrationObject) {
    guard let row = object.row, row.handle.session === session else {
      programmingError("Can only delete an object from the Realm it belongs to.")
    }
    row.handle.checkLive(row.key)
    session.delete([row.key], from: row.handle)
  }

  /// Deletes all objects of a class; the class itself too where the program does not have it any more. False when there is
  /// none of that name.
  @discardableResult
  public func deleteData(forType typeName: String) -> Bool {
    bringUp(typeName)
    guard let handle = session.handle(typeName) else { return false }
    session.packCollections()
    session.openCollections.forgetAll()
    if session.layout(named: typeName) == nil {
      session.transaction?.removeTable(typeName)
      session.handles[typeName] = nil
      session.moveHandles()
    } else {
      session.writer(of: handle).deleteAll()
      session.noteChange()
    }
    return true
  }

  /// Lets a property have what another one held before.
  ///
  /// - Parameters:
  ///   - oldName: a property that the class does not have any more.
  ///   - newName: the property that it has instead, of the same type.
  public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
    bringUp(typeName)
    guard let transaction = session.transaction else { return }
    session.packCollections()
    let new = session.layout(named: typeName)?.property(named: newName)?.columnName ?? newName
    trapping { try transaction.renameProperty(of: typeName, from: oldName, to: new) }
    session.moveHandles()
  }

  /// Gives a class its new form that the realm did not know of when the migration began.
  private func bringUp(_ typeName: String) {
    guard session.layout(named: typeName) == nil, session.configuration.objectTypes == nil,
      let layout = ProgramClasses.layout(named: typeName)
    else { return }
    trapping { try session.register(layout) }
  }

  private func unknown(_ typeName: String) -> Never {
    programmingError(session.unknownClass(typeName))
  }

  private static func object(_ key: Int, _ handle: ClassHandle) -> MigrationObject {
    MigrationObject._object(at: Row(handle: handle, key: key))
  }
}
