import CairnStorage
import CairnValues

/// The mapping between an object class and a class in a store: the column of each property.
final class ClassBinding {
  let layout: ObjectLayout
  /// The column of each property; for an inverse property, its position among the inverse
  /// properties of the class.
  private let columns: [Int]
  /// The binder of each property. Valid while the class binding exists.
  let binders: UnsafeBufferPointer<PropertyBinder>
  /// The property that fills each column; nil for columns that the object class does not declare.
  private let sources: UnsafeBufferPointer<PropertySource?>
  /// The lists, sets and maps that are written together with a new row.
  let collections: [CollectionProperty]
  /// Whether links are written after the row exists, because they may lead back to the class.
  let defersLinks: Bool
  /// The values of a row in which no property was set.
  private let defaults: [Value]
  /// A location property that the class in the store requires and the object class does not
  /// declare.
  private let unknownLocation: String?

  /// Binds an object class to a class in the store.
  ///
  /// - Throws: `Realm.Error` if the class in the store lacks a property. Sessions check that first.
  init(_ layout: ObjectLayout, schema: TableSchema) throws {
    self.layout = layout
    columns = try layout.properties.map { property in
      let found =
        property.kind.isInverse
        ? schema.inverses.firstIndex { $0.name == property.name }
        : schema.column(named: property.columnName)?.position
      guard let found else {
        throw Realm.Error(
          .schemaMismatch,
          description: "Property '\(layout.className).\(property.name)' is not in the store.")
      }
      return found
    }
    let columns = columns
    let binders = UnsafeMutableBufferPointer<PropertyBinder>.allocate(capacity: columns.count)
    _ = binders.initialize(
      from: zip(layout.properties, columns).map {
        PropertyBinder($0, column: $1, prototype: layout.prototype)
      })
    self.binders = UnsafeBufferPointer(binders)
    var sources: [PropertySource?] = Array(repeating: nil, count: schema.properties.count)
    for (property, column) in zip(layout.properties, columns) where !property.kind.isInverse {
      sources[column] = PropertySource(property)
    }
    let memory = UnsafeMutableBufferPointer<PropertySource?>.allocate(capacity: sources.count)
    _ = memory.initialize(from: sources)
    self.sources = UnsafeBufferPointer(memory)
    collections = zip(layout.properties, columns).enumerated().compactMap {
      CollectionProperty($1.0, column: $1.1, number: $0)
    }
    defersLinks = layout.isOnCycle
    defaults = schema.properties.map { $0.isNullable ? .null : .defaultValue(of: $0.storedType) }
    unknownLocation =
      schema.properties.first {
        $0.requiresLocation && sources[$0.position] == nil
      }?.name
  }

  /// Returns the reason why an unmanaged object cannot become a row, which is a missing location;
  /// nil if it can.
  func missingLocation(of object: ObjectBase) -> String? {
    if let unknownLocation {
      return RequiredLocation.unknown(unknownLocation, className: layout.className)
    }
    guard !layout.requiredLocations.isEmpty else { return nil }
    return layout.missingProperty(in: object).map { RequiredLocation.unset(layout.name(of: $0)) }
  }

  deinit {
    for binder in binders { binder.free() }
    binders.deallocate()
    sources.deallocate()
  }

  /// Binds the properties of an instance to its row.
  func manage(_ object: ObjectBase) {
    for binder in binders { binder.apply(to: object) }
  }

  /// Appends the properties of an unmanaged instance to a new row, in column order.
  func append(_ object: ObjectBase, to row: _NewRow) {
    let memory = object.storage(at: 0)
    for column in 0..<sources.count {
      row.column = column
      guard let property = sources[column] else {
        row.writer.append(defaults[column])
        continue
      }
      property.append(memory + property.offset, to: row)
    }
  }

  /// Returns the values of a new row for an instance, and the properties that can only be written
  /// after the row exists.
  func initialValues(of object: ObjectBase) -> (values: [Value], later: [DeferredProperty]) {
    var values = defaults
    var later: [DeferredProperty] = []
    if let fault = missingLocation(of: object) { programmingError(fault) }
    for (property, column) in zip(layout.properties, columns) where !property.kind.isInverse {
      let value = property.wrapper.value(property.pointer(in: object))
      if let initial = value._initial {
        values[column] = initial.value
      } else {
        later.append(DeferredProperty(column: column, value: value))
      }
    }
    return (values, later)
  }
}

/// Binds instances of one class to rows without reference counting. The class binding owns the
/// memory.
struct InstanceBinders {
  let type: ObjectBase.Type
  private let binders: UnsafeBufferPointer<PropertyBinder>

  /// Nil for a class whose instances must know before they are created that they represent rows.
  init?(_ binding: ClassBinding) {
    guard !binding.layout.hasFreshDefaults else { return nil }
    type = binding.layout.type
    binders = binding.binders
  }

  /// Binds the properties of an instance to its row.
  @inline(__always)
  func apply(to object: ObjectBase) {
    for binder in binders { binder.apply(to: object) }
  }
}

/// A collection of values that is a property. Collections of objects are written after the row
/// exists.
struct CollectionProperty {
  private let offset: Int
  private let column: Int
  private let wrapper: any PersistedWrapper.Type

  /// The index of the property in its class.
  let number: Int

  init?(_ property: PropertyLayout, column: Int, number: Int) {
    let kind = property.kind
    guard kind.collection != .none, kind.target == nil, kind.type != .mixed else { return nil }
    self.number = number
    offset = property.offset
    self.column = column
    wrapper = property.wrapper
  }

  /// Turns the collection of a newly added instance into the collection of its row, and returns
  /// whether it did.
  func bind(_ object: ObjectBase, at row: Row) -> Bool {
    wrapper.bind(object.storage(at: offset), at: row, column: column)
  }
}

/// A property of a new object that is written after its row exists: a link or a collection of
/// objects.
struct DeferredProperty {
  let column: Int
  let value: any _Persistable
}
