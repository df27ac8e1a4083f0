import CairnStorage
import CairnValues

/// Raw values for which an enumeration has no case. The store keeps them, and access by name reads
/// and sets them.
enum RawValues {
  /// Returns whether a type is an enumeration or an optional of one.
  static func isEnumeration(_ type: Any.Type) -> Bool {
    if let optional = type as? any _QueryOptional.Type { return isEnumeration(wrapped(optional)) }
    return type is any PersistableEnum.Type
  }

  /// Returns whether a store may hold values that a type cannot represent.
  static func mayBeUnreadable(_ type: Any.Type) -> Bool {
    if let optional = type as? any _QueryOptional.Type { return mayBeUnreadable(wrapped(optional)) }
    if type is any PersistableEnum.Type || type is any FailableCustomPersistable.Type {
      return true
    }
    return type is any _StoredInteger.Type && type != Int.self && type != Int64.self
  }

  private static func wrapped<T: _QueryOptional>(_ type: T.Type) -> Any.Type { T._Wrapped.self }

  /// Returns the stored form of a value for a property with an enumeration, or nil if the value is
  /// of another type.
  static func value(_ any: Any, of property: PropertyLayout) -> Value? {
    guard property.wrapper.holdsEnumeration, let any = Bridge.unwrapped(any),
      let value = AnyScalar.value(any, as: property.kind.type)
    else { return nil }
    guard case .int(let number) = value, let type = property.wrapper.integer else { return value }
    return fits(number, type: type) ? value : nil
  }

  private static func fits<I: _StoredInteger>(_ number: Int64, type: I.Type) -> Bool {
    I(exactly: number) != nil
  }
}
