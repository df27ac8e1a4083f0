import Foundation

/// What stands between the command and the disk: `tools/faults`, built where there is a C compiler.
enum Faults {
  /// The library to preload; nil where it cannot be built.
  static let library: String? = {
    #if os(Linux)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "cairn-faults-\(ProcessInfo.processInfo.processIdentifier).so")
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      "cc", "-shared", "-fPIC", "-o", path.path,
      Command.root.appendingPathComponent("tools/faults/faults.c").path, "-ldl", "-lpthread",
    ]
    guard (try? compiler.run()) != nil else { return nil }
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? path.path : nil
    #else
    return nil
    #endif
  }()

  /// How a write goes wrong.
  struct Fault: Sendable {
    let code: Int32
    let isLasting: Bool

    var description: String {
      (code == 0 ? "half a write" : String(cString: strerror(code)))
        + (isLasting ? ", lasting" : "")
    }
  }

  /// The environment in which calls on files of that path are counted, and one of them fails.
  static func environment(
    on path: String, at call: Int? = nil, _ fault: Fault? = nil, count: String? = nil,
    record: String? = nil
  ) -> [String: String] {
    var variables = ["LD_PRELOAD": library ?? "", "CAIRN_FAULT_PATH": path]
    if let call, let fault {
      variables["CAIRN_FAULT_AT"] = "\(call)"
      variables["CAIRN_FAULT_ERROR"] = "\(fault.code)"
      variables["CAIRN_FAULT_LASTING"] = fault.isLasting ? "1" : "0"
    }
    variables["CAIRN_FAULT_COUNT"] = count
    variables["CAIRN_FAULT_RECORD"] = record
    return variables
  }
}

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

  enum Change: String, CaseIterable, Sendable {
    case load
    case replace
    case compact

    func arguments(_ store: RobustStore) -> [String] {
      switch self {
      case .load:
        ["import", store.path, store.scratch["more.csv"], "--class", "others", "--quiet"]
      case .replace:
        [
          "import", store.path, store.scratch["more.csv"], "--class", "rows", "--key", "id",
          "--on-conflict", "replace", "--quiet",
        ]
      case .compact: ["compact", store.path, "--quiet"]
      }
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
