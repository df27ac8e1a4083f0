import Foundation

/// A program that the benchmark starts, and may kill. Its output is read line by line on a thread.
final class Program: @unchecked Sendable {
  // Sendable: all state is read and written under `lock`.
  private let process = Process()
  private let lock = NSLock()
  private var found: [String] = []

  /// - Parameter isError: Whether to read standard error instead of standard output.
  init(_ path: String, _ arguments: [String], readsErrors: Bool) throws {
    process.executableURL = URL(fileURLWithPath: path)
    process.arguments = arguments
    let pipe = Pipe()
    if readsErrors { process.standardError = pipe } else { process.standardOutput = pipe }
    try process.run()
    let handle = pipe.fileHandleForReading
    Thread.detachNewThread { [self] in
      var rest = ""
      while case let data = handle.availableData, !data.isEmpty {
        var lines = (rest + String(decoding: data, as: UTF8.self))
          .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        rest = lines.removeLast()
        lock.withLock { found += lines }
      }
    }
  }

  var lines: [String] { lock.withLock { found } }
  var isRunning: Bool { process.isRunning }

  func kill() {
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func wait() { process.waitUntilExit() }
}

/// The server, which starts again after each kill.
final class Server: @unchecked Sendable {
  // Sendable: all state is read and written under `lock`.
  private let lock = NSLock()
  private let path: String
  private let store: String
  private var program: Program

  init(_ path: String, store: String) throws {
    (self.path, self.store) = (path, store)
    program = try Self.start(path, store)
  }

  private static func start(_ path: String, _ store: String) throws -> Program {
    try Program(path, [store, "--port", "0", "--quiet"], readsErrors: true)
  }

  /// The port on which the server listens; nil while it starts.
  var port: UInt16? {
    let lines = lock.withLock { program }.lines
    guard let line = lines.first(where: { $0.contains("http://") }) else { return nil }
    return line.split(separator: ":").last.flatMap { UInt16($0.dropLast()) }
  }

  func restart() throws {
    let old = lock.withLock { program }
    old.kill()
    let new = try Self.start(path, store)
    lock.withLock { program = new }
  }

  func stop() { lock.withLock { program }.kill() }
}
