import CairnStorage

extension Realm {
  /// Why a store could not be opened, read or written.
  public struct Error: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// The sort of failure.
    public enum Code: Int, Hashable, Sendable {
      /// Anything that has no code of its own.
      case fail = 1
      /// Reading or writing the file failed.
      case fileAccess = 2
      /// The file may not be read or written, or is locked.
      case filePermissionDenied = 3
      /// There is a file already where one is to be made.
      case fileExists = 4
      /// There is no such file.
      case fileNotFound = 5
      /// The classes in the store do not allow what was asked.
      case schemaMismatch = 10
      /// Somebody has the file open.
      case alreadyOpen = 12
      /// A newer Cairn wrote the file.
      case unsupportedFileFormatVersion = 15
      /// The device is full.
      case outOfDiskSpace = 19
      /// The file is no store, ends too early or contradicts itself.
      case invalidDatabase = 20
    }

    /// The sort of failure.
    public let code: Code
    /// What happened, where, and what to do.
    public let description: String

    init(_ code: Code, _ description: String) {
      self.code = code
      self.description = description
    }

    init(_ error: StoreError) {
      self.init(Error.code(error.kind), error.message)
    }

    /// Several sentences, each on a line of its own; a single one stands alone. What to do comes last.
    init(_ code: Code, sentences: [String], under heading: String, cure: String? = nil) {
      let list = sentences.map { "\n- \($0)" }.joined()
      let isSingle = sentences.count == 1
      let end = cure.map { isSingle ? " \($0)" : "\n\($0)" } ?? ""
      self.init(code, (isSingle ? sentences[0] : heading + list) + end)
    }

    private static func code(_ kind: StoreError.Kind) -> Code {
      switch kind {
      case .notFound: .fileNotFound
      case .exists: .fileExists
      case .inUse: .alreadyOpen
      case .notAStore, .truncated, .damaged: .invalidDatabase
      case .newerVersion: .unsupportedFileFormatVersion
      case .locked, .readOnly: .filePermissionDenied
      case .diskFull: .outOfDiskSpace
      case .io: .fileAccess
      case .schemaMismatch: .schemaMismatch
      case .full, .duplicateKey, .invalidValue, .misuse: .fail
      }
    }
  }
}
