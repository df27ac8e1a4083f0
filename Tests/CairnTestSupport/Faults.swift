import Foundation

/// Injects faults between the command and the disk with `tools/faults`, which needs a C compiler.
public enum Faults {
  /// The library to preload; nil if it cannot be built.
  public static let library: String? = {
    #if os(Linux)
    let path = FileManager.default.temporaryDirectory.appendingPathComponent(
      "cairn-faults-\(ProcessInfo.processInfo.processIdentifier).so")
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = [
      "cc", "-shared", "-fPIC", "-o", path.path,
      Repository.root.appendingPathComponent("tools/faults/faults.c").path, "-ldl", "-lpthread",
    ]
    guard (try? compiler.run()) != nil else { return nil }
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? path.path : nil
    #else
    return nil
    #endif
  }()

  /// The reason for skipping a test without the library.
  public static let reason = "faults cannot be injected: no C compiler, or not Linux"

  /// The ways in which a write fails.
  public struct Fault: Sendable {
    /// The error number; 0 for half a write.
    public let code: Int32
    /// Whether all later writes fail too.
    public let isLasting: Bool

    /// Creates a fault.
    public init(code: Int32, isLasting: Bool) {
      (self.code, self.isLasting) = (code, isLasting)
    }

    /// The fault in words.
    public var description: String {
      (code == 0 ? "half a write" : String(cString: strerror(code)))
        + (isLasting ? ", lasting" : "")
    }
  }

  /// The outcome of a step: a call on a store or its lock file.
  public enum Action: Sendable {
    /// The process stops there.
    case stop
    /// The process is killed there.
    case kill
    /// The call fails with an error number.
    case fail(Int32)

    fileprivate var word: String {
      switch self {
      case .stop: "stop"
      case .kill: "kill"
      case .fail(let code): "\(code)"
      }
    }
  }

  /// The environment in which all calls on files of that path are counted, and one of them has an
  /// outcome of its own.
  public static func steps(
    on path: String, at step: Int? = nil, _ action: Action? = nil, count: String? = nil
  ) -> [String: String] {
    var variables = ["LD_PRELOAD": library ?? "", "CAIRN_STEP_PATH": path]
    if let step, let action {
      variables["CAIRN_STEP_AT"] = "\(step)"
      variables["CAIRN_STEP_ACTION"] = action.word
    }
    variables["CAIRN_STEP_COUNT"] = count
    return variables
  }

  /// The environment of a machine with memory pages of that size.
  public static func pages(of size: Int) -> [String: String] {
    ["LD_PRELOAD": library ?? "", "CAIRN_PAGE_SIZE": "\(size)"]
  }

  /// The environment in which calls on files of that path are counted, and one of them fails.
  public static func environment(
    on path: String, at call: Int? = nil, _ fault: Fault? = nil, count: String? = nil,
    record: String? = nil, lacks: String? = nil
  ) -> [String: String] {
    var variables = ["LD_PRELOAD": library ?? "", "CAIRN_FAULT_PATH": path]
    if let call, let fault {
      variables["CAIRN_FAULT_AT"] = "\(call)"
      variables["CAIRN_FAULT_ERROR"] = "\(fault.code)"
      variables["CAIRN_FAULT_LASTING"] = fault.isLasting ? "1" : "0"
    }
    variables["CAIRN_FAULT_COUNT"] = count
    variables["CAIRN_FAULT_RECORD"] = record
    variables["CAIRN_FAULT_LACKS"] = lacks
    return variables
  }
}
