extension ObjectBase {
  /// Creates an object from a dictionary of values by name, an array of values in declaration
  /// order, or another object. Nested values become the objects and collections of the properties.
  ///
  /// Properties without a value get their default. A value that does not fit its property is a
  /// programming error; `init(validating:)` throws instead.
  public convenience init(value: Any) {
    self.init()
    orFatal { try ValueDecoder().fill(self, from: value) }
  }

  /// Creates an object from values that come from outside the program, such as from a file. A
  /// dictionary must have a value for every property that requires one, and no unknown names.
  ///
  /// - Parameters:
  ///   - value: A dictionary, an array or another object.
  ///   - tolerance: The omissions and additions to accept.
  /// - Throws: `Realm.Error` that names the property.
  public convenience init(validating value: Any, tolerating tolerance: ValueTolerance = [])
    throws
  {
    self.init()
    try ValueDecoder(tolerating: tolerance).fill(self, from: value)
  }

  /// The value of a property by name, of the stored type; nil for null.
  ///
  /// A name that the class does not have, or a value that does not fit, is a programming error.
  public final subscript(key: String) -> Any? {
    get { dynamicValue(key) }
    set { setDynamicValue(newValue, name: key) }
  }

  /// Returns the value of a property by name, as the subscript does.
  public final func value(forKey key: String) -> Any? { dynamicValue(key) }

  /// Sets a property by name, as the subscript does.
  public final func setValue(_ value: Any?, forKey key: String) {
    setDynamicValue(value, name: key)
  }

  /// Returns the value at the end of a path of names, as in
  /// `dog.value(forKeyPath: "favoriteToy.name")`, or nil if the path passes null. After a
  /// collection the path continues with the values of its elements or with an aggregate:
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

  /// Sets the property at the end of a path of names; after a collection, that of each element.
  /// Does nothing if the path passes null.
  public final func setValue(_ value: Any?, forKeyPath keyPath: String) {
    let (name, rest) = KeyPathText.split(keyPath)
    guard let rest else { return setDynamicValue(value, name: name) }
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
    return property.wrapper.read(property.pointer(in: self), row: row)._dynamic
  }

  private final func setDynamicValue(_ any: Any?, name: String) {
    if let dynamic = self as? DynamicObject { return dynamic.store(any, property: name) }
    let property = property(named: name)
    let decoder = ValueDecoder(row?.handle.session)
    orFatal {
      let layout = ObjectLayout.of(type(of: self))
      let value = try decoder.value(any as Any, of: property, in: layout)
      decoder.finish()
      value.assign(to: self)
      decoder.finishAdded()
    }
  }

  private final func property(named name: String) -> PropertyLayout {
    let layout = ObjectLayout.of(type(of: self))
    if let property = layout.property(named: name) { return property }
    // A path by name may have come from an object without a class, with the store's names.
    if let stored = layout.properties.first(where: { $0.columnName == name }) { return stored }
    programmingError(
      InvalidValue.unknown(name, className: layout.className, among: layout.properties.map(\.name)))
  }
}
