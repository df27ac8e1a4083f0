import CairnStorage
import CairnValues

/// What a property can hold. The names with an underscore are Cairn's own; conform through
/// `PersistableEnum`, `CustomPersistable` or `FailableCustomPersistable`.
public protocol _Persistable: _DynamicValue {
  /// The type of what is stored: the type itself, but for enumerations and custom types.
  associatedtype PersistedType = Self
  /// How the values are stored.
  static var _kind: PropertyKind { get }
  /// The value of a property that was given none.
  static func _default() -> Self
  /// A default that is another for each object; nil for types whose default is always the same, and for instances
  /// that stand for rows.
  static func _fresh() -> Self?
  /// The value of a column in a row.
  static func _read(_ row: Row, _ column: Int) -> Self
  /// The value of a column of the object's row.
  static func _get(_ object: ObjectBase, _ column: Int) -> Self
  /// Stores the value in a column of a row.
  func _write(_ row: Row, _ column: Int)
  /// What the cell of a new row holds for the value; nil where it can only be written once the row is there.
  var _initial: StoredValue? { get }
  /// Gives the value to a row that is being put together.
  func _append(to row: _NewRow)
  /// Whether the value stays the same instance when its object is added: collections do.
  static var _keepsIdentity: Bool { get }
  /// Lets a collection in an instance that was added be the one of its row, whoever holds it. Whether it is.
  func _settle(at row: Row, _ column: Int) -> Bool
  /// The column of the row that the value is the collection of; nil for others.
  var _settledColumn: Int? { get }
  /// The value that stands for a property while a key path is traced.
  static func _trace(_ tracer: KeyPathTracer) -> Self
}

extension _Persistable {
  /// Only collections are held by others.
  @inlinable
  public static var _keepsIdentity: Bool { false }
  public func _settle(at row: Row, _ column: Int) -> Bool { false }
  public var _settledColumn: Int? { nil }

  /// Sets the property of an object in a realm that has kept its collection since it was added.
  @usableFromInline
  @inline(never)
  static func _replace(_ state: PersistedState<Self>, with value: Self, in object: ObjectBase) {
    guard case .value(let kept) = state, let column = kept._settledColumn else {
      ObjectBase.missingRow()
    }
    _store(value, in: object, column)
  }

  /// The value of a column of the object's row; of the commonest types without a call through their conformance, which
  /// the compiler does not see through. Only the branch of the type is left in a program.
  @inlinable @inline(__always)
  static func _stored(in object: ObjectBase, _ column: Int) -> Self {
    if Self.self == Int.self { return unsafeBitCast(object.int(column), to: Self.self) }
    if Self.self == Double.self { return unsafeBitCast(object.double(column), to: Self.self) }
    if Self.self == String.self { return unsafeBitCast(object.text(column), to: Self.self) }
    return _get(object, column)
  }

  /// The value that stands for a property of an instance that traces.
  @usableFromInline
  @inline(never)
  static func _traced(in object: ObjectBase, _ number: Int) -> Self {
    _trace(object.tracer(number))
  }

  /// Stores a value in a column of the object's row. A call, so that code that sets a property stays small.
  @usableFromInline
  @inline(never)
  static func _store(_ value: Self, in object: ObjectBase, _ column: Int) {
    value._write(object.managedRow, column)
  }

  /// What the row of the object gives.
  @inlinable
  public static func _get(_ object: ObjectBase, _ column: Int) -> Self {
    _read(object.managedRow, column)
  }

  /// Always the same default.
  @inlinable
  public static func _fresh() -> Self? { nil }

  /// Written once the row is there.
  public var _initial: StoredValue? { nil }

  public func _append(to row: _NewRow) { row.append(self, _initial) }

  /// The default stands for the property.
  public static func _trace(_ tracer: KeyPathTracer) -> Self {
    tracer.pass()
    return _default()
  }
}

/// What can have an index of its values.
public protocol _Indexable: _Persistable {}

/// What can tell objects apart.
public protocol _PrimaryKey: _Indexable {}

/// The objects that lead to one: nothing is stored for a property of the type.
public protocol _Inverse: _Persistable {
  /// Of an object in no store: nobody leads to it.
  static func _inverse(through property: String) -> Self
  /// The property of the other class that leads here.
  var _originProperty: String { get }
}

/// How the values of a property are stored.
public struct PropertyKind {
  var type: ValueType
  var collection: CollectionKind = .none
  var isOptional = false
  /// The class that objects of the property have.
  var target: ObjectBase.Type?
  /// The objects that link here, which nothing is stored for.
  var isInverse = false
}
