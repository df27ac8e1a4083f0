@_spi(Reflection) import Swift

/// One stored field of a class, as the runtime tells.
struct Field {
  let name: String
  /// Bytes from the beginning of an instance.
  let offset: Int
  let type: Any.Type

  /// The runtime's `classType`, by value: its own constant is a variable, which Swift 6 does not let us touch.
  private static let ofClass = _EachFieldOptions(rawValue: 1 << 0)

  /// The fields of a class, those that it inherits first.
  static func fields(of type: AnyClass) -> [Field] {
    var fields: [Field] = []
    _ = _forEachField(of: type, options: ofClass) { name, offset, type, _ in
      fields.append(Field(name: String(cString: name), offset: offset, type: type))
      return true
    }
    return fields
  }

  /// A class and those that it inherits from, itself first.
  static func ancestry(of type: AnyClass) -> [AnyClass] {
    var classes: [AnyClass] = []
    var next: AnyClass? = type
    while let present = next {
      classes.append(present)
      next = _getSuperclass(present)
    }
    return classes
  }
}
