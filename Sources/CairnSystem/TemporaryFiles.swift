/// Creates temporary files, and removes those that must not outlive a program that is ended by a
/// signal.
package enum TemporaryFiles {
  /// The folder for temporary files.
  package static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

  /// Creates an empty file that only this user may read, with a random suffix in its name.
  ///
  /// - Returns: The open file and its path, or nil with `errno` set.
  package static func create(prefix: String) -> (descriptor: Int32, path: String)? {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    let descriptor = lifted(mkstemp(&template))
    guard descriptor >= 0 else {
      // Freeing the template may change `errno` on some systems.
      let code = errno
      template = []
      errno = code
      return nil
    }
    let path = template.dropLast().map { UInt8(bitPattern: $0) }
    return (descriptor, String(decoding: path, as: UTF8.self))
  }

  /// Creates an empty folder that only this user may enter, with a random suffix in its name.
  ///
  /// - Returns: The path of the folder, or nil with `errno` set.
  package static func createFolder(prefix: String) -> String? {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    let isCreated = mkdtemp(&template) != nil
    guard isCreated else { return nil }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static let capacity = 16
  private static let lock = Lock()
  /// A signal handler reads it, so it is never moved.
  // Sendable: `lock` guards the slots against other threads; a signal handler, which must take no lock,
  // only reads them, and a name that it may be reading is never freed.
  nonisolated(unsafe) private static let names = {
    let names = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: capacity)
    names.initialize(repeating: nil, count: capacity)
    return names
  }()

  /// Adds a file, or a folder after the files in it. Once the list is full, further files are not added.
  package static func note(_ path: String) {
    lock.withLock {
      guard let free = (0..<capacity).first(where: { names[$0] == nil }) else { return }
      names[free] = strdup(path)
    }
  }

  /// Forgets a file that was removed or renamed to its final name.
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

  /// Removes every noted file and folder. It allocates nothing and takes no lock, so a signal handler may call
  /// it once `prepare` was called.
  package static func removeAll() {
    for slot in 0..<capacity {
      if let name = names[slot], unlink(name) != 0 { rmdir(name) }
    }
  }

  /// Makes `removeAll` callable from a signal handler.
  package static func prepare() { _ = names[0] }
}
