/// Runs `body` without the signal that ends a program when it writes to a pipe that nobody reads any
/// more. Writing fails with `EPIPE` instead.
///
/// - Parameter body: Writes on the calling thread only.
package func withoutPipeSignal<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
  var (signals, before) = (sigset_t(), sigset_t())
  sigemptyset(&signals)
  sigaddset(&signals, SIGPIPE)
  guard !isPipeSignalPending, pthread_sigmask(SIG_BLOCK, &signals, &before) == 0 else {
    return try body()
  }
  defer {
    var received: Int32 = 0
    if isPipeSignalPending { sigwait(&signals, &received) }
    pthread_sigmask(SIG_SETMASK, &before, nil)
  }
  return try body()
}

private var isPipeSignalPending: Bool {
  var pending = sigset_t()
  return sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1
}
