import CairnQuery
import CairnStorage

/// Values of one's own that are stored as embedded objects: equal when all members are.
extension Query {
  /// The condition that what is stored is, member by member, what the value is stored as, or is something else; nil for
  /// values that are not stored as objects.
  func memberwise(_ value: Any?, isEqual: Bool = true) -> Query<Bool>? {
    guard let custom = Bridge.unwrapped(value) as? any FailableCustomPersistable,
      let object = custom.persistableValue as? EmbeddedObject
    else { return nil }
    let members: [Query<Bool>] = Query.members(of: object).map { member in
      let query: Query<Bool> = going { $0.append(.property(member.name)) }
      return query.compared(.equal, member.value)
    }
    guard !path.isMany else { return anyElement(members, isEqual) }
    let isThere = leaf { .compare($0, .notEqual, .value(.null), []) }
    let equal = members.reduce(isThere) { $0 && $1 }
    return isEqual ? equal : !equal
  }

  /// The condition on an element of the collections on the way: all members of one are equal, or one of them is not.
  private func anyElement(_ members: [Query<Bool>], _ isEqual: Bool) -> Query<Bool> {
    let all = Query<Bool>(.condition(.constant(true)), in: session)
    let equal = members.reduce(all) { $0 && $1 }
    // An object is found by a subquery for each collection, the last of which holds the objects.
    let found = path.forks.reduce(isEqual ? equal : !equal) { condition, _ in condition.count > 0 }
    guard !isEqual, T.self is any _QueryOptional.Type else { return found }
    return found || leaf { .compare($0, .equal, .value(.null), []) }
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
