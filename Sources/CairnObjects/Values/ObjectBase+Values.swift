extension ObjectBase {
  /// An object with the values of a dictionary by name, an array in the order of the declaration, or another
  /// object; nested ones become the objects and collections that the properties hold.
  ///
  /// What the value leaves out begins with the property's default. A value that does not fit its property is a
  /// programming error; `init(validating:)` throws instead.
  public convenience init(value: Any) {
    self.init()
    trapping { try ValueIntake().fill(self, from: value) }
  }

  /// The same for values from outside the program, such as a file's.
  ///
  /// - Throws: `Realm.Error` that names the property.
  public convenience init(validating value: Any) throws {
    self.init()
    try ValueIntake().fill(self, from: value)
  }

  /// The value of a property by name, of the type that is stored; nil for null.
  ///
  /// A name that the class does not have, or a value that does not fit, is a programming error.
  public final subscript(key: String) -> Any? {
    get { dynamicValue(key) }
    set { setDynamicValue(newValue, key) }
  }

  /// The value of a property by name, as the subscript gives it.
  public final func value(forKey key: String) -> Any? { dynamicValue(key) }

  /// Sets a property by name, as the subscript does.
  public final func setValue(_ value: Any?, forKey key: String) { setDynamicValue(value, key) }

  /// The value at the end of a path of names: `dog.value(forKeyPath: "favoriteToy.name")`; nil where the path
  /// ends at null before.
  public final func value(forKeyPath keyPath: String) -> Any? {
    let names = keyPath.split(separator: ".").map(String.init)
    var value: Any? = self
    for name in names {
      guard let here = value else { return nil }
      guard let object = here as? ObjectBase else {
        programmingError("'\(name)' of '\(keyPath)' does not follow an object.")
      }
      value = object[name]
    }
    return value
  }

  private final func dynamicValue(_ name: String) -> Any? {
    if let dynamic = self as? DynamicObject { return dynamic.stored(name) }
    let property = property(named: name)
    return property.wrapper.read(property.pointer(in: self), row)._dynamic
  }

  private final func setDynamicValue(_ any: Any?, _ name: String) {
    if let dynamic = self as? DynamicObject { return dynamic.store(any, name) }
    let property = property(named: name)
    let intake = ValueIntake(row?.handle.session)
    trapping {
      let layout = ObjectLayout.of(type(of: self))
      let value = try intake.value(any as Any, of: property, in: layout)
      intake.finish()
      value.assign(to: self)
    }
  }

  private final func property(named name: String) -> PropertyLayout {
    let layout = ObjectLayout.of(type(of: self))
    if let property = layout.property(named: name) { return property }
    programmingError(
      ValueError.unknown(name, layout.className, among: layout.properties.map(\.name)))
  }
}
