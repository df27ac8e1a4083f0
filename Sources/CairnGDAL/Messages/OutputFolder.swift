import CairnSystem

/// A folder for the files of an output that is not complete, and for GDAL's temporary files.
///
/// The process that writes owns the folder: it removes it when the pipe from the other process
/// closes, however that one ends.
struct OutputFolder: Sendable {
  let path: String

  init(_ path: String) { self.path = path }

  /// The folder that contains a file.
  init(ofFile path: String) {
    self.path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
  }

  /// The names of the files in the folder.
  var files: [String] { names(inFolder: path) }

  /// Removes the folder with its files.
  func remove() {
    // Another thread may still create files; it cannot once the folder is gone.
    for _ in 0..<10_000 where !Self.removed(path) { usleep(1000) }
  }

  /// Waits until the other process has closed standard input, removes the folder, and ends the
  /// process.
  func removeAtHangUp() {
    var state = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
    while true {
      state.revents = 0
      // Systems report a hang-up without being asked to; the limit is for those that miss it.
      _ = poll(&state, 1, 1000)
      if state.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0 { break }
    }
    remove()
    _exit(0)
  }

  private static func removed(_ path: String) -> Bool {
    if rmdir(path) == 0 || errno == ENOENT { return true }
    for name in names(inFolder: path) {
      let inner = path + "/" + name
      if unlink(inner) != 0 { _ = removed(inner) }
    }
    return rmdir(path) == 0 || errno == ENOENT
  }
}
