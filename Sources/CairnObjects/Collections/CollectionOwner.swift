import CairnStorage
import CairnValues

/// Whom the elements of a collection are stored for.
public struct CollectionOwner {
  /// Nil while values are packed that lead to no object.
  let session: Session?
  /// The owner that embedded objects get.
  let embedding: Owner?
  /// Whether embedded objects that the owner has already may stay: where all of a collection is written at once.
  var keepsItsOwn = false

  init(session: Session?, embedding: Owner?) {
    self.session = session
    self.embedding = embedding
  }

  init(_ row: Row, _ column: ColumnSchema) {
    session = row.handle.session
    embedding =
      column.type == .embedded
      ? Owner(table: row.handle.table.schema.id, column: column.id, key: row.key) : nil
  }

  /// Of values that lead to no object.
  static var none: CollectionOwner { CollectionOwner(session: nil, embedding: nil) }

  /// The row of an object; one that is in no store is added.
  func adopt(_ object: ObjectBase) -> Row {
    guard let session else { programmingError("The object is in no realm.") }
    if let row = object.row {
      row.handle.checkLive(row.key)
      if object is EmbeddedObject, !isItsOwn(row) {
        programmingError("Cannot add an existing managed embedded object to a List.")
      }
    }
    return session.adopt(object, owner: embedding)
  }

  private func isItsOwn(_ row: Row) -> Bool {
    keepsItsOwn && row.handle.session === session && embedding != nil
      && row.handle.table.owner(of: row.key) == embedding
  }
}
