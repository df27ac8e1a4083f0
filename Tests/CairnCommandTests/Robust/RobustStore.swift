import Foundation

/// A store with some rows, and the commands that change it.
struct RobustStore {
  let scratch: Scratch
  var path: String { scratch["store.cairn"] }

  init(rows: Int = 3000) throws {
    scratch = try Scratch()
    try scratch.file("first.csv", Self.csv(0..<rows))
    try scratch.file("more.csv", Self.csv(rows / 2..<rows * 2))
    _ = try Command.lines(
      "import", path, scratch["first.csv"], "--class", "rows", "--key", "id", "--index", "name",
      "--quiet")
  }

  static func csv(_ rows: Range<Int>) -> String {
    "id,name,latitude,longitude\n"
      + rows.map {
        "\($0),name \($0 % 97),\(Double($0 * 37 % 1700) / 10 - 85),\(Double($0 * 91 % 3500) / 10 - 175)\n"
      }
      .joined()
  }

  /// What changes the store, and has an end.
  enum Change: String, CaseIterable, Sendable {
    case load
    case replace
    case compact
    /// Rows here and there, in one transaction of a program's own.
    case update
    case delete

    private var program: URL {
      switch self {
      case .load, .replace, .compact: Command.executable
      case .update, .delete: Command.worker
      }
    }

    private func arguments(_ store: String, _ scratch: Scratch) -> [String] {
      switch self {
      case .load: ["import", store, scratch["more.csv"], "--class", "others", "--quiet"]
      case .replace:
        [
          "import", store, scratch["more.csv"], "--class", "rows", "--key", "id",
          "--on-conflict", "replace", "--quiet",
        ]
      case .compact: ["compact", store, "--quiet"]
      case .update: ["update", store, "rows"]
      case .delete: ["delete", store, "rows"]
      }
    }

    /// Does it and waits.
    ///
    /// - Parameter path: another store than that of the class.
    func run(
      _ store: RobustStore, at path: String? = nil, environment: [String: String] = [:]
    ) throws -> Command.Outcome {
      try Command.launch(
        program, arguments(path ?? store.path, store.scratch), input: nil,
        environment: environment, folder: nil)
    }

    /// Begins to do it.
    func start(_ store: RobustStore) throws -> Process {
      let process = Process()
      process.executableURL = program
      process.arguments = arguments(store.path, store.scratch)
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
  }

  /// Puts the store back as it was.
  func restore(_ bytes: Data) throws {
    try bytes.write(to: URL(fileURLWithPath: path))
    try? FileManager.default.removeItem(atPath: path + "-lock")
  }

  /// What the store holds: rows of the class in the order of their keys, and whether the other class is there.
  func content() throws -> String {
    try Command.run("query", path, "rows", "--sort", "id", "--format", "csv").output
      + Command.run("count", path, "others").output
  }

  /// What is beside the store that should not be.
  func litter() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).filter {
      $0.hasPrefix("store.cairn") && $0 != "store.cairn" && $0 != "store.cairn-lock"
    }
  }
}
