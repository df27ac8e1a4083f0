import CairnQuery
import CairnStorage

/// Values of one's own that are stored as embedded objects: equal when all members are.
extension Query {
  /// The condition that what is stored is, member by member, what the value is stored as; nil for values that
  /// are not stored as objects.
  func memberwise(_ value: Any?) -> Query<Bool>? {
    guard let custom = Bridge.unwrapped(value) as? any FailableCustomPersistable,
      let object = custom.persistableValue as? EmbeddedObject
    else { return nil }
    let isThere = leaf { .compare($0, .notEqual, .value(.null), []) }
    return Query.members(of: object).reduce(isThere) { condition, member in
      let query: Query<Bool> = going { $0.append(.property(member.name)) }
      return condition && query.compared(.equal, member.value)
    }
  }

  /// The members of a value that is stored as an object; nil for other values.
  static func members(of value: Any?) -> [(name: String, value: Any)]? {
    let custom = Bridge.unwrapped(value) as? any FailableCustomPersistable
    return (custom?.persistableValue as? EmbeddedObject).map { members(of: $0) }
  }

  private static func members(of object: EmbeddedObject) -> [(name: String, value: Any)] {
    let layout = ObjectLayout.of(type(of: object))
    return layout.properties.map { property in
      guard property.kind.target == nil, property.kind.collection == .none else {
        programmingError(
          "Objects of class '\(layout.className)' cannot be compared member by member: "
            + "'\(property.name)' is a link or a collection.")
      }
      return (property.name, property.wrapper.read(property.pointer(in: object), object.row))
    }
  }
}
