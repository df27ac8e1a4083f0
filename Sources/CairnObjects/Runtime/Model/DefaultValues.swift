import CairnStorage
import CairnSystem
import CairnValues

/// Defaults that differ from object to object, such as a new identifier. They are created with the
/// object, so that every reader, including an encoder, finds the value that the object will keep.
///
/// Instances that represent rows do not need such defaults; the thread sets a flag while it creates
/// one of them.
enum FreshDefault {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// Whether the thread is creating an instance that represents a row.
  private static var isSuppressed: Bool {
    get { pthread_getspecific(key) != nil }
    set { pthread_setspecific(key, newValue ? UnsafeRawPointer(bitPattern: 1) : nil) }
  }

  /// Returns the value for a new object, or nil for an instance that represents a row.
  static func make<Value>(_ value: () -> Value) -> Value? { isSuppressed ? nil : value() }

  /// Creates an instance that represents a row.
  static func without<Object>(_ make: () -> Object) -> Object {
    isSuppressed = true
    defer { isSuppressed = false }
    return make()
  }
}

/// Required properties without a default value: locations, geometries, and custom types that are
/// stored as one.
enum RequiredLocation {
  /// Returns the message for a property that is read, or added, before it was set.
  ///
  /// - Parameter property: `Class.property`, if known.
  static func unset(_ property: String?) -> String {
    let name = property.map { "Property '\($0)'" } ?? "A property"
    return
      "\(name) is required and was not set: a location or geometry has no default value. Set it "
      + "before the object is read or added, declare it with a value, or make it optional."
  }

  /// Returns the message for a class in the store that requires a location which the program's
  /// class does not declare.
  static func unknown(_ property: String, className: String) -> String {
    "Class '\(className)' in the store requires the location '\(property)', which the program's "
      + "class does not have, so it cannot add objects. Add the property to the class."
  }
}

extension PropertyLayout {
  /// Returns whether the property of an unmanaged object has neither a value nor a default.
  func isMissing(in object: ObjectBase) -> Bool {
    !wrapper.hasDefault && object.row == nil && !wrapper.hasValue(pointer(in: object))
  }
}

extension ObjectLayout {
  /// Returns the first property that must be set and is not.
  func missingProperty(in object: ObjectBase) -> PropertyLayout? {
    requiredLocations.first { $0.isMissing(in: object) }
  }

  /// Returns the name of a property for messages.
  func name(of property: PropertyLayout) -> String { "\(className).\(property.name)" }
}

extension _Persistable {
  /// Returns the default value of a property of an object. A type without one is a programming
  /// error.
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
