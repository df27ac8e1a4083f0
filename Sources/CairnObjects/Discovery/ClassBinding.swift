import CairnStorage
import CairnValues

/// How a class of objects and a class in a store fit: which column holds which property.
final class ClassBinding {
  let layout: ObjectLayout
  /// The column of each property; of an inverse one, its place among those of the class.
  private let columns: [Int]
  /// One for each property.
  let stamps: UnsafeBufferPointer<StateStamp>
  /// What the columns are filled from; nil for those that the class of objects does not know.
  private let sources: UnsafeBufferPointer<PropertySource?>
  /// Lists, sets and maps that are given to a new row with the rest.
  let collections: [CollectionProperty]
  /// Links are written once the row is there, for they may lead back to the class.
  let defersLinks: Bool
  /// A row that was given nothing.
  private let blanks: [Value]
  /// A location that the class in the store requires and the class of objects does not have.
  private let unknownLocation: String?

  /// - Throws: `Realm.Error` when the class in the store lacks a property; sessions have checked that before.
  init(_ layout: ObjectLayout, _ schema: TableSchema) throws {
    self.layout = layout
    columns = try layout.properties.map { property in
      let found =
        property.kind.isInverse
        ? schema.inverses.firstIndex { $0.name == property.name }
        : schema.column(named: property.columnName)?.position
      guard let found else {
        throw Realm.Error(
          .schemaMismatch,
          "Property '\(layout.className).\(property.name)' is not in the store.")
      }
      return found
    }
    let columns = columns
    let stamps = UnsafeMutableBufferPointer<StateStamp>.allocate(capacity: columns.count)
    _ = stamps.initialize(
      from: zip(layout.properties, columns).map { StateStamp($0, $1, layout.prototype) })
    self.stamps = UnsafeBufferPointer(stamps)
    var sources: [PropertySource?] = Array(repeating: nil, count: schema.properties.count)
    for (property, column) in zip(layout.properties, columns) where !property.kind.isInverse {
      sources[column] = PropertySource(property)
    }
    let memory = UnsafeMutableBufferPointer<PropertySource?>.allocate(capacity: sources.count)
    _ = memory.initialize(from: sources)
    self.sources = UnsafeBufferPointer(memory)
    collections = zip(layout.properties, columns).enumerated().compactMap {
      CollectionProperty($1.0, $1.1, number: $0)
    }
    defersLinks = layout.isOnCycle
    blanks = schema.properties.map { $0.isNullable ? .null : .blank($0.storedType) }
    unknownLocation =
      schema.properties.first {
        $0.requiresLocation && sources[$0.position] == nil
      }?.name
  }

  /// Why an object in no realm cannot become a row: a location is missing; nil where it can.
  func incompleteness(of object: ObjectBase) -> String? {
    if let unknownLocation { return RequiredLocation.unknown(unknownLocation, layout.className) }
    guard !layout.requiredLocations.isEmpty else { return nil }
    return layout.missingProperty(in: object).map { RequiredLocation.unset(layout.name(of: $0)) }
  }

  deinit {
    for stamp in stamps { stamp.free() }
    stamps.deallocate()
    sources.deallocate()
  }

  /// Makes the properties of an instance those of the row that it is attached to.
  func manage(_ object: ObjectBase) {
    for stamp in stamps { stamp.apply(to: object) }
  }

  /// Gives the properties of an instance that is in no store yet to a new row, in the order of the columns.
  func append(_ object: ObjectBase, to row: _NewRow) {
    let memory = object.storage(at: 0)
    for column in 0..<sources.count {
      row.column = column
      guard let property = sources[column] else {
        row.writer.append(blanks[column])
        continue
      }
      property.append(memory + property.offset, to: row)
    }
  }

  /// What a new row for an instance holds, and the properties that can only be written once it is there.
  func initialValues(of object: ObjectBase) -> (values: [Value], later: [DeferredProperty]) {
    var values = blanks
    var later: [DeferredProperty] = []
    if let fault = incompleteness(of: object) { programmingError(fault) }
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

/// What makes instances of one class objects of rows, without a reference to count; its binding keeps the memory.
struct InstanceStamps {
  let type: ObjectBase.Type
  private let stamps: UnsafeBufferPointer<StateStamp>

  /// Nil for a class whose instances must know that they stand for rows before they are made.
  init?(_ binding: ClassBinding) {
    guard !binding.layout.hasFreshDefaults else { return nil }
    type = binding.layout.type
    stamps = binding.stamps
  }

  /// Makes the properties of an instance those of the row that it is attached to.
  @inline(__always)
  func apply(to object: ObjectBase) {
    for stamp in stamps { stamp.apply(to: object) }
  }
}

/// A collection of values as a property; those of objects are written once the row is there.
struct CollectionProperty {
  private let offset: Int
  private let column: Int
  private let wrapper: any PersistedWrapper.Type

  /// Which of the properties of the class it is.
  let number: Int

  init?(_ property: PropertyLayout, _ column: Int, number: Int) {
    let kind = property.kind
    guard kind.collection != .none, kind.target == nil, kind.type != .mixed else { return nil }
    self.number = number
    offset = property.offset
    self.column = column
    wrapper = property.wrapper
  }

  /// Lets what an instance that was added holds be the collection of its row. Whether it is.
  func settle(_ object: ObjectBase, at row: Row) -> Bool {
    wrapper.settle(object.storage(at: offset), at: row, column)
  }
}

/// A property of a new object that is written once its row is there: links, and collections of objects.
struct DeferredProperty {
  let column: Int
  let value: any _Persistable
}
