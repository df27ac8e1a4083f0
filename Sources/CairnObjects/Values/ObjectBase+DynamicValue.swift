extension ObjectBase: _DynamicValue {
  /// The object itself, or a new one from a dictionary, an array or an object of another realm.
  public static func _from(_ any: Any, _ intake: ValueIntake) throws -> Self? {
    if let object = any as? Self, object.isTaken(by: intake) { return object }
    return try intake.object(self, from: any)
  }

  /// Whether a property can lead to the very object, rather than to a copy.
  private final func isTaken(by intake: ValueIntake) -> Bool {
    guard let row else { return true }
    return row.handle.session === intake.session && !(self is EmbeddedObject)
      || intake.session == nil
  }
}
