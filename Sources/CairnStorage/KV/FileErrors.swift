import CairnSystem

/// The error for a disk that ran full while Cairn wrote a file next to a store; the store is
/// unchanged.
func diskFull(_ doing: String, store: String) -> StoreError {
  let folder = folder(of: store)
  let left = freeBytes(folder).map { " (\($0) bytes are left in \(folder))" } ?? ""
  return StoreError(
    .diskFull, message: "disk full while Cairn \(doing) \(store)\(left); nothing was changed")
}

/// Creates an empty file in the folder for temporary files and returns its path.
func temporaryFile() throws(StoreError) -> String {
  try temporaryFile(named: "\(TemporaryFiles.folder)/cairn")
}

/// Creates an empty file whose name begins with `name` and returns its path.
func temporaryFile(named name: String) throws(StoreError) -> String {
  guard let file = TemporaryFiles.create(prefix: "\(name)-") else {
    throw StoreError(.io, message: "cannot make a temporary file \(name)-…: \(errorText(errno))")
  }
  close(file.descriptor)
  return file.path
}

/// Makes a file durable, or the names in a folder.
func makeDurable(_ path: String) throws(StoreError) {
  let file = openFile(path, flags: O_RDONLY)
  guard file >= 0 else {
    throw StoreError(.io, message: "cannot open \(path): \(errorText(errno))")
  }
  defer { close(file) }
  guard fsync(file) == 0 else {
    let code = errno
    // Some file systems cannot sync a folder.
    if code == EINVAL || code == ENOTSUP { return }
    throw writeFailure(code, path: path)
      ?? StoreError(.io, message: "cannot write \(path): \(errorText(code))")
  }
}

/// The error for a file that could not be written because of a full disk or a size limit, or nil if
/// the cause is another.
func writeFailure(_ code: Int32, path: String) -> StoreError? {
  if code == EFBIG { return sizeLimitReached(path) }
  guard code == ENOSPC || code == EDQUOT || (code == EIO && isDiskFull(path)) else { return nil }
  return StoreError(
    .diskFull, message: "disk full while Cairn tried to write \(path); nothing was changed")
}

/// The error for a write beyond the largest file size that the process may use.
func sizeLimitReached(_ path: String) -> StoreError {
  StoreError(
    .io,
    message:
      "\(path) would become larger than this process may make files; raise the limit (ulimit -f); "
      + "nothing was changed")
}
