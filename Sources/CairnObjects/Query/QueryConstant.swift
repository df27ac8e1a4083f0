import CairnQuery
import CairnStorage
import CairnValues
import FoundationEssentials

/// What Swift values stand for in conditions.
enum QueryConstant {
  /// The value as a condition has it; nil for what no condition takes.
  ///
  /// - Parameter session: the realm that is asked; an object of another one is a programming error.
  static func value(of any: Any?, in session: Session?) -> Value? {
    guard let any = Bridge.unwrapped(any) else { return .null }
    switch any {
    case let object as ObjectBase: return .link(link(to: object, in: session))
    case let custom as any FailableCustomPersistable:
      // What is stored as an object is equal member by member, which only `where` can ask.
      let stored: Any = custom.persistableValue
      return stored is EmbeddedObject ? nil : value(of: stored, in: session)
    case let scalar as any _Scalar: return scalar._stored.value
    case let mixed as AnyRealmValue: return mixed.constant(in: session)
    default: return Bridge.value(any)
    }
  }

  /// An object that is in no store, or no longer, is equal to nothing stored.
  private static func link(to object: ObjectBase, in session: Session?) -> Link {
    guard let row = object.row, row.handle.table.isLive(row.key) else { return .nowhere }
    if let session, row.handle.session.store !== session.store {
      programmingError("Object must be from the Realm being queried")
    }
    return Link(table: row.handle.table.schema.id, key: row.key)
  }
}

extension AnyRealmValue {
  /// A list or a map as conditions have it; nil for other values.
  func collection(in session: Session?) -> CollectionConstant? {
    switch self {
    case .list, .dictionary: element(in: session)
    default: nil
    }
  }

  private func element(in session: Session?) -> CollectionConstant {
    switch self {
    case .list(let list): .list(list.map { $0.element(in: session) })
    case .dictionary(let map): .entries(map.map { ($0.key, $0.value.element(in: session)) })
    default: .value(constant(in: session) ?? .null)
    }
  }

  /// The value as conditions have it; nil for lists and maps, which have no order and no text.
  fileprivate func constant(in session: Session?) -> Value? {
    switch self {
    case .none: .null
    case .int(let value): .int(Int64(value))
    case .bool(let value): .bool(value)
    case .float(let value): .float(value)
    case .double(let value): .double(value)
    case .string(let value): .string(value)
    case .data(let value): .data(Array(value))
    case .date(let value): .date(value.timeIntervalSinceReferenceDate)
    case .objectId(let value): .objectId(value)
    case .decimal128(let value): .decimal(value)
    case .uuid(let value): .uuid(UUIDBytes(value))
    case .object(let value): QueryConstant.value(of: value, in: session)
    case .list, .dictionary: nil
    }
  }
}
