extension ThreadConfined {
  /// Returns the live counterpart for the caller's thread or actor; nil when it was deleted since. A live one itself.
  ///
  /// Generic code calls this; concrete types have their own.
  public func thaw(_isolation: isolated (any Actor)? = #isolation) -> Self? {
    guard isFrozen, let realm else { return self }
    return _counterpart(in: realm.thaw(_isolation: _isolation))
  }
}
