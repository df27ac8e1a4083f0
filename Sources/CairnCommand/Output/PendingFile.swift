import CairnStorage

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file of output that does not have its name yet. It has none at all where the file system has such files, so nothing
/// is left of it however the command ends; elsewhere it has one of its own, which signals remove.
final class PendingFile {
  let descriptor: Int32
  private let path: String
  /// The name that the file has; nil: none.
  private var temporary: String?

  /// - Parameter permissions: the mode of the file that is replaced; nil: there is none.
  init(_ path: String, permissions: mode_t?) throws {
    let path = try Self.realPath(path)
    self.path = path
    let nameless = Self.hasLinks ? openNameless(in: folder(of: path)) : -1
    (descriptor, temporary) = nameless >= 0 ? (nameless, nil) : try Self.named(path)
    let mask = umask(0)
    umask(mask)
    fchmod(descriptor, permissions ?? 0o666 & ~mask)
  }

  /// Whether a file without a name can be given one here.
  private static var hasLinks: Bool { access("/proc/self/fd", F_OK) == 0 }

  private static func named(_ path: String) throws -> (Int32, String?) {
    var template = Array((path + ".XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw failure(path) }
    let name = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    TemporaryFiles.note(name)
    return (descriptor, name)
  }

  /// Gives the file its name.
  func publish() throws {
    if temporary == nil {
      if linkNameless(descriptor, to: path) { return }
      guard errno == EEXIST else { throw Self.failure(path) }
      try linkBeside()
    }
    guard let temporary, rename(temporary, path) == 0 else { throw Self.failure(path) }
    TemporaryFiles.forget(temporary)
    self.temporary = nil
  }

  /// Gives the file a name by which it can replace another one.
  private func linkBeside() throws {
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

  /// Removes the name of a file that is not whole.
  func abandon() {
    guard let temporary else { return }
    unlink(temporary)
    TemporaryFiles.forget(temporary)
  }

  /// The path behind symbolic links; the path itself where there is no file yet.
  private static func realPath(_ path: String) throws -> String {
    guard let resolved = realpath(path, nil) else {
      var status = stat()
      if errno == ENOENT, lstat(path, &status) == 0 {
        throw Failure(
          .io, "cannot write \(path): it is a link to a file that does not exist; remove it first")
      }
      return path
    }
    defer { free(resolved) }
    if let text = String(validatingCString: resolved) { return text }
    var status = stat()
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFLNK else {
      throw Failure(.io, "cannot write \(path): it is a link to a name that is not UTF-8")
    }
    return path
  }

  static func failure(_ path: String) -> Failure {
    Failure(.io, "cannot write \(path): \(System.errorText())")
  }
}
