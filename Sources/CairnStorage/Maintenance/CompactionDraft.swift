import CairnSystem

/// The unfinished file of a compaction, beside the store. It is removed unless it has taken the place
/// of the store.
///
/// The process holds a lock on it (`flock`), by which others tell it from the leftover of a killed
/// compaction.
final class CompactionDraft {
  let descriptor: Int32
  private let path: String
  private var isForgotten = false

  /// Makes an empty file that only this user can read. A leftover is overwritten.
  ///
  /// - Parameter store: the store as messages name it.
  init(for realPath: String, of store: String) throws(StoreError) {
    path = Environment.draftPath(of: realPath)
    TemporaryFiles.note(path)
    TemporaryFiles.note(path + "-lock")
    while true {
      unlink(path)
      let file = openFile(path, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
      guard file >= 0 else {
        if errno == EEXIST { continue }
        throw writeFailure(errno, path: store)
          ?? StoreError(.io, message: "cannot make \(path): \(errorText(errno))")
      }
      // Somebody who removes leftovers may have locked the new file first.
      _ = flock(file, LOCK_EX)
      if FileIdentity(path: path) == FileIdentity(descriptor: file) {
        descriptor = file
        return
      }
      closeFile(file)
    }
  }

  /// Keeps the file, which is the store now.
  func forget() {
    isForgotten = true
    TemporaryFiles.forget(path)
    TemporaryFiles.forget(path + "-lock")
  }

  deinit {
    if !isForgotten {
      unlink(path)
      unlink(path + "-lock")
      TemporaryFiles.forget(path)
      TemporaryFiles.forget(path + "-lock")
    }
    closeFile(descriptor)
  }
}

private func closeFile(_ descriptor: Int32) { close(descriptor) }
