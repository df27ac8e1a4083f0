import CairnRequest
import CairnStorage

/// Stores that a command may have to create, and that do not stay if it fails.
enum NewStore {
  /// Opens a store that may be a new file.
  static func open(_ path: String, mode: Store.Mode) throws -> Store {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    do {
      return try OpenedClass.reading(path) { () throws(StoreError) in
        try Store.open(path, mode: mode)
      }
    } catch let error as StoreError where error.kind == .notFound && !System.exists(folder) {
      throw Failure(.noInput, message: "cannot create \(path): its folder does not exist")
    }
  }

  /// Removes a store that this process created, unless another process has added a class to it
  /// since.
  static func removeIfEmpty(_ path: String) {
    guard let opened = try? Store.open(path, mode: .readWrite),
      // While this process holds the writer lock, no other one can fill the store.
      let transaction = try? opened.beginWrite()
    else { return }
    if transaction.schema.tables.isEmpty {
      System.remove(path)
      System.remove(path + "-lock")
    }
    transaction.rollback()
  }
}
