import CairnStorage

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Realm {
  /// A failure to open, read or write a store.
  public struct Error: Swift.Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure, with Realm's numbers.
    public enum Code: Int, Hashable, Sendable {
      /// Any failure without a code of its own.
      case fail = 1
      /// Data that was read may be wrong: the file was replaced by another after it was opened, or it was
      /// written while it was read without its lock file.
      case fileAccess = 2
      /// The process lacks the permission to read or write the file, or the file is locked.
      case filePermissionDenied = 3
      /// The file to be created already exists.
      case fileExists = 4
      /// The file does not exist.
      case fileNotFound = 5
      /// The file has an older format and must be upgraded first. Cairn has only one format and
      /// does not throw this code.
      case fileFormatUpgradeRequired = 6
      /// Another process has the file open in a way that cannot be shared. Cairn does not throw
      /// this code.
      case incompatibleLockFile = 8
      /// The address space has no free range for the file. Cairn does not throw this code.
      case addressSpaceExhausted = 9
      /// The schema of the store does not permit the operation.
      case schemaMismatch = 10
      /// The file is open elsewhere.
      case alreadyOpen = 12
      /// A value from outside the program does not fit. Cairn does not throw this code; it throws
      /// ``fail`` with a description that names the value.
      case invalidInput = 13
      /// The device is full.
      case outOfDiskSpace = 14
      /// Another process has opened the file in an incompatible way. Cairn does not throw this
      /// code.
      case incompatibleSession = 15
      /// A newer Cairn wrote the file.
      case unsupportedFileFormatVersion = 16
      /// A failure of synchronized files. Cairn does not throw this code.
      case multipleSyncAgents = 17
      /// A failure of synchronized files. Cairn does not throw this code.
      case subscriptionFailed = 18
      /// Reading or writing the file failed, or another operation on it.
      case fileOperationFailed = 19
      /// The file is not a store, is truncated or contradicts itself.
      case invalidDatabase = 20
      /// A failure of synchronized files. Cairn does not throw this code.
      case incompatibleHistories = 21
    }

    /// The kind of failure.
    public let code: Code
    /// A description of what happened, where, and what to do.
    public let description: String
    /// The file of the store, if the error is about one.
    public let fileURL: URL?

    init(_ code: Code, description: String, fileURL: URL? = nil) {
      self.code = code
      self.description = description
      self.fileURL = fileURL
    }

    /// Returns the error with a file, unless it already names one.
    func about(_ file: URL?) -> Error {
      fileURL == nil ? Error(code, description: description, fileURL: file) : self
    }

    init(_ error: StoreError) {
      self.init(Error.code(error.kind), description: error.message)
    }

    /// Creates an error of several sentences, each on a line of its own below the heading. A single
    /// sentence has no heading. The suggestion comes last.
    init(_ code: Code, sentences: [String], under heading: String, suggestion: String? = nil) {
      let list = sentences.map { "\n- \($0)" }.joined()
      let isSingle = sentences.count == 1
      let end = suggestion.map { isSingle ? " \($0)" : "\n\($0)" } ?? ""
      self.init(code, description: (isSingle ? sentences[0] : heading + list) + end)
    }

    private static func code(_ kind: StoreError.Kind) -> Code {
      switch kind {
      case .notFound: .fileNotFound
      case .exists: .fileExists
      case .inUse: .alreadyOpen
      case .notAStore, .truncated, .damaged: .invalidDatabase
      case .newerVersion: .unsupportedFileFormatVersion
      case .locked, .readOnly, .numberTaken: .filePermissionDenied
      case .diskFull: .outOfDiskSpace
      case .io: .fileOperationFailed
      case .replaced: .fileAccess
      case .schemaMismatch: .schemaMismatch
      case .full, .duplicateKey, .invalidValue, .misuse: .fail
      }
    }
  }
}

/// Codes for catch patterns: `catch Realm.Error.fileNotFound`.
extension Realm.Error {
  /// Any failure without a code of its own.
  public static let fail = Code.fail
  /// Data that was read may be wrong: the file was replaced by another after it was opened, or it was
  /// written while it was read without its lock file.
  public static let fileAccess = Code.fileAccess
  /// The process lacks the permission to read or write the file, or the file is locked.
  public static let filePermissionDenied = Code.filePermissionDenied
  /// The file to be created already exists.
  public static let fileExists = Code.fileExists
  /// The file does not exist.
  public static let fileNotFound = Code.fileNotFound
  /// The file has an older format and must be upgraded first.
  public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
  /// Another process has the file open in a way that cannot be shared.
  public static let incompatibleLockFile = Code.incompatibleLockFile
  /// The address space has no free range for the file.
  public static let addressSpaceExhausted = Code.addressSpaceExhausted
  /// The schema of the store does not permit the operation.
  public static let schemaMismatch = Code.schemaMismatch
  /// The file is open elsewhere.
  public static let alreadyOpen = Code.alreadyOpen
  /// A value from outside the program does not fit.
  public static let invalidInput = Code.invalidInput
  /// The device is full.
  public static let outOfDiskSpace = Code.outOfDiskSpace
  /// Another process has opened the file in an incompatible way.
  public static let incompatibleSession = Code.incompatibleSession
  /// A newer Cairn wrote the file.
  public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
  /// A failure of synchronized files.
  public static let multipleSyncAgents = Code.multipleSyncAgents
  /// A failure of synchronized files.
  public static let subscriptionFailed = Code.subscriptionFailed
  /// Reading or writing the file failed, or another operation on it.
  public static let fileOperationFailed = Code.fileOperationFailed
  /// The file is not a store, is truncated or contradicts itself.
  public static let invalidDatabase = Code.invalidDatabase
  /// A failure of synchronized files.
  public static let incompatibleHistories = Code.incompatibleHistories
}

extension Realm.Error.Code {
  /// Returns whether the error is a ``Realm/Error`` with the code.
  public static func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
    (error as? Realm.Error)?.code == code
  }
}
