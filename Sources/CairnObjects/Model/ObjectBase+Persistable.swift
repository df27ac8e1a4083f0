import CairnValues

/// A property that leads to an object is optional: `@Persisted var toy: DogToy?`.
extension ObjectBase: _PersistableInOptional {
  public static var _kind: PropertyKind {
    PropertyKind(
      type: self is EmbeddedObject.Type ? .embedded : .link, isOptional: true, target: self)
  }

  public typealias PersistedType = ObjectBase

  public static func _blank() -> Self { self.init() }

  public static func _readOptional(_ row: Row, _ column: Int) -> Self? {
    row.handle.target(column, at: row.key).map { managed($0) }
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
