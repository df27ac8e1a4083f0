/// Collections whose elements have values by name, whatever they hold.
protocol ValuesByName {
  /// What `value(forKeyPath:)` gives.
  func anyValue(forKeyPath keyPath: String) -> Any?
  /// Sets a property of every element.
  func setAnyValue(_ value: Any?, forKeyPath keyPath: String)
}

extension List: ValuesByName {}
extension MutableSet: ValuesByName {}
extension LinkingObjects: ValuesByName {}

extension RealmCollection {
  func anyValue(forKeyPath keyPath: String) -> Any? { value(forKeyPath: keyPath) }

  func setAnyValue(_ value: Any?, forKeyPath keyPath: String) { setValue(value, forKey: keyPath) }
}

/// A path of names as text.
enum KeyPathText {
  /// The first name, and the rest of the path; nil where that is the last.
  static func split(_ keyPath: String) -> (name: String, rest: String?) {
    guard let dot = keyPath.utf8.firstIndex(of: UInt8(ascii: ".")) else { return (keyPath, nil) }
    return (String(keyPath[..<dot]), String(keyPath[keyPath.index(after: dot)...]))
  }
}
