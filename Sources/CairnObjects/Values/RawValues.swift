import CairnStorage
import CairnValues

/// Raw values that an enumeration has no case for: a store keeps them, and they are read and set by name.
enum RawValues {
  /// Whether a type is an enumeration, or an optional of one.
  static func isEnumeration(_ type: Any.Type) -> Bool {
    if let optional = type as? any _QueryOptional.Type { return isEnumeration(wrapped(optional)) }
    return type is any PersistableEnum.Type
  }

  /// Whether a store may hold what a type has no value for.
  static func mayBeUnreadable(_ type: Any.Type) -> Bool {
    if let optional = type as? any _QueryOptional.Type { return mayBeUnreadable(wrapped(optional)) }
    if type is any PersistableEnum.Type || type is any FailableCustomPersistable.Type {
      return true
    }
    return type is any _StoredInteger.Type && type != Int.self && type != Int64.self
  }

  private static func wrapped<T: _QueryOptional>(_ type: T.Type) -> Any.Type { T._Wrapped.self }

  /// What the store has for a value of a property of an enumeration; nil where that is of another type.
  static func value(_ any: Any, of property: PropertyLayout) -> Value? {
    guard property.wrapper.holdsEnumeration, let any = Bridge.unwrapped(any),
      let value = AnyScalar.value(any, as: property.kind.type)
    else { return nil }
    guard case .int(let number) = value, let type = property.wrapper.integer else { return value }
    return fits(number, type) ? value : nil
  }

  private static func fits<I: _StoredInteger>(_ number: Int64, _ type: I.Type) -> Bool {
    I(exactly: number) != nil
  }
}

extension ObjectBase {
  /// What the store has for a property, whether or not the property's type has a value for it; nil for null.
  final func rawValue(of property: PropertyLayout, at row: Row) -> Any? {
    guard let position = row.handle.position(of: property.name) else { return nil }
    return DynamicCell(row, row.handle.table.schema.columns[position]).value
  }
}
