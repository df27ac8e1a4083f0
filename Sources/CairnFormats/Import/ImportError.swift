package import CairnStorage

/// Why nothing was imported. The message names file, line, value, and what to do.
package struct ImportError: Error, CustomStringConvertible, Sendable {
  package enum Kind: Sendable {
    /// An option does not fit the files: exit code 64.
    case usage
    /// The content of a file: exit code 65.
    case data
    /// A file that is not there or cannot be opened: exit code 66.
    case noInput
    /// Reading failed: exit code 74.
    case io
    /// A library that is needed is not installed: exit code 1.
    case library
    /// The store refused; `storeError` says why.
    case store
  }

  package let kind: Kind
  package let message: String
  /// What the store said, when it was the store.
  package let storeError: StoreError?

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
    storeError = nil
  }

  package init(_ error: StoreError) {
    kind = .store
    message = error.message
    storeError = error
  }

  package var description: String { message }
}
