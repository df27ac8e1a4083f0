import CairnTestSupport
import Foundation

/// A store with some rows, and the commands that change it.
struct RobustStore {
  let scratch: TemporaryFolder
  var path: String { scratch["store.cairn"] }

  init(rows: Int = 3000) throws {
    scratch = try TemporaryFolder()
    try scratch.file("first.csv", Self.csv(0..<rows))
    try scratch.file("more.csv", Self.csv(rows / 2..<rows * 2, isLater: true))
    try scratch.file("wide.csv", Self.csv(rows..<rows * 2, isWide: true))
    _ = try Command.lines(
      "import", path, scratch["first.csv"], "--class", "rows", "--key", "id", "--index",
      "name,size", "--quiet")
  }

  /// - Parameter isLater: Whether nine of ten rows have another name.
  static func csv(_ rows: Range<Int>, isWide: Bool = false, isLater: Bool = false) -> String {
    "id,name,size,latitude,longitude\(isWide ? ",note" : "")\n"
      + rows.map { row in
        let size = "\(row % 13)\(isWide ? ".5" : "")"
        let name = isLater && row % 10 > 0 ? "later" : "name"
        let (latitude, longitude) = (row * 37 % 1700, row * 91 % 3500)
        return
          "\(row),\(name) \(row % 97),\(size),\(Double(latitude) / 10 - 85),\(Double(longitude) / 10 - 175)"
          + (isWide ? ",note \(row)\n" : "\n")
      }
      .joined()
  }

  /// The operations that change the store.
  enum Change: String, CaseIterable, Sendable {
    case load
    case replace
    /// An import into a class that lacks a property, and has a narrower type for another.
    case widen
    case compact
    /// Changes to scattered rows in one transaction of another program.
    case update
    case delete

    private var program: URL {
      switch self {
      case .load, .replace, .widen, .compact: Command.executable
      case .update, .delete: Command.worker
      }
    }

    private func arguments(_ store: String, _ scratch: TemporaryFolder) -> [String] {
      switch self {
      case .load: ["import", store, scratch["more.csv"], "--class", "others", "--quiet"]
      case .replace:
        [
          "import", store, scratch["more.csv"], "--class", "rows", "--key", "id",
          "--on-conflict", "replace", "--quiet",
        ]
      case .widen: ["import", store, scratch["wide.csv"], "--class", "rows", "--quiet"]
      case .compact: ["compact", store, "--quiet"]
      case .update: ["update", store, "rows"]
      case .delete: ["delete", store, "rows"]
      }
    }

    /// Runs the operation and waits for its end.
    ///
    /// - Parameter path: The store; by default the one of this fixture.
    func run(
      _ store: RobustStore, at path: String? = nil, environment: [String: String] = [:]
    ) throws -> Command.Outcome {
      try Command.launch(
        program, arguments(path ?? store.path, store.scratch), input: nil,
        environment: environment, folder: nil)
    }

    /// The operation as a process that is not started.
    func process(_ store: RobustStore) -> Process {
      let process = Process()
      process.executableURL = program
      process.arguments = arguments(store.path, store.scratch)
      process.standardError = FileHandle.nullDevice
      return process
    }

    /// Starts the operation.
    func start(_ store: RobustStore) throws -> Process {
      let process = process(store)
      try process.run()
      return process
    }
  }

  /// Restores the content of the store.
  func restore(_ bytes: Data) throws {
    try bytes.write(to: URL(fileURLWithPath: path))
    try? FileManager.default.removeItem(atPath: path + "-lock")
  }

  /// The content of the store: the rows of the class in the order of their keys, and whether the
  /// other class exists.
  func content() throws -> String {
    try Command.run("query", path, "rows", "--sort", "id", "--format", "csv").output
      + Command.run("count", path, "others").output
  }

  /// The files next to the store that should not exist.
  func strayFiles() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).filter {
      $0.hasPrefix("store.cairn") && $0 != "store.cairn" && $0 != "store.cairn-lock"
    }
  }
}
