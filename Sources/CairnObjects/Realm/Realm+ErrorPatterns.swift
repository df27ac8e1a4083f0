/// Codes to catch: `catch Realm.Error.fileNotFound`.
extension Realm.Error {
  /// Anything that has no code of its own.
  public static let fail = Code.fail
  /// Reading or writing the file failed.
  public static let fileAccess = Code.fileAccess
  /// The file may not be read or written, or is locked.
  public static let filePermissionDenied = Code.filePermissionDenied
  /// There is a file already where one is to be made.
  public static let fileExists = Code.fileExists
  /// There is no such file.
  public static let fileNotFound = Code.fileNotFound
  /// The file has an older format, which has to be upgraded first.
  public static let fileFormatUpgradeRequired = Code.fileFormatUpgradeRequired
  /// Another process has the file open in a way that cannot be shared.
  public static let incompatibleLockFile = Code.incompatibleLockFile
  /// There is no room in the address space for the file.
  public static let addressSpaceExhausted = Code.addressSpaceExhausted
  /// The classes in the store do not allow what was asked.
  public static let schemaMismatch = Code.schemaMismatch
  /// The file is open elsewhere.
  public static let alreadyOpen = Code.alreadyOpen
  /// A value from outside does not fit.
  public static let invalidInput = Code.invalidInput
  /// The device is full.
  public static let outOfDiskSpace = Code.outOfDiskSpace
  /// Another process has opened the file in a way that does not go together.
  public static let incompatibleSession = Code.incompatibleSession
  /// A newer Cairn wrote the file.
  public static let unsupportedFileFormatVersion = Code.unsupportedFileFormatVersion
  /// Of synchronized files.
  public static let multipleSyncAgents = Code.multipleSyncAgents
  /// Of synchronized files.
  public static let subscriptionFailed = Code.subscriptionFailed
  /// An operation on the file failed in another way.
  public static let fileOperationFailed = Code.fileOperationFailed
  /// The file is not a store, ends too early or contradicts itself.
  public static let invalidDatabase = Code.invalidDatabase
  /// Of synchronized files.
  public static let incompatibleHistories = Code.incompatibleHistories
}

extension Realm.Error.Code {
  /// Whether an error is one of a realm with that code.
  public static func ~= (code: Realm.Error.Code, error: any Swift.Error) -> Bool {
    (error as? Realm.Error)?.code == code
  }
}
