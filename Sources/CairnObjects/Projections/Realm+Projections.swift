extension Realm {
  /// All objects of a class, each shown by a projection.
  public func objects<Root: Object, Element: Projection<Root>>(
    _ type: Element.Type
  ) -> Results<Element> {
    Results(handle: handle(for: Root.self))
  }
}
