import CairnStorage
import CairnValues
import FoundationEssentials

extension ObjectId: _Scalar, _PrimaryKey {
  public static var _kind: PropertyKind { PropertyKind(type: .objectId) }
  /// A new one for each object.
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
  /// A new one for each object.
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
