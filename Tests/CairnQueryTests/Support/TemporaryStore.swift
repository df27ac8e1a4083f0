import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A store in a folder of its own that goes away with it.
final class TemporaryStore {
  let store: Store
  private let folder: String

  init() throws {
    var template = Array("/tmp/cairn-query-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else {
      throw StoreError(.io, "no temporary folder")
    }
    folder = String(cString: made)
    store = try Store.open(folder + "/store.cairn", .create)
  }

  deinit {
    for name in ["store.cairn", "store.cairn-lock", "store.cairn.lock"] {
      unlink(folder + "/" + name)
    }
    rmdir(folder)
  }
}
