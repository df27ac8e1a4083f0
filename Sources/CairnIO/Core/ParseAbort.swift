internal import CairnStorage

/// The reason why parsing a block ended early.
package enum ParseAbort: Error {
  /// A record cannot be stored, and the policy is to fail then.
  case rejected(RejectedRecord)
  /// A record cannot be stored, whatever the policy is.
  case unstorable(RejectedRecord)
  /// A value does not have the type that was inferred for its column.
  case contradiction(column: String)
  /// The input is damaged beyond one record.
  case failed(ImportError)
}

extension ParseAbort {
  /// Calls `body` and wraps its error as `.failed`.
  static func on<R>(_ body: () throws(ImportError) -> R) throws(ParseAbort) -> R {
    do throws(ImportError) { return try body() } catch { throw .failed(error) }
  }

  /// Calls `body` and wraps the store's error as `.failed`.
  static func onStore<R>(_ body: () throws(StoreError) -> R) throws(ParseAbort) -> R {
    do throws(StoreError) { return try body() } catch { throw .failed(ImportError(error)) }
  }
}
