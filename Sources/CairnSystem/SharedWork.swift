/// Work of one thread that several threads do in parts, such as the scan of a query.
///
/// The parts read data that belongs to the first thread and is not `Sendable`, such as the columns of
/// a snapshot. That thread resolves the data before it shares the work. Code that fills a cache on
/// demand asserts that no shared work is running, because it would change what other parts read.
package enum SharedWork {
  private static let key: pthread_key_t? = {
    var key = pthread_key_t()
    return pthread_key_create(&key, nil) == 0 ? key : nil
  }()

  /// Whether the calling thread does a part of shared work.
  package static var isRunning: Bool {
    guard let key else { return false }
    return pthread_getspecific(key) != nil
  }

  /// Does a part of shared work on the calling thread.
  package static func run(_ part: () -> Void) {
    guard let key else { return part() }
    let outer = pthread_getspecific(key)
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
    defer { pthread_setspecific(key, outer) }
    part()
  }
}
