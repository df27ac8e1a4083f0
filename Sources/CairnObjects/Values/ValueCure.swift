import CairnStorage
import CairnValues

/// What to do about a value that does not fit its property.
struct ValueCure {
  let sentence: String

  init(_ any: Any, _ type: ValueType, _ collection: CollectionKind) {
    if Bridge.unwrapped(any) == nil {
      sentence = "It is required: give it a value, or make the property optional."
      return
    }
    sentence =
      switch collection {
      case .list, .set: "An array is needed."
      case .map: "A dictionary is needed."
      case .none: "\(ValueCure.needed(type)) is needed."
      }
  }

  private static func needed(_ type: ValueType) -> String {
    switch type {
    case .bool: "true or false"
    case .int: "A whole number that the property can hold"
    case .float, .double: "A number that the property can hold"
    case .string: "A text that the property can hold"
    case .decimal128: "A number, or a text that is one,"
    case .date: "A Date, converted beforehand,"
    case .data: "Data, converted beforehand,"
    case .objectId: "An ObjectId, or the text of one,"
    case .uuid: "A UUID, or the text of one,"
    case .point: "A GeoPoint, or a GeoJSON point on the globe,"
    case .link, .embedded: "A dictionary, an array or an object"
    case .mixed: "A value that a property can hold"
    }
  }
}
