/// What results can be made of.
public protocol RealmCollectionValue {
  /// The element that stands for a row; Cairn alone calls it.
  init(_row: Row)
}

/// A row of a class in an open store.
public struct Row {
  let handle: ClassHandle
  let key: Int
}
