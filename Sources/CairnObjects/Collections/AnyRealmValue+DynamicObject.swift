extension AnyRealmValue {
  /// The object whose properties are read by name; nil for other values, and for an object in no realm.
  ///
  /// For objects of classes that the program does not have: `value.dynamicObject?["name"]`.
  public var dynamicObject: DynamicObject? {
    guard case .object(let object) = self else { return nil }
    if let dynamic = object as? DynamicObject { return dynamic }
    return object.row.map { DynamicObject._object(at: $0) }
  }
}
