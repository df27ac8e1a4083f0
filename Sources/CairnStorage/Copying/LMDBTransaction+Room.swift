import CLMDB

extension LMDBTransaction {
  /// The room that the file takes, and what of it holds something.
  func room() throws(StoreError) -> Store.Room {
    let pages = try environment.pages()
    return Store.Room(
      total: pages.size * pages.count, used: pages.size * (pages.count - (try freePageCount())))
  }
}
