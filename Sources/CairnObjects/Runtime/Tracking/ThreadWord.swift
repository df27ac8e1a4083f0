import CThread

#if canImport(Glibc) && (arch(x86_64) || arch(arm64))
/// A thread-local word.
enum ThreadWord {
  /// The word of the calling thread.
  ///
  /// - Parameters:
  ///   - location: the distance from the thread's pointer, one of `candidates()`, or 0 for a word
  ///     that is never 0.
  ///   - thread: the thread's pointer, `Caller.thread`.
  @inline(__always)
  static func value(at location: Int, of thread: UInt) -> UInt {
    UnsafePointer<UInt>(bitPattern: thread &+ UInt(bitPattern: location)).unsafelyUnwrapped.pointee
  }

  /// The words in the thread-local memory of the program and its libraries on the calling thread.
  static func candidates() -> [Int] {
    withUnsafeTemporaryAllocation(of: cairn_thread_memory.self, capacity: 1) { found in
      cairn_find_thread_memory(found.baseAddress)
      return withUnsafeBytes(of: &found[0].parts) { parts in
        parts.bindMemory(to: cairn_memory.self).prefix(found[0].count).flatMap { part in
          let distance = Int(bitPattern: part.start &- Caller.thread)
          return stride(from: 0, to: part.size & ~7, by: 8).map { distance + Int($0) }
        }
      }
    }
  }
}
#endif
