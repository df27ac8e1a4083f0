import CairnStorage
import CairnValues

extension RealmCollection {
  /// The first place of an object or a value; nil when it is not there. Of two objects their rows are compared.
  public func index(of object: Element) -> Int? {
    guard let results = _results else { return looseIndex(of: object) }
    switch results.content {
    case .objects(let found): return found.place(of: object as? ObjectBase)
    case .values(let values):
      let elements = values.elements
      guard let wanted = elements.known(object) else { return nil }
      if values.isSet { return elements.place(inSet: wanted) }
      return (0..<elements.count).first { elements.element(at: $0) == wanted }
    }
  }

  private func looseIndex(of object: Element) -> Int? {
    indices.first { place in
      guard let wanted = object as? ObjectBase, let here = self[place] as? ObjectBase else {
        return self[place] == object
      }
      return here.isSameObject(as: wanted)
    }
  }

  /// What `firstIndex(of:)` gives.
  public func _customIndexOfEquatableElement(_ element: Element) -> Int?? {
    .some(index(of: element))
  }

  /// What `contains(_:)` says.
  public func _customContainsEquatableElement(_ element: Element) -> Bool? {
    index(of: element) != nil
  }
}

extension FoundValues {
  /// Whether the values are those of a set as it stands.
  fileprivate var isSet: Bool { place.kind == .set && steps.isEmpty }
}

extension FoundKeys {
  /// The first place of an object.
  func place(of object: ObjectBase?) -> Int? {
    guard let row = object?.row, row.handle === handle else { return nil }
    return place(of: row.key)
  }
}
