#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Makes items 0, 1, 2, … on several threads and hands them to the caller in order, at most a few ahead.
final class OrderedPipeline<Item>: @unchecked Sendable {
  // Sendable: everything that changes is touched under `lock`.
  private let lock = Lock()
  private let changed = Condition()
  private let count: Int
  private let ahead: Int
  private let make: @Sendable (Int) throws(StoreError) -> Item
  private var next = 0
  private var consumed = 0
  private var ready: [Int: Result<Item, StoreError>] = [:]
  private var isStopped = false
  private var running = 0

  /// - Parameter ahead: how many items may wait for the consumer.
  init(
    count: Int, ahead: Int, make: @escaping @Sendable (Int) throws(StoreError) -> Item
  ) {
    self.count = count
    self.ahead = ahead
    self.make = make
  }

  /// Makes every item on `threads` threads; `consume` gets them in order on the calling thread.
  func run(
    threads: Int, _ consume: (Item) throws(StoreError) -> Void
  ) throws(StoreError) {
    let workers = (0..<min(threads, count)).map { _ in start() }
    defer { finish(workers) }
    for index in 0..<count {
      try consume(try take(index).get())
    }
  }

  private func take(_ index: Int) -> Result<Item, StoreError> {
    lock.lock()
    defer { lock.unlock() }
    while true {
      if let item = ready.removeValue(forKey: index) {
        consumed = index + 1
        changed.signalAll()
        return item
      }
      changed.wait(lock)
    }
  }

  private func finish(_ workers: [pthread_t]) {
    lock.withLock {
      isStopped = true
      changed.signalAll()
    }
    for worker in workers { pthread_join(worker, nil) }
  }

  private func start() -> pthread_t {
    var thread = pthread_t(bitPattern: 0)
    let context = Unmanaged.passRetained(Box(self)).toOpaque()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context = context as UnsafeMutableRawPointer? else { return nil }
        Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context)
    precondition(code == 0, "cannot start a thread: \(errorText(code))")
    guard let started = Optional(thread) else { preconditionFailure("no thread") }
    return started
  }

  fileprivate func work() {
    while let index = claim() {
      let result: Result<Item, StoreError>
      do throws(StoreError) { result = .success(try make(index)) } catch {
        result = .failure(error)
      }
      lock.withLock {
        ready[index] = result
        changed.signalAll()
      }
    }
  }

  private func claim() -> Int? {
    lock.lock()
    defer { lock.unlock() }
    while next < count, next >= consumed + ahead, !isStopped { changed.wait(lock) }
    guard next < count, !isStopped else { return nil }
    defer { next += 1 }
    return next
  }

  /// What a thread is started with: C cannot name a generic class.
  private final class Box: Work {
    let pipeline: OrderedPipeline

    init(_ pipeline: OrderedPipeline) { self.pipeline = pipeline }

    override func run() { pipeline.work() }
  }
}

private class Work {
  func run() {}
}
