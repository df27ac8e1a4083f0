/// An instance that holds the value of a property: `RealmProperty` and `RealmOptional`, which older models declare.
///
/// In the store the property is that of the value itself.
public protocol _ValueHolder: AnyObject, _Persistable {
  /// The type of the value.
  associatedtype _Held: _Persistable
  /// A holder in no realm, with the type's default.
  init()
  /// The holder of a property of a stored object.
  init(_at row: Row, _ column: Int)
  /// The value, in the instance or in the store.
  var value: _Held { get set }
}

extension _ValueHolder {
  public static var _kind: PropertyKind { _Held._kind }
  public static func _default() -> Self { Self() }

  public static func _read(_ row: Row, _ column: Int) -> Self {
    row.handle.checkLive(row.key)
    return Self(_at: row, column)
  }

  public func _write(_ row: Row, _ column: Int) { value._write(row, column) }

  public var _initial: StoredValue? { value._initial }

  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> Self? {
    if let same = any as? Self { return same }
    return try _Held._from(any, intake).map { value in
      let holder = Self()
      holder.value = value
      return holder
    }
  }

  public var _dynamic: Any? { value._dynamic }
}

/// Where the value of a holder is.
struct HeldValue<Value: _Persistable> {
  private var loose: Value
  private var place: (row: Row, column: Int)?

  init(_ value: Value) { loose = value }

  init(_ row: Row, _ column: Int) {
    loose = Value._default()
    place = (row, column)
  }

  var value: Value {
    get { place.map { Value._read($0.row, $0.column) } ?? loose }
    set {
      guard let place else {
        loose = newValue
        return
      }
      place.row.handle.checkLive(place.row.key)
      newValue._write(place.row, place.column)
    }
  }
}

extension Query where T: _ValueHolder {
  /// The value that the property holds.
  public var value: Query<T._Held> { going { _ in } }
}
