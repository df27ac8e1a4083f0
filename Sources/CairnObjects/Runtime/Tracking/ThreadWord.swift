import CThread

/// A word in the memory of the calling thread, by its distance from `Caller.threadPointer`.
enum ThreadWord {
  /// The word of the calling thread at one of `candidates()`.
  static func value(at location: Int) -> UInt {
    let address = Caller.threadPointer &+ UInt(bitPattern: location)
    return UnsafePointer<UInt>(bitPattern: address)?.pointee ?? 0
  }

  /// The words that may belong to a library: those in the thread-local memory of the program and its
  /// libraries, or on Darwin the thread's table of keys. Empty on other systems.
  static func candidates() -> [Int] {
    #if os(Linux) && (arch(x86_64) || arch(arm64))
    withUnsafeTemporaryAllocation(of: cairn_thread_memory.self, capacity: 1) { found in
      cairn_find_thread_memory(found.baseAddress)
      return withUnsafeBytes(of: &found[0].parts) { parts in
        parts.bindMemory(to: cairn_memory.self).prefix(found[0].count).flatMap { part in
          let distance = Int(bitPattern: part.start &- Caller.threadPointer)
          return stride(from: 0, to: part.size & ~7, by: 8).map { distance + Int($0) }
        }
      }
    }
    #elseif canImport(Darwin) && (arch(x86_64) || arch(arm64))
    // The description of a thread, which `pthread_self` points to, contains the table of keys. The
    // keys of Swift's libraries are among the first 128, and the description is several times as
    // long as this part of it.
    Array(stride(from: 0, to: 0x600, by: 8))
    #else
    []
    #endif
  }
}
