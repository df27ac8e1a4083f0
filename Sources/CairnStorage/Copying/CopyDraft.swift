#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// A file that gets its name when it is whole. Until then it has none where the file system has such files, so nothing is
/// left of it however the process ends; elsewhere it has one of its own.
final class CopyDraft {
  /// The path by which the file can be opened now.
  let path: String
  private let descriptor: Int32

  /// - Parameter target: the path that the file is for.
  init(for target: String) throws(StoreError) {
    let folder = folder(of: target)
    descriptor = access(openFilePath(STDIN_FILENO), F_OK) == 0 ? openNameless(in: folder) : -1
    if descriptor >= 0 {
      path = openFilePath(descriptor)
    } else {
      path = try temporaryFile(named: "\(target).copy")
      TemporaryFiles.note(path)
    }
  }

  deinit {
    if descriptor >= 0 {
      close(descriptor)
    } else {
      unlink(path)
      TemporaryFiles.forget(path)
    }
  }

  /// Gives the file its name.
  ///
  /// - Throws: `.exists` where there is a file of that name.
  func publish(as target: String) throws(StoreError) {
    let isDone = descriptor >= 0 ? linkNameless(descriptor, to: target) : link(path, target) == 0
    guard isDone else {
      throw errno == EEXIST
        ? StoreError(.exists, "\(target) exists already; a copy is made where no file is")
        : StoreError(.io, "cannot write \(target): \(errorText(errno))")
    }
  }
}
