/// Projections by the properties that they show.
extension RealmCollection where Element: ProjectionObservable {
  /// The projections by the values of a property of theirs; what is equal stays in the order it had.
  public func sorted<Value: _Persistable>(
    by keyPath: KeyPath<Element, Value>, ascending: Bool = true
  ) -> Results<Element> where Value.PersistedType: SortableType {
    sorted(byKeyPath: Element.orderPath(of: keyPath), ascending: ascending)
  }

  /// Of projections that are equal in these properties the first alone.
  public func distinct(by keyPaths: some Sequence<PartialKeyPath<Element>>) -> Results<Element> {
    distinct(by: keyPaths.map { Element.orderPath(of: $0) })
  }
}

extension ProjectionObservable {
  /// The path by which results are sorted as a key path of the projection says: the projected property where one shows
  /// just that, else the stored properties that are read. One that reads none is a programming error.
  static func orderPath(of keyPath: PartialKeyPath<Self>) -> String {
    let trail = KeyPathTracer.Trail()
    let projection = Self(projecting: KeyPathTracer.recorder(Root.self, trail))
    trail.names = []
    _ = projection[keyPath: keyPath]
    let names = trail.names
    if names.isEmpty {
      programmingError("The key path of '\(Self.self)' reads no stored property.")
    }
    let layout = (self as? any AnyProjection.Type)?.layout
    return layout?.properties.first { $0.path == names }?.name ?? names.joined(separator: ".")
  }
}
