import CairnIO
import CairnStorage
import CairnSystem

/// The state of a file as the system tells it without reading the file: its path, device, number, size and
/// time. It changes when the file is written or replaced.
struct FileIdentity: Equatable {
  private let text: String
  /// The time of the last change, in seconds since 1970.
  private let changed: Int
  /// The bytes of the file.
  let size: Int

  /// The state of a file, with that of the files beside it that belong to it, as those of a shapefile; of a
  /// folder whose files are one class, the state of all of them.
  ///
  /// - Returns: Nil for what is not a file, such as a pipe, and cannot be read twice.
  init?(of path: String) {
    let path = resolvedPath(path)
    var (text, changed, size) = ("", 0, 0)
    for file in Self.files(of: path) {
      var info = stat()
      guard stat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG else {
        if file == path { return nil }
        continue
      }
      let time = info.changeTime
      text +=
        "\(file):\(info.st_dev):\(info.st_ino):\(info.st_size):\(time.tv_sec):\(time.tv_nsec)\n"
      changed = max(changed, time.tv_sec)
      size += Int(info.st_size)
    }
    if text.isEmpty { return nil }
    (self.text, self.changed, self.size) = (text, changed, size)
  }

  /// The file itself, and what GDAL may read beside it: files of the same name with another extension, and
  /// the journals of databases.
  private static func files(of path: String) -> [String] {
    if DataFile.isParquetFolder(path) { return HiveFolder.paths(in: path) }
    if isFolder(path) { return names(inFolder: path).map { "\(path)/\($0)" } }
    guard LayerFormats.recognizes(path) else { return [path] }
    let start = path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex
    let stem = path[..<(path[start...].firstIndex(of: ".") ?? path.endIndex)]
    let folder = folder(of: path)
    return names(inFolder: folder).map { folder == "/" ? "/\($0)" : "\(folder)/\($0)" }.filter {
      $0 == path || $0.hasPrefix("\(path)-")
        || $0.hasPrefix("\(stem).") && !$0.hasPrefix("\(stem).cairn")
    }
  }

  /// Whether the file has been at rest for a while. The times of some file systems have steps of two
  /// seconds, so that a change right after another one might not show.
  var isSettled: Bool {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return now.tv_sec - changed > Self.longestStep
  }

  /// Waits until files are at rest.
  static func settle(_ states: () -> [FileIdentity]) -> [FileIdentity] {
    for _ in 0..<40 where !states().allSatisfy(\.isSettled) { usleep(100_000) }
    return states()
  }

  private static let longestStep = 2

  /// The number of digits of a digest.
  static let digestLength = 32

  /// Digits for files and a way to read them.
  static func digest(_ identities: [FileIdentity], reading: String) -> String {
    let text = reading + "\n" + identities.map(\.text).joined(separator: "\n")
    return [text, "\n" + text].map { text in
      let hash = Array(text.utf8).withUnsafeBytes { Checksum.xxh64($0) }
      let digits = String(hash, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}

extension stat {
  /// The time when the content or a property last changed. Unlike that of the content, it cannot be set
  /// back.
  fileprivate var changeTime: timespec {
    #if canImport(Darwin)
    st_ctimespec
    #else
    st_ctim
    #endif
  }
}
