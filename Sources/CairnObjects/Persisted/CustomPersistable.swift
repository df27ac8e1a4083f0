/// A type of one's own that a property can hold: stored as a value of another type, which may not stand for one.
///
/// A stored value that stands for none reads as nil from an optional property, and ends the program otherwise.
public protocol FailableCustomPersistable: _MappedValue, _Persistable, _PersistableInOptional,
  RealmCollectionValue
where PersistedType: _PersistableInOptional & RealmCollectionValue {
  /// The type of what is stored: a simple one, or a class of embedded objects.
  associatedtype PersistedType
  /// The value that a stored one stands for; nil where it stands for none.
  init?(persistedValue: PersistedType)
  /// What is stored.
  var persistableValue: PersistedType { get }
}

/// A type of one's own that a property can hold: stored as a value of another type, a simple one or an
/// embedded object.
///
///     struct Celsius: CustomPersistable {
///       var degrees: Double
///       init(persistedValue: Double) { degrees = persistedValue }
///       var persistableValue: Double { degrees }
///     }
public protocol CustomPersistable: FailableCustomPersistable {
  /// The value that a stored one stands for.
  init(persistedValue: PersistedType)
}

extension FailableCustomPersistable {
  /// Objects may always be missing: what they stand for then is what a new one stands for.
  public static var _kind: PropertyKind {
    var kind = PersistedType._kind
    if kind.target != nil { kind.isOptional = true }
    return kind
  }

  public static func _default() -> Self { _blank() }

  /// Whether what is stored has a default.
  public static var _hasDefault: Bool { PersistedType._hasDefault }

  /// A value that stands for the property, whatever it is.
  public static func _trace(_ tracer: KeyPathTracer) -> Self {
    tracer.pass()
    if _hasDefault { return _default() }
    let probe = PersistedType._traceValue(tracer)
    return probe.map { standing(for: $0) } ?? _default()
  }

  public static func _blank() -> Self { standing(for: PersistedType._blank()) }

  public static func _read(_ row: Row, _ column: Int) -> Self {
    standing(for: PersistedType._readOptional(row, column) ?? PersistedType._blank())
  }

  public static func _readOptional(_ row: Row, _ column: Int) -> Self? {
    PersistedType._readOptional(row, column).flatMap(Self.init(persistedValue:))
  }

  public static func _get(_ object: ObjectBase, _ column: Int) -> Self {
    standing(for: PersistedType._getOptional(object, column) ?? PersistedType._blank())
  }

  public static func _getOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    PersistedType._getOptional(object, column).flatMap(Self.init(persistedValue:))
  }

  public func _write(_ row: Row, _ column: Int) { persistableValue._write(row, column) }

  public var _initial: StoredValue? { persistableValue._initial }

  public static func _writeNull(_ row: Row, _ column: Int) {
    PersistedType._writeNull(row, column)
  }

  private static func standing(for stored: PersistedType) -> Self {
    guard let value = Self(persistedValue: stored) else {
      programmingError("Failed to convert persisted value '\(stored)' to type '\(Self.self)'.")
    }
    return value
  }
}
