import CairnStorage
import CairnTestSupport

/// A store in its own folder, which is deleted with this object.
final class TemporaryStore {
  let store: Store
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try Store.open(folder.file(), mode: .create)
  }
}
