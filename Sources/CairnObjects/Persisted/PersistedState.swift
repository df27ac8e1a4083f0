/// Where the value of a property is.
@frozen
@usableFromInline
enum PersistedState<Value> {
  /// Nowhere: nobody has asked for it or set it. Its default is made on the first access, so that objects
  /// read from a store make none.
  case unset
  /// In the instance.
  case value(Value)
  /// In the store, in the column of that position.
  case managed(Int)
  /// Nowhere: the instance only tells which properties a key path passes.
  case traced(KeyPathTracer)
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
