#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Threads that live as long as one call.
enum Workers {
  private final class Job: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs `own` on the calling thread and `other` on `others` more; returns when all have returned.
  ///
  /// A thread that the system refuses is done without: the work is shared, not divided beforehand.
  static func run(others: Int, _ other: @escaping @Sendable () -> Void, own: () -> Void) {
    let threads = (0..<others).compactMap { _ in start(other) }
    own()
    for thread in threads { pthread_join(thread, nil) }
  }

  private static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
    let job = Unmanaged.passRetained(Job(body))
    #if canImport(Darwin)
    var thread: pthread_t?
    let status = pthread_create(&thread, nil, { pointer in Workers.enter(pointer) }, job.toOpaque())
    #else
    var thread = pthread_t()
    let status = pthread_create(&thread, nil, { pointer in Workers.enter(pointer) }, job.toOpaque())
    #endif
    guard status == 0 else {
      job.release()
      return nil
    }
    return thread
  }

  private static func enter(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let pointer else { return nil }
    Unmanaged<Job>.fromOpaque(pointer).takeRetainedValue().body()
    return nil
  }
}
