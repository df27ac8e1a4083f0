import Foundation

/// Runs the built command as a person would.
public enum Command {
  /// The result of a run.
  public struct Outcome: Sendable {
    /// The exit code, or the number of the signal that ended the process.
    public let code: Int32
    /// The text on standard output.
    public let output: String
    /// The text on standard error.
    public let errors: String
    /// Whether a signal ended the process.
    public internal(set) var isKilled = false

    /// How the process ended.
    public var end: ProcessEnd { isKilled ? .signal(code) : .exit(code) }

    /// The lines of the output, without the final line break.
    public var lines: [String] {
      output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }

  /// A command that failed although it should succeed.
  public struct Failure: Error, CustomStringConvertible {
    public let description: String
  }

  /// The command: that of the environment variable `CAIRN`, or the one built with these tests.
  public static let executable =
    ProcessInfo.processInfo.environment["CAIRN"].map { URL(fileURLWithPath: $0) }
    ?? built

  /// The command that was built with these tests.
  public static let built = folder.appendingPathComponent("cairn")

  /// A program that uses a store through the library, built with these tests.
  public static let worker = folder.appendingPathComponent("cairn-worker")

  /// The program that makes programming errors, built with these tests.
  static let misuse = folder.appendingPathComponent("cairn-misuse")

  /// The server, built with these tests, if the trait `Server` is on.
  public static let server = folder.appendingPathComponent("cairn-server")

  /// The folder of the programs that were built with these tests.
  private static let folder: URL = {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let tests = bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent()
  }()

  /// Runs the command with separate terminals for standard output and standard error.
  public static func terminal(
    _ arguments: String..., columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> Outcome {
    try terminal(arguments, columns: columns, rows: rows, environment: environment)
  }

  /// Runs the command with separate terminals for standard output and standard error.
  public static func terminal(
    _ arguments: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> Outcome {
    let (output, errors) = (
      try PseudoTerminal(columns: columns, rows: rows),
      try PseudoTerminal(columns: columns, rows: rows)
    )
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = Self.environment
      .merging(["TERM": "xterm-256color", "NO_COLOR": ""]) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output.far
    process.standardError = errors.far
    try process.run()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: output.text(), errors: errors.text())
  }

  /// Runs the command and waits until it exits.
  public static func run(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(arguments, input: input, environment: environment)
  }

  /// Runs the command and waits until it exits.
  public static func run(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:],
    folder: URL? = nil
  ) throws -> Outcome {
    try launch(executable, arguments, input: input, environment: environment, folder: folder)
  }

  /// Runs `cairn-worker` on a thread of its own, so that tasks go on meanwhile.
  public static func work(_ arguments: String...) async throws -> Outcome {
    try await onNewThread {
      try launch(worker, arguments, input: nil, environment: [:], folder: nil)
    }
  }

  /// Runs a shell line, in which `cairn` is the command under test and `cairn-worker` its helper.
  public static func shell(_ line: String, in folder: URL? = nil) throws -> Outcome {
    let folders = [executable, built].map { $0.deletingLastPathComponent().path }
    let path = folders.joined(separator: ":") + ":/usr/bin:/bin"
    return try launch(
      URL(fileURLWithPath: "/bin/bash"), ["-c", line], input: nil, environment: ["PATH": path],
      folder: folder)
  }

  /// Runs the command, expects success, and returns the lines of its output.
  public static func lines(_ arguments: String..., input: String? = nil) throws -> [String] {
    let outcome = try run(arguments, input: input)
    guard outcome.code == 0 else {
      throw Failure(description: "\(arguments) exits with \(outcome.code): \(outcome.errors)")
    }
    return outcome.lines
  }

  /// The environment of the tests, without a cache, so that files of data are read each time.
  private static var environment: [String: String] {
    ProcessInfo.processInfo.environment.merging(["CAIRN_CACHE": ""]) { $1 }
  }

  /// Runs a program and waits until it exits. It writes to files, because pipes could fill up and
  /// block.
  public static func launch(
    _ executable: URL, _ arguments: [String], input: String?, environment: [String: String],
    folder: URL?
  ) throws -> Outcome {
    let scratch = try TemporaryFolder()
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = Self.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: scratch.file("in", input ?? ""))
    process.standardOutput = try FileHandle(forWritingTo: scratch.file("out", ""))
    process.standardError = try FileHandle(forWritingTo: scratch.file("err", ""))
    try process.run()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: try scratch.text("out"),
      errors: try scratch.text("err"), isKilled: process.terminationReason == .uncaughtSignal)
  }
}

extension TemporaryFolder {
  /// Runs the command in the folder.
  public func run(_ arguments: [String]) throws -> Command.Outcome {
    try Command.run(arguments, folder: url)
  }
}
