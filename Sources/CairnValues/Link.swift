/// An object of a store: the number of its class, and its key.
package struct Link: Hashable, Comparable, Sendable {
  package let table: UInt32
  package let key: Int

  package init(table: UInt32, key: Int) {
    self.table = table
    self.key = key
  }

  /// An object that is in no store; no stored link equals it.
  package static let nowhere = Link(table: 0, key: -1)

  /// By class, then by key.
  package static func < (a: Link, b: Link) -> Bool {
    a.table == b.table ? a.key < b.key : a.table < b.table
  }
}
