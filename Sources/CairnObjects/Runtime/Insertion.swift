import CairnStorage
import CairnValues

/// The state for adding objects of one class, looked up once in a write transaction.
final class Insertion {
  let handle: ClassHandle
  private let binding: ClassBinding
  private let binders: UnsafeBufferPointer<PropertyBinder>
  let writer: TableWriter
  /// Whether an added object may update a stored one.
  let hasPrimaryKey: Bool
  /// Receives the values of each object in turn.
  private let row: _NewRow
  /// The clock of the session.
  private let clock: UnsafeMutablePointer<Int>

  init(_ handle: ClassHandle, binding: ClassBinding, writer: TableWriter) {
    self.handle = handle
    self.binding = binding
    binders = binding.binders
    self.writer = writer
    hasPrimaryKey = handle.table.schema.primaryKey != nil
    row = _NewRow(handle, writer: writer, defersLinks: binding.defersLinks)
    clock = handle.session.clock
  }

  /// Adds an object and everything that it leads to, and returns its key.
  func add(_ object: ObjectBase, owner: Owner?) -> Int {
    if let fault = binding.missingLocation(of: object) { programmingError(fault) }
    binding.append(object, to: row)
    let later = row.takeDeferred()
    return handle.session.insertingRow(into: writer.schema.id) {
      let key: Int
      do { key = try writer.finishRow(owner: owner) } catch { programmingError("\(error)") }
      bind(object, key: key, later: later)
      return key
    }
  }

  /// Binds an object to its new row.
  @inline(__always)
  func bind(_ object: ObjectBase, key: Int, later: [DeferredProperty]) {
    let row = Row(handle: handle, key: key)
    for binder in binders where !binder.holdsCollection(object) { binder.apply(to: object) }
    for collection in binding.collections where !collection.bind(object, at: row) {
      binders[collection.number].apply(to: object)
    }
    object.row = row
    clock.pointee += 1
    if later.isEmpty { return }
    let session = handle.session
    for property in later {
      if session.additions.isLong {
        session.additions.postpone(
          PostponedProperty(insertion: self, object: object, row: row, property: property))
      } else {
        write(property, of: object, at: row)
      }
    }
  }

  /// Writes a property that leads to objects to the row of its object.
  func write(_ property: DeferredProperty, of object: ObjectBase, at row: Row) {
    property.value._write(row, column: property.column)
    guard type(of: property.value)._keepsIdentity else { return }
    if !property.value._bind(at: row, property.column) { apply(property.column, to: object) }
  }

  /// Binds a property that still holds another object's collection to the row.
  private func apply(_ column: Int, to object: ObjectBase) {
    for binder in binders where binder.isCollection(ofColumn: column) { binder.apply(to: object) }
  }

  /// The values of a new row for an object, and the properties that can be written only once the
  /// row exists.
  func initialValues(of object: ObjectBase) -> (values: [Value], later: [DeferredProperty]) {
    binding.initialValues(of: object)
  }
}

/// A property of an added object that leads to objects which are added later.
struct PostponedProperty {
  let insertion: Insertion
  let object: ObjectBase
  let row: Row
  let property: DeferredProperty

  func write() { insertion.write(property, of: object, at: row) }
}

/// A row under construction, which receives an object's property values one by one.
public final class _NewRow {
  let writer: TableWriter
  private let handle: ClassHandle
  private let defersLinks: Bool
  /// The column of the next value.
  var column = 0
  /// The checks of the link properties, by column.
  private let links: [LinkProperty?]
  /// The properties to write once the row exists.
  private var later: [DeferredProperty] = []

  init(_ handle: ClassHandle, writer: TableWriter, defersLinks: Bool) {
    self.handle = handle
    self.writer = writer
    self.defersLinks = defersLinks
    let schema = handle.table.schema
    links = schema.columns.map { $0.isLink ? LinkProperty($0, table: schema.id) : nil }
  }

  /// Returns the properties to write once the row exists, and clears the list.
  func takeDeferred() -> [DeferredProperty] {
    guard !later.isEmpty else { return [] }
    defer { later = [] }
    return later
  }

  /// Appends the value of the next property. A value that can be written only to an existing row is
  /// kept for later.
  func append(_ value: any _Persistable, initial: StoredValue?) {
    if let initial { return writer.append(initial.value) }
    let schema = handle.table.schema.columns[column]
    writer.append(schema.isNullable ? .null : .defaultValue(of: schema.storedType))
    later.append(DeferredProperty(column: column, value: value))
  }

  /// Appends the object that the next property leads to. An object that is not in a store is added
  /// before the row. This goes no deeper than there are classes, because links that may lead back to the
  /// class are deferred.
  func append(_ object: ObjectBase) {
    guard !defersLinks, let link = links[column] else { return append(object, initial: nil) }
    link.check(object, of: handle)
    if link.isEmbedded {
      let owner = Owner(table: link.table, column: link.id, key: writer.nextKey)
      writer.append(int: Int64(handle.session.embed(object, owner: owner).key))
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
  /// The class of the last object that passed the check.
  private var fitting: ObjectIdentifier?

  init(_ schema: ColumnSchema, table: UInt32) {
    self.table = table
    self.schema = schema
    id = schema.id
    isEmbedded = schema.type == .embedded
  }

  /// Ends the program if the object's class is not the one that the property leads to.
  func check(_ object: ObjectBase, of handle: ClassHandle) {
    // The Swift class suffices as the key, except for dynamic objects, which represent rows of any
    // class.
    let type = ObjectIdentifier(type(of: object))
    if fitting == type { return }
    handle.checkClass(of: object, schema)
    if !(object is DynamicObject) { fitting = type }
  }
}

/// The source of a new row's value in a column. A trivial type, so that copying it counts no
/// reference.
struct PropertySource {
  let offset: Int
  let representation: PropertyRepresentation
  let wrapper: any PersistedWrapper.Type

  init(_ property: PropertyLayout) {
    offset = property.offset
    representation = property.representation
    wrapper = property.wrapper
  }

  /// Appends the value that an unmanaged instance holds to a row.
  func append(_ pointer: UnsafeMutableRawPointer, to row: _NewRow) {
    switch representation {
    case .int:
      guard case .value(let number) = state(pointer, type: Int.self) else { break }
      return row.writer.append(int: Int64(number))
    case .double:
      guard case .value(let number) = state(pointer, type: Double.self) else { break }
      return row.writer.append(double: number)
    case .text:
      guard case .value(let text) = state(pointer, type: String.self) else { break }
      return row.writer.append(text: text)
    case .doubles:
      if appendDoubles(pointer, to: row) { return }
    case .object:
      guard case .value(let object?) = state(pointer, type: ObjectBase?.self) else {
        return row.writer.appendNull()
      }
      return row.append(object)
    case .collection, .plain, .other, .typed: break
    }
    wrapper.append(pointer, to: row)
  }

  /// The state of a property of a known type.
  func state<Value>(
    _ pointer: UnsafeMutableRawPointer, type: Value.Type
  ) -> PersistedState<Value> {
    assert(
      Int(bitPattern: pointer) % MemoryLayout<PersistedState<Value>>.alignment == 0,
      "the property is not aligned")
    return pointer.assumingMemoryBound(to: PersistedState<Value>.self).pointee
  }
}
