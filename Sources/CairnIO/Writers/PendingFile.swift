import CairnSystem

/// An output file that does not have its final name yet.
///
/// If the file system supports files without a name, it has none, so nothing remains however the
/// process ends. Otherwise it has a temporary name, which the signal handlers of the command remove.
package final class PendingFile {
  let descriptor: Int32
  private let path: String
  /// The temporary name of the file; nil if it has no name.
  package private(set) var temporary: String?

  /// - Parameters:
  ///   - permissions: The mode of the file to replace; nil for a new file.
  ///   - isNamed: Whether the file needs a temporary name, because a library opens it.
  package init(
    _ path: String, permissions: mode_t?, isNamed: Bool = false
  ) throws(OutputError) {
    let path = try Self.realPath(path)
    self.path = path
    let isNameless = Self.canLinkUnnamedFiles && !isNamed
    let nameless = isNameless ? openNameless(in: folder(of: path)) : -1
    (descriptor, temporary) = nameless >= 0 ? (nameless, nil) : try Self.named(path)
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, permissions ?? 0o666 & ~mask)
  }

  /// Whether this system can give a name to a file without one.
  private static var canLinkUnnamedFiles: Bool { access("/proc/self/fd", F_OK) == 0 }

  private static func named(_ path: String) throws(OutputError) -> (Int32, String?) {
    guard let file = TemporaryFiles.create(prefix: path + ".") else { throw failure(path) }
    TemporaryFiles.note(file.path)
    return (file.descriptor, file.path)
  }

  /// Gives the file its final name.
  package func publish() throws(OutputError) {
    if temporary == nil {
      if linkNameless(descriptor, to: path) { return }
      guard errno == EEXIST else { throw Self.failure(path) }
      try linkTemporarily()
    }
    guard let temporary, rename(temporary, path) == 0 else { throw Self.failure(path) }
    TemporaryFiles.forget(temporary)
    self.temporary = nil
  }

  /// Gives the file a temporary name, with which it can replace an existing file.
  private func linkTemporarily() throws(OutputError) {
    for _ in 0..<100 {
      let name = "\(path).\(String(UInt32.random(in: 0..<1 << 30) + 1 << 30, radix: 36))"
      TemporaryFiles.note(name)
      if linkNameless(descriptor, to: name) {
        temporary = name
        return
      }
      let code = errno
      TemporaryFiles.forget(name)
      errno = code
      guard code == EEXIST else { break }
    }
    throw Self.failure(path)
  }

  deinit {
    close(descriptor)
    guard let temporary else { return }
    unlink(temporary)
    TemporaryFiles.forget(temporary)
  }

  /// The path with symbolic links resolved; the path itself if the file does not exist yet.
  static func realPath(_ path: String) throws(OutputError) -> String {
    guard let resolved = realpath(path, nil) else {
      var status = stat()
      if errno == ENOENT, lstat(path, &status) == 0 {
        throw .file(
          .output,
          "cannot write \(path): it is a link to a file that does not exist; remove it first")
      }
      return path
    }
    defer { free(resolved) }
    if let text = String(validatingCString: resolved) { return text }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else {
      throw .file(.output, "cannot write \(path): it is a link to a name that is not UTF-8")
    }
    return path
  }

  /// The error of a call of the system on the file, from `errno`.
  package static func failure(_ path: String) -> OutputError {
    .file(.output, "cannot write \(path): \(errorText(errno))")
  }
}
