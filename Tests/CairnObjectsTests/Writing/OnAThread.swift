#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Runs the body on a thread of its own, where no task is.
func onAThread<R>(_ body: @escaping () throws -> R) async throws -> R {
  let work = UncheckedBox(body)
  return try await withCheckedThrowingContinuation { continuation in
    let start = UncheckedBox {
      continuation.resume(with: Result { UncheckedBox(try work.value()) })
    }
    let context = Unmanaged.passRetained(ThreadWork { start.value() }).toOpaque()
    #if canImport(Glibc)
    var thread = pthread_t()
    #else
    var thread: pthread_t?
    #endif
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, context)
    #if canImport(Glibc)
    pthread_detach(thread)
    #else
    if let thread { pthread_detach(thread) }
    #endif
  }.value
}

private final class ThreadWork {
  let run: () -> Void
  init(_ run: @escaping () -> Void) { self.run = run }
}

/// Hands something to another thread; the test takes care that only one uses it.
struct UncheckedBox<Value>: @unchecked Sendable {
  let value: Value
  init(_ value: Value) { self.value = value }
}
