import CairnGeometry
import CairnStorage
import CairnValues

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A type whose value occupies one cell of a column, unlike objects and collections.
public protocol _Scalar: _Persistable, _PersistableInOptional, RealmCollectionValue {
  /// Creates a value from a cell of its type that is not null.
  init(_cell: _Cell)
  /// Creates a value from a stored value, or returns nil if that has another type.
  init?(_stored: StoredValue)
  /// The stored form of the value.
  var _stored: StoredValue { get }
}

/// The content of a cell.
public struct StoredValue {
  let value: Value

  init(_ value: Value) { self.value = value }
}

extension _Scalar {
  public static func _valueForNull() -> Self { _default() }

  public var _initial: StoredValue? { _stored }

  @inlinable
  public static func _read(_ row: Row, column: Int) -> Self { Self(_cell: row.cell(column)) }

  @inlinable
  public static func _readOptional(_ row: Row, column: Int) -> Self? {
    row.cellUnlessNull(column).map { Self(_cell: $0) }
  }

  @inlinable
  public static func _get(_ object: ObjectBase, column: Int) -> Self {
    Self(_cell: object.cell(column))
  }

  @inlinable
  public static func _getOptional(_ object: ObjectBase, column: Int) -> Self? {
    object.cellUnlessNull(column).map { Self(_cell: $0) }
  }

  public func _write(_ row: Row, column: Int) {
    row.handle.set(_stored.value, column: column, at: row.key)
  }

  public static func _writeNull(_ row: Row, column: Int) {
    row.handle.set(.null, column: column, at: row.key)
  }
}

extension Bool: _Scalar, _PrimaryKey {
  public static var _kind: PropertyKind { PropertyKind(type: .bool) }
  @inlinable
  public static func _default() -> Bool { false }

  public init(_cell: _Cell) {
    self = _cell.int != 0
  }

  public init?(_stored: StoredValue) {
    guard case .bool(let flag) = _stored.value else { return nil }
    self = flag
  }

  public var _stored: StoredValue { StoredValue(.bool(self)) }
}

extension Float: _Scalar {
  public static var _kind: PropertyKind { PropertyKind(type: .float) }
  @inlinable
  public static func _default() -> Float { 0 }

  public init(_cell: _Cell) {
    self = _cell.chunk.float(at: _cell.row)
  }

  public init?(_stored: StoredValue) {
    guard case .float(let number) = _stored.value else { return nil }
    self = number
  }

  public var _stored: StoredValue { StoredValue(.float(self)) }
}

extension Double: _Scalar {
  public static var _kind: PropertyKind { PropertyKind(type: .double) }
  @inlinable
  public static func _default() -> Double { 0 }

  public init(_cell: _Cell) {
    self = _cell.double
  }

  public init?(_stored: StoredValue) {
    guard case .double(let number) = _stored.value else { return nil }
    self = number
  }

  public var _stored: StoredValue { StoredValue(.double(self)) }
}

extension Decimal128: _Scalar {
  public static var _kind: PropertyKind { PropertyKind(type: .decimal128) }
  public static func _default() -> Decimal128 { Decimal128() }

  public init(_cell: _Cell) {
    self.init(storedBytes: _cell.bytes)
  }

  public init?(_stored: StoredValue) {
    guard case .decimal(let number) = _stored.value else { return nil }
    self = number
  }

  public var _stored: StoredValue { StoredValue(.decimal(self)) }
}

/// An integer of a fixed width; all widths are stored alike.
public protocol _StoredInteger: _Scalar, _PrimaryKey, FixedWidthInteger {}

extension _StoredInteger {
  public static var _kind: PropertyKind { PropertyKind(type: .int) }
  @inlinable
  public static func _default() -> Self { 0 }

  public init(_cell: _Cell) {
    self = Self.fitting(_cell.int)
  }

  public init?(_stored: StoredValue) {
    guard case .int(let number) = _stored.value else { return nil }
    self = Self.fitting(number)
  }

  public var _stored: StoredValue { StoredValue(.int(Int64(self))) }

  /// Returns the stored number. A number that the type cannot hold ends the program instead of
  /// being truncated.
  @inline(__always)
  static func fitting(_ number: Int64) -> Self {
    guard let fitting = Self(exactly: number) else { tooNarrow(number) }
    return fitting
  }

  @inline(never)
  private static func tooNarrow(_ number: Int64) -> Never {
    programmingError("The stored number \(number) does not fit a property of type \(Self.self).")
  }
}

extension Int: _StoredInteger {}
extension Int8: _StoredInteger {}
extension Int16: _StoredInteger {}
extension Int32: _StoredInteger {}
extension Int64: _StoredInteger {}

extension String: _Scalar, _PrimaryKey {
  public static var _kind: PropertyKind { PropertyKind(type: .string) }
  @inlinable
  public static func _default() -> String { "" }

  public init(_cell: _Cell) {
    self = _cell.text
  }

  public init?(_stored: StoredValue) {
    guard case .string(let text) = _stored.value else { return nil }
    self = text
  }

  public var _stored: StoredValue { StoredValue(.string(self)) }
}

extension Data: _Scalar {
  public static var _kind: PropertyKind { PropertyKind(type: .data) }
  public static func _default() -> Data { Data() }

  public init(_cell: _Cell) {
    self.init(_cell.bytes)
  }

  public init?(_stored: StoredValue) {
    guard case .data(let bytes) = _stored.value else { return nil }
    self.init(bytes)
  }

  public var _stored: StoredValue { StoredValue(.data(Array(self))) }
}

extension Date: _Scalar, _Indexable {
  public static var _kind: PropertyKind { PropertyKind(type: .date) }
  /// Returns the current time.
  public static func _default() -> Date { Date() }

  public init(_cell: _Cell) {
    self.init(timeIntervalSinceReferenceDate: _cell.double)
  }

  public init?(_stored: StoredValue) {
    guard case .date(let seconds) = _stored.value else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  public var _stored: StoredValue { StoredValue(.date(timeIntervalSinceReferenceDate)) }
}

extension GeoPoint: _Scalar {
  public static var _kind: PropertyKind { PropertyKind(type: .point) }
  /// A location has no default value: a required property must be set before it is read or added.
  public static var _hasDefault: Bool { false }
  /// Ends the program, because a location has no default value.
  public static func _default() -> GeoPoint { programmingError(RequiredLocation.unset(nil)) }

  public init(_cell: _Cell) {
    guard let point = GeoPoint(_cell.chunk.position(at: _cell.row)) else {
      programmingError(RequiredLocation.unset(nil))
    }
    self = point
  }

  public init?(_stored: StoredValue) {
    guard case .point(let position) = _stored.value else { return nil }
    self.init(position)
  }

  public var _stored: StoredValue { StoredValue(.point(Position(self))) }
}

extension ObjectId: _Scalar, _PrimaryKey {
  public static var _kind: PropertyKind { PropertyKind(type: .objectId) }
  /// Returns a new identifier.
  public static func _default() -> ObjectId { .generate() }
  public static func _fresh() -> ObjectId? { FreshDefault.make(generate) }

  public init(_cell: _Cell) {
    self.init(storedBytes: _cell.bytes)
  }

  public init?(_stored: StoredValue) {
    guard case .objectId(let id) = _stored.value else { return nil }
    self = id
  }

  public var _stored: StoredValue { StoredValue(.objectId(self)) }
}

extension UUID: _Scalar, _PrimaryKey {
  public static var _kind: PropertyKind { PropertyKind(type: .uuid) }
  /// Returns a new identifier.
  public static func _default() -> UUID { UUID() }
  public static func _fresh() -> UUID? { FreshDefault.make { UUID() } }

  public init(_cell: _Cell) {
    self.init(UUIDBytes(storedBytes: _cell.bytes))
  }

  public init?(_stored: StoredValue) {
    guard case .uuid(let id) = _stored.value else { return nil }
    self.init(id)
  }

  public var _stored: StoredValue { StoredValue(.uuid(UUIDBytes(self))) }
}

extension ObjectId {
  /// Creates an identifier from a time, a machine number (its lowest three bytes) and a process
  /// number (its lowest two bytes). The last three bytes come from a counter.
  ///
  /// - Parameters:
  ///   - timestamp: A time from 1970 to 2106, in whole seconds. Other times wrap around modulo 2^32
  ///     seconds.
  ///   - machineId: The number of the machine.
  ///   - processId: The number of the process.
  public init(timestamp: Date, machineId: Int, processId: Int) {
    let seconds = timestamp.timeIntervalSince1970.rounded(.down)
    let whole = Int64(exactly: seconds) ?? 0
    self = .generate(
      seconds: UInt32(truncatingIfNeeded: whole), machine: UInt32(truncatingIfNeeded: machineId),
      process: UInt16(truncatingIfNeeded: processId))
  }

  /// The time at which the identifier was created, in whole seconds.
  public var timestamp: Date { Date(timeIntervalSince1970: TimeInterval(secondsSince1970)) }
}
