import CairnSystem

/// Posts batches to the receivers of hooks with libcurl, which is opened at run time.
///
/// One thread works for all receivers, because Swift's own threads must not wait for the network.
/// Connections stay open for the next batch. Redirects are not followed, certificates are checked, and
/// the proxies that the environment names are not used.
package final class HookClient: Sendable {
  private let thread: TransferThread

  /// Opens libcurl, and starts the thread.
  ///
  /// - Parameters:
  ///   - timeout: The seconds that a receiver has for its answer.
  ///   - authorities: The file with the certificates of the authorities to trust, as the variable
  ///     `SSL_CERT_FILE` names it; nil for those of the system.
  /// - Throws: ``ServiceError`` if libcurl is not installed, or the thread cannot start.
  package init(
    timeout: Double, authorities: String? = HookClient.authorities
  ) throws(ServiceError) {
    thread = try TransferThread(
      CurlLibrary.shared(), options: TransferOptions(timeout: timeout, authorities: authorities))
  }

  deinit { thread.stop() }

  /// The file that the variable `SSL_CERT_FILE` names.
  package static var authorities: String? {
    getenv("SSL_CERT_FILE").map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Sends a batch, and returns once the receiver has taken it. A cancelled task ends its request at
  /// once.
  ///
  /// - Throws: An error whose description says why the receiver has not taken the batch, or
  ///   `CancellationError`.
  package func send(_ batch: HookBatch) async throws {
    let number = thread.nextNumber()
    do {
      try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { continuation in
          thread.add(TransferThread.Job(number: number, batch: batch, continuation: continuation))
          // A cancellation before this line has found no request.
          if Task.isCancelled { thread.cancel(number) }
        }
      } onCancel: {
        thread.cancel(number)
      }
    } catch {
      // The request may have failed before the thread heard of the cancellation.
      throw Task.isCancelled ? CancellationError() : error
    }
  }

  /// Ends the requests in progress, and returns when the thread has closed all connections.
  package func close() async { await thread.close() }
}

/// The thread that makes the requests.
private final class TransferThread: @unchecked Sendable {
  // Sendable: `mail` has a lock, libcurl lets any thread wake a group, and only the thread itself uses
  // `transfers`.

  /// A request to make.
  struct Job: Sendable {
    let number: Int
    let batch: HookBatch
    let continuation: CheckedContinuation<Void, any Error>
  }

  /// The messages of other threads to this one.
  private struct Mail {
    var lastNumber = 0
    var jobs: [Job] = []
    var cancelled: [Int] = []
    var isStopped = false
    /// Whether the thread takes no mail any more, and the group is freed soon.
    var hasEnded = false
    /// Whether all connections are closed.
    var isClosed = false
    /// The tasks that wait for that.
    var closers: [CheckedContinuation<Void, Never>] = []
  }

  private let library: CurlLibrary
  private let options: TransferOptions
  private let group: CurlLibrary.Handle
  private let mail = Mutex(Mail())
  /// The requests in progress.
  private var transfers: [(transfer: HookTransfer, job: Job)] = []

  /// The longest time until the thread looks whether a connection has been idle for too long.
  private static let pauseMilliseconds: Int32 = 60_000

  init(_ library: CurlLibrary, options: TransferOptions) throws(ServiceError) {
    guard let group = library.makeGroup() else {
      throw ServiceError(description: "no memory for the requests of hooks")
    }
    (self.library, self.options, self.group) = (library, options, group)
    guard let thread = Threads.startIfPossible({ self.work() }) else {
      let reason = errorText(errno)
      _ = library.freeGroup(group)
      throw ServiceError(description: "cannot start a thread for hooks: \(reason)")
    }
    thread.detach()
  }

  func nextNumber() -> Int {
    mail.withLock {
      $0.lastNumber += 1
      return $0.lastNumber
    }
  }

  func add(_ job: Job) {
    let isTaken = mail.withLock { mail in
      guard !mail.isStopped else { return false }
      mail.jobs.append(job)
      _ = library.wake(group)
      return true
    }
    if !isTaken { job.continuation.resume(throwing: CancellationError()) }
  }

  func cancel(_ number: Int) {
    mail.withLock { mail in
      guard !mail.isStopped else { return }
      mail.cancelled.append(number)
      _ = library.wake(group)
    }
  }

  func stop() { mail.withLock { stop(&$0) } }

  private func stop(_ mail: inout Mail) {
    mail.isStopped = true
    if !mail.hasEnded { _ = library.wake(group) }
  }

  func close() async {
    await withCheckedContinuation { continuation in
      let isClosed = mail.withLock { mail in
        stop(&mail)
        if !mail.isClosed { mail.closers.append(continuation) }
        return mail.isClosed
      }
      if isClosed { continuation.resume() }
    }
  }

  // The rest belongs to the thread.

  private func work() {
    ignoreBrokenConnections()
    while let (jobs, cancelled) = takeMail() {
      for job in jobs { start(job) }
      for number in cancelled { cancelTransfer(number) }
      var count: Int32 = 0
      _ = library.advance(group, &count)
      finishTransfers()
      if library.wait(group, nil, 0, Self.pauseMilliseconds, nil) != 0 { usleep(100_000) }
    }
    for (transfer, job) in transfers {
      _ = library.remove(group, transfer.handle)
      job.continuation.resume(throwing: CancellationError())
    }
    transfers = []
    _ = library.freeGroup(group)
    let closers = mail.withLock { mail in
      mail.isClosed = true
      return mail.closers
    }
    for closer in closers { closer.resume() }
  }

  /// The signal of a broken connection would end the process; libraries for TLS write without
  /// preventing it.
  private func ignoreBrokenConnections() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
  }

  /// The new jobs, and those to end; nil if the thread ends.
  private func takeMail() -> (jobs: [Job], cancelled: [Int])? {
    mail.withLock { mail in
      defer { (mail.jobs, mail.cancelled) = ([], []) }
      guard mail.isStopped else { return (mail.jobs, mail.cancelled) }
      mail.hasEnded = true
      for job in mail.jobs { job.continuation.resume(throwing: CancellationError()) }
      return nil
    }
  }

  private func start(_ job: Job) {
    do throws(HookFailure) {
      let transfer = try HookTransfer(job.batch, with: library, options: options)
      guard library.add(group, transfer.handle) == 0 else {
        throw HookFailure(description: "libcurl does not take the request")
      }
      transfers.append((transfer, job))
    } catch {
      job.continuation.resume(throwing: error)
    }
  }

  /// Ends a request; it may have ended before.
  private func cancelTransfer(_ number: Int) {
    guard let index = transfers.firstIndex(where: { $0.job.number == number }) else { return }
    let (transfer, job) = transfers.remove(at: index)
    _ = library.remove(group, transfer.handle)
    job.continuation.resume(throwing: CancellationError())
  }

  private func finishTransfers() {
    while let (handle, code) = library.nextEnd(in: group) {
      guard let index = transfers.firstIndex(where: { $0.transfer.handle == handle }) else {
        continue
      }
      let (transfer, job) = transfers.remove(at: index)
      let outcome = transfer.outcome(code)
      _ = library.remove(group, handle)
      job.continuation.resume(with: outcome)
    }
  }
}
