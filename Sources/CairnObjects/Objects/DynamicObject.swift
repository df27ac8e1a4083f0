import CairnStorage
import CairnValues

/// An object of a class that the program has no Swift type for: its properties by name.
///
/// It holds no values: each is read from the store when it is asked for.
@dynamicMemberLookup
public final class DynamicObject: RealmCollectionValue {
  let handle: ClassHandle
  let key: Int

  init(_ handle: ClassHandle, key: Int) {
    self.handle = handle
    self.key = key
  }

  /// The object of a row.
  public static func _object(at row: Row) -> DynamicObject {
    DynamicObject(row.handle, key: row.key)
  }

  /// The value of a property; nil for null. A property that the class does not have is a programming error.
  ///
  /// `Bool Int Float Double String Data Date ObjectId UUID Decimal128 GeoPoint`, by the property's type.
  public subscript(property: String) -> Any? {
    Bridge.any(value(property))
  }

  /// The value of a property, as the subscript gives it.
  public subscript(dynamicMember property: String) -> Any? { self[property] }

  /// The class.
  public var objectSchema: ObjectSchema { ObjectSchema(handle.table.schema) }

  /// Whether the object was deleted.
  public var isInvalidated: Bool { !handle.table.isLive(key) }

  /// Whether both are the same object of the same store.
  public func isSameObject(as other: DynamicObject?) -> Bool {
    guard let other else { return false }
    return key == other.key && handle.name == other.handle.name
      && handle.session.store.path == other.handle.session.store.path
  }

  private func value(_ property: String) -> Value {
    guard let position = handle.position(of: property) else {
      programmingError("Property '\(property)' not found in object of type '\(handle.name)'.")
    }
    guard handle.table.isLive(key) else {
      programmingError("Object has been deleted or invalidated.")
    }
    return handle.table.value(position, at: key)
  }
}

extension DynamicObject: CustomStringConvertible {
  /// The class, and a line for every property.
  public var description: String {
    guard !isInvalidated else { return "[invalid object]" }
    let lines = handle.table.schema.properties.map { column in
      "\t\(column.name) = \(ValueText.text(of: handle.table.value(column.position, at: key)));"
    }
    return "\(handle.name) {\n\(lines.joined(separator: "\n"))\n}"
  }
}
