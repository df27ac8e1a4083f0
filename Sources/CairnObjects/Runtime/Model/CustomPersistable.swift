import CairnStorage
import CairnValues

/// A custom type that a property can hold and that is stored as a value of another type, from which
/// it may fail to be created.
///
/// A stored value that cannot be converted reads as nil from an optional property, and ends the
/// program otherwise.
public protocol FailableCustomPersistable: _MappedValue, _Persistable, _PersistableInOptional,
  RealmCollectionValue
where PersistedType: _PersistableInOptional & RealmCollectionValue {
  /// The type of the stored value: a simple type, or a class of embedded objects.
  associatedtype PersistedType
  /// Creates a value from its stored form, or returns nil if no value has that form.
  init?(persistedValue: PersistedType)
  /// The stored form of the value.
  var persistableValue: PersistedType { get }
}

/// A custom type that a property can hold and that is stored as a value of another type: a simple
/// type or an embedded object.
///
///     struct Celsius: CustomPersistable {
///       var degrees: Double
///       init(persistedValue: Double) { degrees = persistedValue }
///       var persistableValue: Double { degrees }
///     }
public protocol CustomPersistable: FailableCustomPersistable {
  /// Creates a value from its stored form.
  init(persistedValue: PersistedType)
}

extension FailableCustomPersistable {
  /// The stored type; optional for objects. A missing object converts like a newly created one.
  public static var _kind: PropertyKind {
    var kind = PersistedType._kind
    if kind.target != nil { kind.isOptional = true }
    return kind
  }

  public static func _default() -> Self { _valueForNull() }

  /// Whether the stored type has a default value.
  public static var _hasDefault: Bool { PersistedType._hasDefault }

  /// Returns any value, as a placeholder while a key path is traced.
  public static func _trace(_ tracer: KeyPathTracer) -> Self {
    tracer.record()
    if _hasDefault { return _default() }
    let probe = PersistedType._traceValue(tracer)
    return probe.map { instance(for: $0) } ?? _default()
  }

  public static func _valueForNull() -> Self { instance(for: PersistedType._valueForNull()) }

  public static func _read(_ row: Row, column: Int) -> Self {
    instance(for: PersistedType._readOptional(row, column: column) ?? PersistedType._valueForNull())
  }

  public static func _readOptional(_ row: Row, column: Int) -> Self? {
    PersistedType._readOptional(row, column: column).flatMap(Self.init(persistedValue:))
  }

  public static func _get(_ object: ObjectBase, column: Int) -> Self {
    instance(
      for: PersistedType._getOptional(object, column: column) ?? PersistedType._valueForNull())
  }

  public static func _getOptional(_ object: ObjectBase, column: Int) -> Self? {
    PersistedType._getOptional(object, column: column).flatMap(Self.init(persistedValue:))
  }

  public func _write(_ row: Row, column: Int) { persistableValue._write(row, column: column) }

  public var _initial: StoredValue? { persistableValue._initial }

  public static func _writeNull(_ row: Row, column: Int) {
    PersistedType._writeNull(row, column: column)
  }

  private static func instance(for stored: PersistedType) -> Self {
    guard let value = Self(persistedValue: stored) else {
      programmingError("Failed to convert persisted value '\(stored)' to type '\(Self.self)'.")
    }
    return value
  }
}

/// Custom types compare their stored values unless they declare their own `==`.
extension FailableCustomPersistable {
  /// Returns whether both have the same stored value.
  public static func == (a: Self, b: Self) -> Bool {
    let (x, y) = (a.persistableValue, b.persistableValue)
    guard let x = x as? ObjectBase, let y = y as? ObjectBase else { return x == y }
    return x.holdsSame(as: y)
  }

  /// Hashes the stored value.
  public func hash(into hasher: inout Hasher) {
    if PersistedType._kind.target == nil { hasher.combine(persistableValue) }
  }
}

extension ObjectBase {
  /// Returns whether both unmanaged objects have equal values in all properties that are neither
  /// links nor collections.
  fileprivate final func holdsSame(as other: ObjectBase) -> Bool {
    guard type(of: self) == type(of: other) else { return false }
    let properties = ObjectLayout.of(type(of: self)).properties
    return properties.allSatisfy { property in
      guard property.kind.collection == .none, property.kind.target == nil else { return true }
      return property.initial(in: self) == property.initial(in: other)
    }
  }
}

extension PropertyLayout {
  fileprivate func initial(in object: ObjectBase) -> Value? {
    isMissing(in: object) ? nil : wrapper.value(pointer(in: object))._initial?.value
  }
}

/// An enumeration that a property can hold; it is stored as its raw value.
///
///     enum Kind: String, PersistableEnum { case mouse, cat }
///
/// A property that was not set has the first case. A stored raw value without a case reads as nil
/// from an optional property, and ends the program otherwise.
public protocol PersistableEnum: RealmOptionalType, _MappedValue, RawRepresentable, CaseIterable,
  Comparable
where RawValue: _Scalar & Comparable, PersistedType == RawValue {}

extension PersistableEnum {
  public static var _kind: PropertyKind { RawValue._kind }

  public static func _default() -> Self {
    guard let first = allCases.first else {
      programmingError("Enumeration '\(Self.self)' has no cases.")
    }
    return first
  }

  public init?(_stored: StoredValue) {
    guard let raw = RawValue(_stored: _stored) else { return nil }
    self.init(rawValue: raw)
  }

  public var _stored: StoredValue { rawValue._stored }

  @inlinable
  public init(_cell: _Cell) { self = Self._known(RawValue(_cell: _cell)) }

  @inlinable
  public static func _readOptional(_ row: Row, column: Int) -> Self? {
    RawValue._readOptional(row, column: column).flatMap(Self.init(rawValue:))
  }

  @inlinable
  public static func _getOptional(_ object: ObjectBase, column: Int) -> Self? {
    RawValue._getOptional(object, column: column).flatMap(Self.init(rawValue:))
  }

  @usableFromInline
  static func _known(_ raw: RawValue) -> Self {
    guard let value = Self(rawValue: raw) else {
      programmingError("Invalid raw value '\(raw)' for enum type '\(Self.self)'.")
    }
    return value
  }

  /// Compares the raw values.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
