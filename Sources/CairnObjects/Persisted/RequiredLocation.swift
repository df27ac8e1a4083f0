import CairnStorage
import CairnValues

/// Required properties without a default: locations, and custom types that are stored as one.
enum RequiredLocation {
  /// The sentence for a property that is read, or added, before it is set.
  ///
  /// - Parameter property: `Class.property`, where it is known.
  static func unset(_ property: String?) -> String {
    let name = property.map { "Property '\($0)'" } ?? "A property"
    return
      "\(name) is a required location and was not set: no location stands for a missing one. Set it before the object is "
      + "read or added, declare it with a value, or make it optional."
  }

  /// The sentence for a class of the store that requires a location which the program's class does not have.
  static func unknown(_ property: String, _ className: String) -> String {
    "Class '\(className)' in the store requires the location '\(property)', which the program's class does not have, so that "
      + "it cannot add objects. Add the property to the class."
  }
}

extension PropertyLayout {
  /// Whether an object in no realm has no value for the property, and no default stands for it.
  func isMissing(in object: ObjectBase) -> Bool {
    !wrapper.hasDefault && object.row == nil && !wrapper.hasValue(pointer(in: object))
  }
}

extension ObjectLayout {
  /// The first property that has to be set, and is not.
  func missingProperty(in object: ObjectBase) -> PropertyLayout? {
    requiredLocations.first { $0.isMissing(in: object) }
  }

  /// The name of a property as messages have it.
  func name(of property: PropertyLayout) -> String { "\(className).\(property.name)" }
}

extension _Persistable {
  /// The default of a property of an object; a type without one is a programming error.
  @usableFromInline
  @inline(never)
  static func _default(of object: ObjectBase) -> Self {
    guard !_hasDefault else { return _default() }
    let layout = ObjectLayout.of(type(of: object))
    let missing = layout.requiredLocations.filter {
      $0.isMissing(in: object) && $0.wrapper.holds(Self.self)
    }
    programmingError(
      RequiredLocation.unset(missing.count == 1 ? layout.name(of: missing[0]) : nil))
  }
}
