import CairnIO
import CairnStorage

/// The failure of reading a file of data that a command was to read like a store.
struct ReadingFailure: Error {
  let cause: ImportError
  let path: String

  /// Whether the disk is full that the store is on.
  var isDiskFull: Bool { cause.storeError?.kind == .diskFull }
}
