import CairnStorage
import CairnValues
import FoundationEssentials

extension String: _Scalar, _PrimaryKey {
  public static var _kind: PropertyKind { PropertyKind(type: .string) }
  @inlinable
  public static func _default() -> String { "" }

  public init(_cell: _Cell) {
    self = _cell.chunk.string(at: _cell.row)
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
