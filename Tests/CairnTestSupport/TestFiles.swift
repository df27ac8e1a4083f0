import Foundation

/// The files of the package.
public enum Repository {
  /// The root of the package.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the path of a file in `data/`.
  public static func data(_ name: String) -> String {
    root.appendingPathComponent("data").appendingPathComponent(name).path
  }

  /// Returns the content of a text file, given its path relative to the root.
  public static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}

/// Large test data outside of the package: in the folder `CAIRN_SHARED`, or in `shared` next to the
/// package. Tests that need it are skipped where it is missing.
public enum SharedData {
  /// The path of the folder, or nil if it does not exist.
  public static let root: String? = {
    let given = ProcessInfo.processInfo.environment["CAIRN_SHARED"]
    let beside = Repository.root.deletingLastPathComponent().appendingPathComponent("shared").path
    return [given, beside].compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0) }
  }()

  /// Whether the data exists.
  public static var isAvailable: Bool { root != nil }

  /// The reason for skipping a test without the data.
  public static let reason = "no shared test data: CAIRN_SHARED is not set"

  /// Returns every file below a folder of the data, or none if the folder does not exist.
  public static func files(_ folder: String) -> [String] {
    guard let root, let found = FileManager.default.enumerator(atPath: "\(root)/\(folder)") else {
      return []
    }
    return found.compactMap { $0 as? String }.map { "\(root)/\(folder)/\($0)" }
      .filter { !$0.hasSuffix(".md") && !$0.contains("LICENSE") && isFile($0) }.sorted()
  }

  private static func isFile(_ path: String) -> Bool {
    var isFolder: ObjCBool = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && !isFolder.boolValue
  }
}

/// Other programs on this machine.
public enum Tool {
  /// Returns the URL of the first of several programs that is in the search path.
  public static func find(_ names: String...) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin"
    return path.split(separator: ":").flatMap { folder in names.map { "\(folder)/\($0)" } }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { URL(fileURLWithPath: $0) }
  }

  /// Returns whether a program is in the search path.
  public static func isInstalled(_ name: String) -> Bool { find(name) != nil }
}

/// The properties of the machine that tests depend on.
public enum Machine {
  /// Whether this is Linux.
  public static let isLinux: Bool = {
    #if os(Linux)
    return true
    #else
    return false
    #endif
  }()

  /// Whether there is a device on which every write fails, because it is full.
  public static let hasFullDevice = FileManager.default.fileExists(atPath: "/dev/full")

  /// Whether a process may make namespaces of processes, as only root can in most systems.
  public static let canMakeContainers =
    (try? Command.shell("unshare --pid --fork --mount-proc true").code) == 0

  /// Whether a file system in memory can be mounted.
  public static let canMount =
    (try? Command.shell("unshare --mount mount -t tmpfs tmpfs /mnt").code) == 0

  /// Whether the database of time zones is installed.
  public static let hasTimeZones = FileManager.default.fileExists(
    atPath: "/usr/share/zoneinfo/Europe/Zurich")
}
