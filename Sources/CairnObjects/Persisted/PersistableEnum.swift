/// An enumeration that a property can hold: stored as its raw value.
///
///     enum Kind: String, PersistableEnum { case mouse, cat }
///
/// A property that was given no value begins with the first case. A stored raw value that no case has reads as
/// nil from an optional property, and ends the program otherwise.
public protocol PersistableEnum: RealmOptionalType, _MappedValue, RawRepresentable, CaseIterable,
  Comparable
where RawValue: _Scalar & Comparable, PersistedType == RawValue {}

extension PersistableEnum {
  public static var _kind: PropertyKind { RawValue._kind }

  public static func _default() -> Self {
    guard let first = allCases.first else {
      programmingError("Enumeration '\(Self.self)' has no case.")
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
  public static func _readOptional(_ row: Row, _ column: Int) -> Self? {
    RawValue._readOptional(row, column).flatMap(Self.init(rawValue:))
  }

  @inlinable
  public static func _getOptional(_ object: ObjectBase, _ column: Int) -> Self? {
    RawValue._getOptional(object, column).flatMap(Self.init(rawValue:))
  }

  @usableFromInline
  static func _known(_ raw: RawValue) -> Self {
    guard let value = Self(rawValue: raw) else {
      programmingError("Invalid raw value '\(raw)' for enum type '\(Self.self)'.")
    }
    return value
  }

  /// By raw value.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
