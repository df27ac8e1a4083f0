package import CairnStorage

/// The reason why nothing was imported.
///
/// The message names the file, the line, the value and the remedy; options are called by the names
/// of the properties of ``ImportOptions``.
public struct ImportError: Error, CustomStringConvertible, Sendable {
  /// The kind of an error.
  public enum Kind: Sendable {
    /// An option does not fit the files.
    case usage
    /// The content of a file is invalid.
    case data
    /// A file does not exist or cannot be opened.
    case noInput
    /// Reading failed, or the disk is full.
    case io
    /// A required library or program is not installed.
    case library
    /// The store reported an error.
    case store
    /// The import was cancelled. Methods of realms throw `CancellationError` instead.
    case cancelled
  }

  /// The kind of the error.
  public let kind: Kind
  /// The record that cannot be stored, with its file, line, property and the reason; nil if the
  /// error is not about a record.
  public let row: RejectedRow?
  /// The message, which refers to options without spelling them.
  package let text: ImportMessage
  /// The error of the store, if the store reported one.
  package let storeError: StoreError?

  /// Creates an error of a kind.
  package init(_ kind: Kind, message: ImportMessage, row: RejectedRow? = nil) {
    self.kind = kind
    self.row = row
    text = message
    storeError = nil
  }

  /// Wraps an error of the store.
  package init(_ error: StoreError) {
    kind = .store
    row = nil
    text =
      error.kind == .duplicateKey
      ? "\(error.message); choose \(option: .onConflict, "replace") or \(option: .onConflict, "skip")"
      : ImportMessage(error.message)
    storeError = error
  }

  /// The file, the line, the value and the remedy in words.
  public var message: String { text.description }

  /// The message.
  public var description: String { message }
}
