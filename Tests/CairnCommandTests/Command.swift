import Foundation
import Testing

/// The built command, run as a person would run it.
enum Command {
  struct Outcome {
    let code: Int32
    let output: String
    let errors: String

    /// The output's lines, without the last line's end.
    var lines: [String] {
      output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }
  }

  /// The executable that was built with these tests.
  static let executable: URL = {
    if let path = ProcessInfo.processInfo.environment["CAIRN"] { return URL(fileURLWithPath: path) }
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    let tests = bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent("cairn")
  }()

  /// The program that uses a store as programs do, built beside the command.
  static let worker = executable.deletingLastPathComponent().appendingPathComponent("cairn-worker")

  /// Runs the command with a terminal for standard output and standard error, each of its own.
  static func terminal(
    _ arguments: String..., columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> Outcome {
    try terminal(arguments, columns: columns, rows: rows, environment: environment)
  }

  static func terminal(
    _ arguments: [String], columns: Int = 80, rows: Int = 24, environment: [String: String] = [:]
  ) throws -> Outcome {
    let (output, errors) = (
      try Terminal(columns: columns, rows: rows), try Terminal(columns: columns, rows: rows)
    )
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment
      .merging(["TERM": "xterm-256color", "NO_COLOR": ""]) { $1 }.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output.far
    process.standardError = errors.far
    try process.run()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: output.text(), errors: errors.text())
  }

  /// The root of the package.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// The path of a file in `data/`.
  static func data(_ name: String) -> String {
    root.appendingPathComponent("data").appendingPathComponent(name).path
  }

  /// Runs the command and waits for its end.
  static func run(
    _ arguments: String..., input: String? = nil, environment: [String: String] = [:]
  ) throws -> Outcome {
    try run(arguments, input: input, environment: environment)
  }

  static func run(
    _ arguments: [String], input: String? = nil, environment: [String: String] = [:],
    folder: URL? = nil
  ) throws -> Outcome {
    try launch(executable, arguments, input: input, environment: environment, folder: folder)
  }

  /// Runs a line of shell, in which `cairn` is the command under test.
  static func shell(_ line: String, in folder: URL? = nil) throws -> Outcome {
    let path = executable.deletingLastPathComponent().path + ":/usr/bin:/bin"
    return try launch(
      URL(fileURLWithPath: "/bin/bash"), ["-c", line], input: nil, environment: ["PATH": path],
      folder: folder)
  }

  /// Runs the command, expects it to end well, and gives its output's lines.
  static func lines(_ arguments: String..., input: String? = nil) throws -> [String] {
    let outcome = try run(arguments, input: input)
    #expect(outcome.code == 0, "\(arguments): \(outcome.errors)")
    return outcome.lines
  }

  // Files instead of pipes: nothing can fill up and block.
  static func launch(
    _ executable: URL, _ arguments: [String], input: String?, environment: [String: String],
    folder: URL?
  ) throws -> Outcome {
    let scratch = try Scratch()
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = try FileHandle(forReadingFrom: scratch.file("in", input ?? ""))
    process.standardOutput = try FileHandle(forWritingTo: scratch.file("out", ""))
    process.standardError = try FileHandle(forWritingTo: scratch.file("err", ""))
    try process.run()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: try scratch.text("out"),
      errors: try scratch.text("err"))
  }
}

/// A folder of a test's own, gone when the test is.
final class Scratch: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "cairn-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The path of a file in the folder.
  subscript(name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file.
  @discardableResult
  func file(_ name: String, _ text: String) throws -> URL {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file
  }

  func text(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: self[name]) }
}
