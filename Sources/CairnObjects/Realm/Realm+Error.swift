import CairnStorage
import FoundationEssentials

extension Realm {
  /// Why a store could not be opened, read or written.
  public struct Error: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// The sort of failure, with Realm's numbers.
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
      /// The file has an older format, which has to be upgraded first. Cairn has one format, and does not throw it.
      case fileFormatUpgradeRequired = 6
      /// Another process has the file open in a way that cannot be shared. Cairn does not throw it.
      case incompatibleLockFile = 8
      /// There is no room in the address space for the file. Cairn does not throw it.
      case addressSpaceExhausted = 9
      /// The classes in the store do not allow what was asked.
      case schemaMismatch = 10
      /// The file is open elsewhere.
      case alreadyOpen = 12
      /// A value from outside does not fit. Cairn does not throw it: the sentence of `fail` says which value.
      case invalidInput = 13
      /// The device is full.
      case outOfDiskSpace = 14
      /// Another process has opened the file in a way that does not go together. Cairn does not throw it.
      case incompatibleSession = 15
      /// A newer Cairn wrote the file.
      case unsupportedFileFormatVersion = 16
      /// Of synchronized files. Cairn does not throw it.
      case multipleSyncAgents = 17
      /// Of synchronized files. Cairn does not throw it.
      case subscriptionFailed = 18
      /// An operation on the file failed in another way. Cairn does not throw it.
      case fileOperationFailed = 19
      /// The file is not a store, ends too early or contradicts itself.
      case invalidDatabase = 20
      /// Of synchronized files. Cairn does not throw it.
      case incompatibleHistories = 21
    }

    /// The sort of failure.
    public let code: Code
    /// What happened, where, and what to do.
    public let description: String
    /// The file of the store, where the error is about one.
    public let fileURL: URL?

    init(_ code: Code, _ description: String, fileURL: URL? = nil) {
      self.code = code
      self.description = description
      self.fileURL = fileURL
    }

    /// The same error of a file, where it does not name one already.
    func about(_ file: URL?) -> Error {
      fileURL == nil ? Error(code, description, fileURL: file) : self
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
