import CairnStorage
import CairnValues

/// What a property can hold. The names with an underscore are Cairn's own; conform through
/// `PersistableEnum` or `CustomPersistable`.
public protocol _Persistable {
  /// How the values are stored.
  static var _kind: PropertyKind { get }
  /// The value of a property that was given none.
  static func _default() -> Self
  /// The value of a column in a row.
  static func _read(_ row: Row, _ column: Int) -> Self
  /// Stores the value in a column of a row.
  func _write(_ row: Row, _ column: Int)
  /// The value that stands for a property while a key path is traced.
  static func _trace(_ tracer: KeyPathTracer) -> Self
}

extension _Persistable {
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
