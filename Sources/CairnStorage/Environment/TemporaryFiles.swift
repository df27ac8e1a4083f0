#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The names of files that should not outlive the process, for a program that a signal ends.
package enum TemporaryFiles {
  private static let capacity = 16
  private static let lock = Lock()
  /// Read by a signal handler, so it is never moved.
  nonisolated(unsafe) private static let names = {
    let names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: capacity)
    names.initialize(repeating: nil, count: capacity)
    return names
  }()

  /// Notes a file. With many at once the last ones are not noted.
  package static func note(_ path: String) {
    lock.withLock {
      guard let free = (0..<capacity).first(where: { names[$0] == nil }) else { return }
      names[free] = strdup(path)
    }
  }

  /// Forgets a file that is gone or has got its name.
  package static func forget(_ path: String) {
    lock.withLock {
      for slot in 0..<capacity {
        guard let name = names[slot], strcmp(name, path) == 0 else { continue }
        // The name is not freed: a signal handler on another thread may be reading it.
        names[slot] = nil
        return
      }
    }
  }

  /// Removes every file that is noted. It allocates nothing and takes no lock, so a signal handler may call it once
  /// `prepare` was called.
  package static func removeAll() {
    for slot in 0..<capacity {
      if let name = names[slot] { unlink(name) }
    }
  }

  /// Makes `removeAll` callable from a signal handler.
  package static func prepare() { _ = names[0] }
}
