/// Values of all objects at once, by the names of properties.
extension RealmCollection where Element: ObjectBase {
  /// The value of a property of each object.
  public func value(forKey key: String) -> [Any?] {
    map { $0.value(forKey: key) }
  }

  /// Sets a property of every object; outside a write transaction that is a programming error.
  public func setValue(_ value: Any?, forKey key: String) {
    // The objects are found before the first changes, for a change may take it out of the collection.
    for object in Array(self) { object.setValue(value, forKey: key) }
  }
}
