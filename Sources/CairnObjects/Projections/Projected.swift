/// Marks a property of a `Projection` as what a key path leads to from its object.
///
/// It can be set where the key path can.
@propertyWrapper
public struct Projected<Root: ObjectBase & RealmCollectionValue, Value> {
  /// Where the value comes from.
  let keyPath: KeyPath<Root, Value>

  /// Shows what the key path leads to.
  public init(_ keyPath: KeyPath<Root, Value>) {
    self.keyPath = keyPath
  }

  /// Only for the compiler; properties are read and written through their projection.
  @available(*, unavailable, message: "@Projected can only be used in projections")
  public var wrappedValue: Value {
    get { programmingError("@Projected can only be used in projections.") }
    set {}
  }

  /// The value, in the object that is shown.
  public static subscript<Enclosing: Projection<Root>>(
    _enclosingInstance projection: Enclosing,
    wrapped wrapped: ReferenceWritableKeyPath<Enclosing, Value>,
    storage storage: ReferenceWritableKeyPath<Enclosing, Self>
  ) -> Value {
    get { projection.rootObject[keyPath: projection[keyPath: storage].keyPath] }
    set {
      guard
        let writable = projection[keyPath: storage].keyPath
          as? ReferenceWritableKeyPath<Root, Value>
      else {
        programmingError("The projected property is read-only: so is what it shows.")
      }
      projection.rootObject[keyPath: writable] = newValue
    }
  }
}
