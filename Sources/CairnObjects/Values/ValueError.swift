import CairnStorage
import CairnValues

/// The sentences about values that do not fit.
enum ValueError {
  /// - Parameter misfit: which element of a collection does not fit.
  static func mismatch(
    _ any: Any, _ property: PropertyLayout, _ className: String, _ misfit: String? = nil
  ) -> Realm.Error {
    let kind = property.kind
    let type = typeName(kind.type, kind.isOptional, kind.collection)
    return mismatch(
      any, "\(type) property '\(className).\(property.name)'",
      misfit ?? ValueCure(any, kind.type, kind.collection).sentence)
  }

  static func mismatch(_ any: Any, _ column: ColumnSchema, _ className: String) -> Realm.Error {
    let type = typeName(column.type, column.isOptional, column.collection)
    return mismatch(
      any, "\(type) property '\(className).\(column.name)'",
      ValueCure(any, column.type, column.collection).sentence)
  }

  private static func typeName(
    _ type: ValueType, _ isOptional: Bool, _ collection: CollectionKind
  ) -> String {
    "'\(PropertyType(type).rawValue)\(isOptional ? "?" : "")'\(name(of: collection))"
  }

  private static func mismatch(_ any: Any, _ place: String, _ cure: String) -> Realm.Error {
    Realm.Error(
      .fail, "Invalid value '\(shown(any))' of type '\(typeName(any))' for \(place). \(cure)")
  }

  /// What stands somewhere in a collection, and does not fit.
  static func misfit(_ any: Any, _ place: String) -> String {
    "\(place) stands '\(shown(any))' of type '\(typeName(any))'."
  }

  static func missing(_ property: String, _ className: String) -> Realm.Error {
    Realm.Error(
      .fail,
      "Missing value for property '\(className).\(property)'. Give it one, declare what it begins with, or make it optional."
    )
  }

  private static func name(of kind: CollectionKind) -> String {
    switch kind {
    case .none: ""
    case .list: " array"
    case .set: " set"
    case .map: " dictionary"
    }
  }

  private static func shown(_ any: Any) -> String {
    Bridge.unwrapped(any).map { "\($0)" } ?? "<null>"
  }

  private static func typeName(_ any: Any) -> String { "\(type(of: Bridge.unwrapped(any) ?? any))" }

  static func noSource(_ any: Any, _ className: String) -> Realm.Error {
    Realm.Error(
      .fail,
      "Invalid value '\(shown(any))' to initialize object of type '\(className)': a dictionary, an array "
        + "or another object is needed.")
  }

  static func tooMany(_ values: Int, _ properties: Int, _ className: String) -> Realm.Error {
    Realm.Error(
      .fail,
      "Invalid array input for '\(className)': more values (\(values)) than properties (\(properties))."
    )
  }

  static func duplicate(_ key: Value, _ className: String) -> Realm.Error {
    Realm.Error(
      .fail,
      "Attempting to create an object of type '\(className)' with an existing primary key value "
        + "'\(ValueText.text(of: key))'.")
  }

  static func unknown(
    _ name: String, _ className: String, among names: [String]
  ) -> String {
    let nearest = NearestName.of(name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return "Invalid property name '\(name)' for class '\(className)'.\(nearest)"
  }
}
