/// A failed store operation: a kind to switch over, and a message that says where and what to do.
package struct StoreError: Error, CustomStringConvertible, Sendable, Equatable {
  /// The kind of failure.
  package enum Kind: Sendable, Equatable {
    /// No file exists at the path.
    case notFound
    /// A file exists at a path that has to be free.
    case exists
    /// Another user has the file open, and the operation needs it alone.
    case inUse
    /// The file is not a Cairn store.
    case notAStore
    /// The file is shorter than its own metadata says.
    case truncated
    /// A newer Cairn wrote the file in a format that this one cannot read.
    case newerVersion
    /// The file contradicts itself.
    case damaged
    /// Another process holds a lock that the operation needs, or the file permissions forbid it.
    case locked
    /// The device is full.
    case diskFull
    /// Reading or writing failed.
    case io
    /// A limit of the store is reached.
    case full
    /// The schema does not allow what was asked.
    case schemaMismatch
    /// Another object has the primary key.
    case duplicateKey
    /// The value does not fit the property.
    case invalidValue
    /// The store was opened for reading only.
    case readOnly
    /// The file was deleted, or another file has its name, while the store was open.
    case replaced
    /// A process of another container has the store open under the number of this process.
    case numberTaken
    /// The process was forked, or the transaction has ended.
    case misuse
  }

  /// The kind of failure.
  package let kind: Kind
  /// The message for people: what failed, where, and the remedy.
  package let message: String

  /// Makes an error of a kind and a message.
  package init(_ kind: Kind, message: String) {
    self.kind = kind
    self.message = message
  }

  /// The message.
  package var description: String { message }
}
