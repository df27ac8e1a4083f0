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

  /// The same for values from outside the program, such as a file's: a dictionary has a value for every property that
  /// needs one, and no other names.
  ///
  /// - Parameter tolerance: what the value may lack, or have besides.
  /// - Throws: `Realm.Error` that names the property.
  public convenience init(validating value: Any, tolerating tolerance: ValueTolerance = [])
    throws
  {
    self.init()
    try ValueIntake(tolerating: tolerance).fill(self, from: value)
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
  /// ends at null before. Behind a collection it goes on with the values of its elements, or a number made of them:
  /// `owner.value(forKeyPath: "dogs.@avg.age")`.
  public final func value(forKeyPath keyPath: String) -> Any? {
    let (name, rest) = KeyPathText.split(keyPath)
    let value = self[name]
    guard let rest, let value else { return value }
    switch value {
    case let object as ObjectBase: return object.value(forKeyPath: rest)
    case let collection as any ValuesByName: return collection.anyValue(forKeyPath: rest)
    default: programmingError("'\(rest)' of '\(keyPath)' does not follow an object.")
    }
  }

  /// Sets the property at the end of a path of names; behind a collection that of each element. Where the path ends at
  /// null before, nothing is set.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    let (name, rest) = KeyPathText.split(keyPath)
    guard let rest else { return setDynamicValue(value, name) }
    switch self[name] {
    case nil: return
    case let object as ObjectBase: object.setValue(value, forKeyPath: rest)
    case let collection as any ValuesByName: collection.setAnyValue(value, forKeyPath: rest)
    default: programmingError("'\(rest)' of '\(keyPath)' does not follow an object.")
    }
  }

  private final func dynamicValue(_ name: String) -> Any? {
    if let dynamic = self as? DynamicObject { return dynamic.stored(name) }
    let property = property(named: name)
    if let row, property.mayBeUnreadable { return rawValue(of: property, at: row) }
    if property.isMissing(in: self) {
      programmingError(RequiredLocation.unset(ObjectLayout.of(type(of: self)).name(of: property)))
    }
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
      intake.finishAdded()
    }
  }

  private final func property(named name: String) -> PropertyLayout {
    let layout = ObjectLayout.of(type(of: self))
    if let property = layout.property(named: name) { return property }
    programmingError(
      ValueError.unknown(name, layout.className, among: layout.properties.map(\.name)))
  }
}
