import CairnTestSupport

@testable import CairnStorage

extension TemporaryFolder {
  /// Opens the store in the folder.
  func store(_ mode: Store.Mode = .create) throws -> Store {
    try Store.open(file(), mode: mode)
  }
}
