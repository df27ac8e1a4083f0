import CairnStorage
import CairnValues

/// A row that is being put together from an object: takes the values of its properties one by one.
public final class _NewRow {
  let writer: TableWriter
  private let handle: ClassHandle
  private let defersLinks: Bool
  /// The column that comes next.
  var column = 0
  /// What the properties that lead to objects take, by column.
  private let links: [LinkProperty?]
  /// What is written once the row is there.
  private var later: [DeferredProperty] = []

  init(_ handle: ClassHandle, _ writer: TableWriter, defersLinks: Bool) {
    self.handle = handle
    self.writer = writer
    self.defersLinks = defersLinks
    let schema = handle.table.schema
    links = schema.columns.map { $0.isLink ? LinkProperty($0, schema.id) : nil }
  }

  /// What is written once the row is there; forgotten here.
  func takeLater() -> [DeferredProperty] {
    guard !later.isEmpty else { return [] }
    defer { later = [] }
    return later
  }

  /// The value of the next property; one that can only be written to a row that is there is kept for later.
  func append(_ value: any _Persistable, _ initial: StoredValue?) {
    if let initial { return writer.append(initial.value) }
    let schema = handle.table.schema.columns[column]
    writer.append(schema.isNullable ? .null : .blank(schema.storedType))
    later.append(DeferredProperty(column: column, value: value))
  }

  /// The object that the next property leads to; one that is in no store is added before the row.
  func append(_ object: ObjectBase) {
    guard !defersLinks, let link = links[column] else { return append(object, nil) }
    link.check(object, of: handle)
    if link.isEmbedded {
      let owner = Owner(table: link.table, column: link.id, key: writer.nextKey)
      writer.append(int: Int64(handle.session.embed(object, owner).key))
    } else {
      writer.append(int: Int64(handle.session.adopt(object).key))
    }
  }
}

/// A property that leads to objects.
private final class LinkProperty {
  let table: UInt32
  let id: UInt16
  let isEmbedded: Bool
  private let schema: ColumnSchema
  /// The class of objects that was found to fit last.
  private var fitting: ObjectIdentifier?

  init(_ schema: ColumnSchema, _ table: UInt32) {
    self.table = table
    self.schema = schema
    id = schema.id
    isEmbedded = schema.type == .embedded
  }

  /// Ends the program where the object is of another class than the property leads to.
  func check(_ object: ObjectBase, of handle: ClassHandle) {
    // The class alone says it: but for objects that stand for a row of any class.
    let type = ObjectIdentifier(type(of: object))
    if fitting == type { return }
    handle.checkClass(of: object, schema)
    if !(object is DynamicObject) { fitting = type }
  }
}

/// Where the value of a column of a new row comes from: bits alone, so that taking one counts no reference.
struct PropertySource {
  let offset: Int
  let shape: PropertyShape
  let wrapper: any PersistedWrapper.Type

  init(_ property: PropertyLayout) {
    offset = property.offset
    shape = property.shape
    wrapper = property.wrapper
  }

  /// Gives what an instance that is in no store holds to a row.
  func append(_ pointer: UnsafeMutableRawPointer, to row: _NewRow) {
    switch shape {
    case .int:
      guard case .value(let number) = state(pointer, Int.self) else { break }
      return row.writer.append(int: Int64(number))
    case .double:
      guard case .value(let number) = state(pointer, Double.self) else { break }
      return row.writer.append(double: number)
    case .text:
      guard case .value(let text) = state(pointer, String.self) else { break }
      return row.writer.append(text: text)
    case .doubles:
      guard case .value(let list) = state(pointer, List<Double>.self), list.place == nil else {
        break
      }
      return StoredCollection.withEncoded(list.loose) { row.writer.append(bytes: $0) }
    case .object:
      guard case .value(let object?) = state(pointer, ObjectBase?.self) else {
        return row.writer.appendNull()
      }
      return row.append(object)
    case .collection, .plain, .other: break
    }
    wrapper.append(pointer, to: row)
  }

  private func state<Value>(
    _ pointer: UnsafeMutableRawPointer, _ type: Value.Type
  ) -> PersistedState<Value> {
    pointer.assumingMemoryBound(to: PersistedState<Value>.self).pointee
  }
}
