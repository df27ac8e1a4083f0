/// What went wrong with a store: a kind to switch over, and a sentence that says where and what to do.
package struct StoreError: Error, CustomStringConvertible, Sendable, Equatable {
  package enum Kind: Sendable, Equatable {
    /// There is no file at the path.
    case notFound
    /// There is a file at the path, and there should be none.
    case exists
    /// Somebody has the file open, and nobody should.
    case inUse
    /// The file is no Cairn store.
    case notAStore
    /// The file ends before its own bookkeeping says.
    case truncated
    /// A newer Cairn wrote the file.
    case newerVersion
    /// The file contradicts itself.
    case damaged
    /// Someone else holds what is needed, or permissions forbid it.
    case locked
    /// The device is full.
    case diskFull
    /// Reading or writing failed.
    case io
    /// A limit of the store is reached.
    case full
    /// The schema does not allow what was asked.
    case schemaMismatch
    /// The primary key is taken.
    case duplicateKey
    /// The value does not fit the property.
    case invalidValue
    /// The store was opened for reading only.
    case readOnly
    /// The process was forked, or the transaction has ended.
    case misuse
  }

  package let kind: Kind
  package let message: String

  package init(_ kind: Kind, _ message: String) {
    self.kind = kind
    self.message = message
  }

  package var description: String { message }
}
