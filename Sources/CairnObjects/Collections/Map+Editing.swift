/// Changes. Of a map in a realm they need a write transaction.
extension Map {
  /// Puts a value under a key, in place of the one that was there.
  public func updateValue(_ value: Value, forKey key: Key) {
    let key = MapKey(key._mapKey)
    guard let place else {
      loose.set(key, value)
      return
    }
    let stored = place.stored([value])[0]
    place.editMap { draft in
      if let old = draft.set(key, stored) { place.removeEmbedded([old]) }
    }
  }

  /// Puts the values of a sequence of keys and values under their keys; `combine` decides where one is there.
  public func merge<S: Sequence>(
    _ other: S, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows where S.Element == (key: Key, value: Value) {
    for (key, value) in other {
      if let old = self[key] {
        updateValue(try combine(old, value), forKey: key)
      } else {
        updateValue(value, forKey: key)
      }
    }
  }

  /// Puts the values of another map under their keys; `combine` decides where one is there.
  public func merge(
    _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
  ) rethrows {
    try merge(other.asKeyValueSequence(), uniquingKeysWith: combine)
  }

  /// Removes a key and what stands under it; a key that is not there changes nothing.
  public func removeObject(for key: Key) {
    let key = MapKey(key._mapKey)
    guard let place else {
      loose.remove(key)
      return
    }
    place.editMap { draft in
      if let old = draft.remove(key) { place.removeEmbedded([old]) }
    }
  }

  /// Removes a key and what stands under it; a key that is not there changes nothing.
  public func setNil(for key: Key) { removeObject(for: key) }

  /// Removes all entries.
  public func removeAll() {
    guard let place else { return loose.removeAll() }
    place.editMap { draft in
      let old = draft.elements
      draft.removeAll()
      place.removeEmbedded(old)
    }
  }

  /// The entries as pairs of key and value.
  public func asKeyValueSequence() -> [(key: Key, value: Value)] {
    map { (key: $0.key, value: $0.value) }
  }
}

/// Entries by name, with values of any type.
extension Map {
  /// What stands under a key; nil when nothing does.
  public func value(forKey key: String) -> Any? {
    self[Key(_mapKey: key)].flatMap { Bridge.unwrapped(($0 as? any _DynamicValue)?._dynamic ?? $0) }
  }

  /// Puts a value of any type under a key, or removes the key for nil. A value that does not fit is a programming error.
  public func setValue(_ value: Any?, forKey key: String) {
    let key = Key(_mapKey: key)
    guard let any = value else { return removeObject(for: key) }
    let intake = ValueIntake(place?.session)
    let converted: Value? = trapping { try intake.element(any) }
    guard let converted else {
      programmingError(
        "Invalid value '\(any)' of type '\(type(of: any))' for '\(Value.self)' values of a map.")
    }
    updateValue(converted, forKey: key)
  }
}
