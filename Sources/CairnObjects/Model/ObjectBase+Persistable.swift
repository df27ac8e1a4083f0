import CairnValues

/// A property that leads to an object is optional: `@Persisted var toy: DogToy?`.
///
/// One that is not compiles too, so that the mistake is told with the class, the property and the cure when the
/// class is first used; see `ObjectLayout.mistakes`.
extension ObjectBase: _Persistable, _PersistableInOptional {
  public static var _kind: PropertyKind {
    PropertyKind(
      type: self is EmbeddedObject.Type ? .embedded : .link, target: self)
  }

  public typealias PersistedType = ObjectBase

  /// Written once the row is there: objects lead to one another in circles.
  public final var _initial: StoredValue? { nil }

  public static func _blank() -> Self { self.init() }

  public static func _default() -> Self { self.init() }

  public static func _read(_ row: Row, _ column: Int) -> Self {
    _readOptional(row, column) ?? _default()
  }

  public static func _readOptional(_ row: Row, _ column: Int) -> Self? {
    row.handle.target(column, at: row.key).map { standing(at: $0) }
  }

  public static func _getOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    linked(from: object, column)
  }

  public final func _write(_ row: Row, _ column: Int) {
    row.handle.setLink(self, column, at: row.key)
  }

  public static func _writeNull(_ row: Row, _ column: Int) {
    row.handle.setLink(nil, column, at: row.key)
  }

  public static func _traceOptional(_ tracer: KeyPathTracer) -> Self? {
    tracer.follow(self)
  }
}
