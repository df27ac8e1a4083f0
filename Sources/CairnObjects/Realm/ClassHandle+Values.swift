import CairnStorage
import CairnValues

/// What properties read and write through.
extension ClassHandle {
  /// What a cell holds.
  func value(_ column: Int, at key: Int) -> Value {
    checkLive(key)
    return table.value(column, at: key)
  }

  /// Sets a cell; outside a write transaction that is a programming error.
  func set(_ value: Value, _ column: Int, at key: Int) {
    checkLive(key)
    let writer = session.writer(of: self)
    trapping { try writer.set(value, column, at: key) }
    session.noteChange()
  }

  /// The object that a link leads to.
  func target(_ column: Int, at key: Int) -> Row? {
    guard case .int(let target) = value(column, at: key),
      let name = table.schema.columns[column].target, let handle = session.handle(name)
    else { return nil }
    return Row(handle: handle, key: Int(target))
  }

  /// Lets a link lead to an object; one that is in no store is added.
  func setLink(_ object: ObjectBase?, _ column: Int, at key: Int) {
    guard let object else { return set(.null, column, at: key) }
    let schema = table.schema.columns[column]
    let owner = Owner(table: table.schema.id, column: schema.id, key: key)
    let row = session.adopt(object, owner: schema.type == .embedded ? owner : nil)
    set(.int(Int64(row.key)), column, at: key)
  }

  func checkLive(_ key: Int) {
    guard table.isLive(key) else { programmingError("Object has been deleted or invalidated.") }
  }
}
