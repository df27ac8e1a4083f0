/// Where the value of a property is.
@frozen
@usableFromInline
enum PersistedState<Value> {
  /// Nowhere: nobody has asked for it or set it. Its default is made on the first access, so that objects
  /// read from a store make none.
  case unset
  /// In the instance.
  case value(Value)
  /// In the store.
  case managed(ManagedProperty)
  /// Nowhere: the instance only tells which properties a key path passes, this one by its number.
  ///
  /// A number, not a reference: the state of an int is then bits alone, and setting it costs what a field costs.
  case traced(Int)
}

/// Where in the store a property of an instance is.
@frozen
@usableFromInline
struct ManagedProperty {
  /// The instance that the property is one of: who encodes a property is given it alone.
  @usableFromInline unowned(unsafe) let object: ObjectBase
  @usableFromInline let place: UInt16

  init(_ object: ObjectBase, _ column: Int) {
    self.object = object
    place = UInt16(truncatingIfNeeded: column)
  }

  /// The position of its column.
  @inlinable var column: Int { Int(place) }
}

/// What the declaration of a property says besides its type.
@frozen
@usableFromInline
struct PropertyOptions: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt8

  @inlinable init(rawValue: UInt8) { self.rawValue = rawValue }

  @inlinable static var indexed: PropertyOptions { PropertyOptions(rawValue: 1) }
  @inlinable static var primaryKey: PropertyOptions { PropertyOptions(rawValue: 2) }
}
