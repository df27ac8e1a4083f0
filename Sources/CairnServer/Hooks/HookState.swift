import CairnSystem

/// The cursors of hooks in a file, which one process at a time uses.
final class HookState: Sendable {
  private let path: String
  private let cursors: Mutex<[String: String]>
  /// The open file whose lock keeps other processes away.
  private let lock: Int32

  /// Reads the file, which need not exist yet.
  ///
  /// - Throws: ``ServiceError`` if the file cannot be read, or another process uses it.
  init(_ path: String) throws(ServiceError) {
    self.path = path
    let lock = openFile(path + "-lock", flags: O_RDWR | O_CREAT | O_CLOEXEC, mode: 0o600)
    guard lock >= 0 else { throw Self.error("cannot create", path + "-lock") }
    do throws(ServiceError) {
      guard flock(lock, LOCK_EX | LOCK_NB) == 0 else {
        throw ServiceError(
          description: "another server delivers changes with \(path); "
            + "name another file for this one")
      }
      cursors = Mutex(try Self.read(path))
    } catch {
      close(lock)
      throw error
    }
    self.lock = lock
  }

  deinit { close(lock) }

  private static func error(_ verb: String, _ path: String) -> ServiceError {
    ServiceError(description: "\(verb) \(path): \(errorText(errno))")
  }

  private static func read(_ path: String) throws(ServiceError) -> [String: String] {
    let file = openFile(path, flags: O_RDONLY | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return [:] }
      throw error("cannot open", path)
    }
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = CairnSystem.read(file, &buffer, buffer.count)
      guard count >= 0 else { throw error("cannot read", path) }
      if count == 0 { break }
      bytes += buffer[..<count]
    }
    guard let json = try? JSONReader.read(String(decoding: bytes, as: UTF8.self)),
      case .object(let members) = json.content
    else {
      throw ServiceError(
        description: "\(path) is not a file with cursors; delete it to begin with the next change")
    }
    return members.reduce(into: [:]) { $0[$1.name] = $1.value.string }
  }

  /// The cursor of a hook; nil if it has none yet.
  func cursor(of hook: Hook) -> String? { cursors.withLock { $0[hook.key] } }

  /// Sets the cursor of a hook in the file, unless it is the same.
  ///
  /// - Throws: ``ServiceError`` if the file cannot be written; it keeps its content then.
  func set(_ cursor: String, of hook: Hook) throws(ServiceError) {
    try cursors.withLock { (cursors) throws(ServiceError) in
      guard cursors[hook.key] != cursor else { return }
      var changed = cursors
      changed[hook.key] = cursor
      try write(changed)
      cursors = changed
    }
  }

  /// Replaces the file at once, so that a crash leaves either content.
  private func write(_ cursors: [String: String]) throws(ServiceError) {
    let members = cursors.sorted { $0.key < $1.key }
    let json = JSON.object(members.map { ($0.key, .string($0.value)) })
    let temporary = path + ".new"
    let file = openFile(
      temporary, flags: O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode: 0o600)
    guard file >= 0 else { throw Self.error("cannot create", temporary) }
    let bytes = Array((json.text + "\n").utf8)
    let isWritten =
      CairnSystem.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    let failure = Self.error("cannot write", temporary)
    close(file)
    guard isWritten else { throw failure }
    guard rename(temporary, path) == 0 else { throw Self.error("cannot write", path) }
  }
}
