/// A turn to write that was asked for without waiting, and has come.
package final class WriteTurn: Sendable {
  private let handle: EnvironmentHandle
  private let number: Int

  init(_ handle: EnvironmentHandle, _ number: Int) {
    self.handle = handle
    self.number = number
  }

  /// The transaction; nil when it was taken before, by somebody who could not wait for it to be taken up perhaps.
  package func claim() -> WriteTransaction? { handle.environment.writeGate.claim(number) }

  // One that nobody takes up any more ends here.
  deinit { _ = claim() }
}

extension WriteTransaction {
  /// Begins for one that is inside the gate, and offers it.
  static func offered(_ handle: EnvironmentHandle) -> Result<WriteTurn, StoreError> {
    do throws(StoreError) {
      let transaction = try begin(handle)
      return .success(WriteTurn(handle, handle.environment.writeGate.offer(transaction)))
    } catch {
      return .failure(error)
    }
  }
}
