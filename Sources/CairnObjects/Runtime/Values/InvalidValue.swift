import CairnStorage
import CairnValues

/// The messages about values that do not fit.
enum InvalidValue {
  /// Creates the error for a value that does not fit a property.
  ///
  /// - Parameter reason: The reason, such as the element of a collection that does not fit, if it is
  ///   not the type alone.
  static func mismatch(
    _ any: Any, property: PropertyLayout, className: String, reason: String? = nil
  ) -> Realm.Error {
    let kind = property.kind
    let type = typeName(kind.type, isOptional: kind.isOptional, collection: kind.collection)
    return mismatch(
      any, subject: "\(type) property '\(className).\(property.name)'",
      suggestion: reason
        ?? ValueSuggestion(any, type: kind.type, collection: kind.collection).sentence)
  }

  static func mismatch(_ any: Any, column: ColumnSchema, className: String) -> Realm.Error {
    let type = typeName(column.type, isOptional: column.isOptional, collection: column.collection)
    return mismatch(
      any, subject: "\(type) property '\(className).\(column.name)'",
      suggestion: ValueSuggestion(any, type: column.type, collection: column.collection).sentence)
  }

  private static func typeName(
    _ type: ValueType, isOptional: Bool, collection: CollectionKind
  ) -> String {
    "'\(PropertyType(type).rawValue)\(isOptional ? "?" : "")'\(name(of: collection))"
  }

  private static func mismatch(_ any: Any, subject: String, suggestion: String) -> Realm.Error {
    Realm.Error(
      .fail,
      description:
        "Invalid value '\(shown(any))' of type '\(typeName(any))' for \(subject). \(suggestion)")
  }

  /// Returns the description of an element of a collection that does not fit.
  static func elementMismatch(_ any: Any, subject: String) -> String {
    "\(subject) is '\(shown(any))' of type '\(typeName(any))'."
  }

  static func missing(_ property: String, className: String) -> Realm.Error {
    Realm.Error(
      .fail,
      description:
        "Missing value for property '\(className).\(property)'. Set it, declare a default value, "
        + "or make it optional.")
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

  static func noSource(_ any: Any, className: String) -> Realm.Error {
    Realm.Error(
      .fail,
      description:
        "Invalid value '\(shown(any))' to initialize object of type '\(className)'. Expected a "
        + "dictionary, an array or another object.")
  }

  static let deleted = "Adding a deleted or invalidated object to a Realm is not permitted"

  static let tooDeep =
    "Lists and dictionaries in a mixed value can be nested \(Element.maxNesting) deep at most."

  static func tooMany(_ values: Int, properties: Int, className: String) -> Realm.Error {
    Realm.Error(
      .fail,
      description:
        "Invalid array input for '\(className)': more values (\(values)) than properties "
        + "(\(properties)).")
  }

  static func duplicate(_ key: Value, className: String) -> Realm.Error {
    Realm.Error(
      .fail,
      description:
        "Attempting to create an object of type '\(className)' with an existing primary key value "
        + "'\(DescriptionText.text(of: key))'.")
  }

  static func unknown(
    _ name: String, className: String, among names: [String]
  ) -> String {
    let nearest = NearestName.of(name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    return "Invalid property name '\(name)' for class '\(className)'.\(nearest)"
  }
}

/// The suggestion in the message about a value that does not fit its property.
struct ValueSuggestion {
  let sentence: String

  init(_ any: Any, type: ValueType, collection: CollectionKind) {
    if Bridge.unwrapped(any) == nil {
      sentence = "It is required: give it a value, or make the property optional."
      return
    }
    sentence =
      switch collection {
      case .list, .set: "Expected an array."
      case .map: "Expected a dictionary."
      case .none: "Expected \(ValueSuggestion.needed(type))."
      }
  }

  private static func needed(_ type: ValueType) -> String {
    switch type {
    case .bool: "true or false"
    case .int: "an integer that the property can hold"
    case .float, .double: "a number that the property can hold"
    case .string: "a string that the property can hold"
    case .decimal128: "a number, or a string that contains one"
    case .date: "a Date; convert the value first"
    case .data: "Data; convert the value first"
    case .objectId: "an ObjectId, or its string form"
    case .uuid: "a UUID, or its string form"
    case .point: "a GeoPoint, or a GeoJSON point on the globe"
    case .link, .embedded: "a dictionary, an array or an object"
    case .geometry: "a Geometry, or a GeoJSON geometry"
    case .lineString: "a GeoLineString, or a GeoJSON line"
    case .polygon: "a GeoPolygon, or a GeoJSON polygon"
    case .mixed, .box: "a value that a property can hold"
    }
  }
}
