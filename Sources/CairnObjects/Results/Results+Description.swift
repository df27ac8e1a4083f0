extension Results: CustomStringConvertible {
  /// The elements, a hundred at most.
  public var description: String {
    guard case .objects(let found) = content else {
      return CollectionText.text("Results<\(Element.self)>", self)
    }
    return CollectionText.text("Results<\(found.handle.name)>", self)
  }
}

extension List: CustomStringConvertible {
  /// The elements, a hundred at most.
  public var description: String {
    CollectionText.text("List<\(place.elementName(Element.self))>", self)
  }
}

extension MutableSet: CustomStringConvertible {
  /// The elements, a hundred at most.
  public var description: String {
    CollectionText.text("MutableSet<\(place.elementName(Element.self))>", self)
  }
}

extension LinkingObjects: CustomStringConvertible {
  /// The objects, a hundred at most.
  public var description: String { CollectionText.text("LinkingObjects<\(Element.self)>", self) }
}

extension Map: CustomStringConvertible {
  /// The entries, a hundred at most.
  public var description: String {
    let shown = prefix(100).map { CollectionText.line($0.key._mapKey, $0.value) }
    return CollectionText.text("Map<\(Key.self), \(place.elementName(Value.self))>", shown, count)
  }
}

/// Collections as their descriptions show them.
enum CollectionText {
  static func text<C: RealmCollection>(_ title: String, _ elements: C) -> String {
    let shown = elements.prefix(100).enumerated().map { line("\($0)", $1) }
    return text(title, shown, elements.count)
  }

  static func text(_ title: String, _ shown: [String], _ count: Int) -> String {
    let rest = count > 100 ? ["\t... \(count - 100) objects skipped."] : []
    return "\(title) (\n\((shown + rest).joined(separator: ",\n"))\n)"
  }

  static func line(_ place: String, _ element: Any) -> String {
    "\t[\(place)] " + "\(element)".split(separator: "\n").joined(separator: "\n\t")
  }
}

extension CollectionPlace? {
  /// The name of the elements' type; where the program has none, that of their class.
  fileprivate func elementName(_ type: Any.Type) -> String {
    guard let target = self?.elements.target else { return "\(type)" }
    return "\(type)" == "Optional<DynamicObject>"
      ? "Optional<\(target.name)>" : type == DynamicObject.self ? target.name : "\(type)"
  }
}
