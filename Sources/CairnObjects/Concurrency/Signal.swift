import CairnValues

/// Wakes one task; raised before anybody waits, it wakes the next who does.
final class Signal: Sendable {
  private enum State {
    case idle
    case raised
    case awaited(CheckedContinuation<Void, Never>)
  }

  private let state = Mutex(State.idle)

  func raise() {
    let waiting: CheckedContinuation<Void, Never>? = state.withLock { state in
      guard case .awaited(let continuation) = state else {
        state = .raised
        return nil
      }
      state = .idle
      return continuation
    }
    waiting?.resume()
  }

  /// Suspends the task until the signal is raised, and lowers it.
  func wait(_isolation: isolated (any Actor)? = #isolation) async {
    await withCheckedContinuation(isolation: _isolation) { continuation in
      let isRaised = state.withLock { state in
        if case .raised = state {
          state = .idle
          return true
        }
        state = .awaited(continuation)
        return false
      }
      if isRaised { continuation.resume() }
    }
  }
}
