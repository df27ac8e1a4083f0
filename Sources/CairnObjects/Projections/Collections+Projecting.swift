extension List {
  /// What the elements show of themselves: `friends.projectTo.name`.
  public var projectTo: ElementMapper<List> { ElementMapper(base: self) }
}

extension MutableSet {
  /// What the elements show of themselves: `friends.projectTo.name`.
  public var projectTo: ElementMapper<MutableSet> { ElementMapper(base: self) }
}
