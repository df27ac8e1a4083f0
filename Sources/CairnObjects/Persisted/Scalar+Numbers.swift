import CairnStorage
import CairnValues

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
