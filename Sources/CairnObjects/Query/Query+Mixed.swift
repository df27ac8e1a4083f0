import CairnQuery

extension Query where T == AnyRealmValue {
  /// What stands at a place of the list that the value is; null where nothing does.
  public subscript(position: Int) -> Query<AnyRealmValue> {
    going { $0.append(.index(position)) }
  }

  /// What stands under a key of the map that the value is; null where nothing does.
  public subscript(key: String) -> Query<AnyRealmValue> {
    going { $0.append(.key(key)) }
  }

  /// What the value holds, being a list or a map: any of it may fit.
  public var any: Query<AnyRealmValue> {
    going { $0.append(.anyElement) }
  }
}

extension AnyRealmValue: _QueryNumeric, _QueryText {}
