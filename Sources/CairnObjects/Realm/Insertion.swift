import CairnStorage
import CairnValues

/// What adding objects of one class takes, looked up once in a write transaction.
final class Insertion {
  let handle: ClassHandle
  private let binding: ClassBinding
  private let stamps: UnsafeBufferPointer<StateStamp>
  let writer: TableWriter
  /// Whether an object may update one that the store has.
  let hasPrimaryKey: Bool
  /// Takes the values of each object in turn.
  private let row: _NewRow
  /// The clock of the session.
  private let clock: UnsafeMutablePointer<Int>

  init(_ handle: ClassHandle, _ binding: ClassBinding, _ writer: TableWriter) {
    self.handle = handle
    self.binding = binding
    stamps = binding.stamps
    self.writer = writer
    hasPrimaryKey = handle.table.schema.primaryKey != nil
    row = _NewRow(handle, writer, defersLinks: binding.defersLinks)
    clock = handle.session.clock
  }

  /// Adds an object, and all that it leads to; gives its key.
  func add(_ object: ObjectBase, _ owner: Owner?) -> Int {
    if let fault = binding.incompleteness(of: object) { programmingError(fault) }
    binding.append(object, to: row)
    let later = row.takeLater()
    let key: Int
    do { key = try writer.finishRow(owner: owner) } catch { programmingError("\(error)") }
    settle(object, key, later)
    return key
  }

  /// Makes an object the one of its new row.
  @inline(__always)
  func settle(_ object: ObjectBase, _ key: Int, _ later: [DeferredProperty]) {
    let row = Row(handle: handle, key: key)
    for stamp in stamps where !stamp.holdsCollection(object) { stamp.apply(to: object) }
    for collection in binding.collections where !collection.settle(object, at: row) {
      stamps[collection.number].apply(to: object)
    }
    object.row = row
    clock.pointee += 1
    for property in later {
      property.value._write(row, property.column)
      guard type(of: property.value)._keepsIdentity else { continue }
      if !property.value._settle(at: row, property.column) { apply(property.column, to: object) }
    }
  }

  /// Makes a property that holds a collection of another object the one of the row.
  private func apply(_ column: Int, to object: ObjectBase) {
    for stamp in stamps where stamp.isCollection(ofColumn: column) { stamp.apply(to: object) }
  }

  /// What a new row for an object holds, and the properties that can only be written once it is there.
  func initialValues(of object: ObjectBase) -> (values: [Value], later: [DeferredProperty]) {
    binding.initialValues(of: object)
  }
}
