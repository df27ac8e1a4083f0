import CairnStorage
import CairnTestSupport
import Foundation
import Testing

/// `pipe` is also the name of a reader.
private func openPipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

/// Queries whose output nobody reads for a while, as in a pager, while others change the store.
@Suite struct StalledOutputTests {
  /// The reader of an output.
  enum Reader: String, CaseIterable, Sendable {
    case pipe
    case socket
    case terminal

    /// Makes the end that a test reads from and the end that a command writes to.
    func ends() throws -> (near: Int32, far: Int32) {
      var ends: [Int32] = [-1, -1]
      let code: Int32
      switch self {
      case .pipe: code = openPipe(&ends)
      case .socket: code = socketpair(AF_UNIX, Self.stream, 0, &ends)
      case .terminal:
        var (near, far): (Int32, Int32) = (-1, -1)
        code = openpty(&near, &far, nil, nil, nil)
        ends = [near, far]
        var settings = termios()
        tcgetattr(ends[1], &settings)
        // Bytes pass unchanged.
        cfmakeraw(&settings)
        tcsetattr(ends[1], TCSANOW, &settings)
      }
      try #require(code == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }

    #if os(Linux)
    private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
    private static let stream = SOCK_STREAM
    #endif
  }

  /// A store, and a query of it whose output is larger than any buffer of the system.
  private struct StalledQuery {
    let store: RobustStore
    let expected: String
    let process = Process()
    /// The end to read the output from.
    let output: Int32
    private let opened: Store

    /// - Parameter prelude: Commands of the shell before the query.
    init(_ reader: Reader, prelude: String = "true") throws {
      store = try RobustStore(rows: 12_000)
      let query = ["query", store.path, "rows", "--select", "id,name,location", "--format", "csv"]
      expected = try Command.run(query).output
      opened = try Store.open(store.path, mode: .readOnly)
      let (near, far) = try reader.ends()
      defer { close(far) }
      output = near
      process.executableURL = URL(fileURLWithPath: "/bin/bash")
      process.arguments = ["-c", "\(prelude); exec \"$0\" \"$@\"", Command.executable.path] + query
      process.standardInput = FileHandle.nullDevice
      process.standardOutput = FileHandle(fileDescriptor: far, closeOnDealloc: false)
      _ = FileManager.default.createFile(atPath: store.scratch["errors"], contents: nil)
      process.standardError = try FileHandle(
        forWritingTo: URL(fileURLWithPath: store.scratch["errors"]))
      try process.run()
      try eventually("the query holds a snapshot") { isHolding }
    }

    /// Whether the query holds a snapshot.
    var isHolding: Bool { !opened.heldVersions().isEmpty }

    /// Changes a column that the query does not read.
    func change(_ number: Int) throws {
      let outcome = try Command.run(
        "update", store.path, "rows", "--all", "--set", "size = \(number)", "--quiet")
      #expect(outcome.code == 0, "\(outcome.errors)")
    }

    /// Reads the output to its end.
    func readAll() -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while true {
        let count = read(output, &buffer, buffer.count)
        guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
        bytes += buffer[..<count]
      }
    }

    /// Waits for the end of the query, and returns its exit code and its messages.
    func end() throws -> (code: Int32, errors: String) {
      process.waitUntilExit()
      return (process.terminationStatus, try store.scratch.text("errors"))
    }
  }

  /// Once somebody commits, the query releases its snapshot, so that the file stops growing. The
  /// reader gets the same output.
  @Test(arguments: Reader.allCases) func aPausedReaderHoldsNoPages(reader: Reader) throws {
    let query = try StalledQuery(reader)
    defer { close(query.output) }
    try query.change(1)
    try eventually("the query releases its snapshot") { !query.isHolding }
    for number in 2..<6 { try query.change(number) }
    let size = try fileSize(query.store.path)
    for number in 6..<10 { try query.change(number) }
    #expect(try fileSize(query.store.path) == size)
    #expect(query.process.isRunning)
    #expect(query.readAll() == query.expected)
    let end = try query.end()
    #expect(end.code == 0 && end.errors == "", "\(end)")
  }

  /// A reader that ends after its pause ends the query too, without a message.
  @Test func aPausedReaderThatEnds() throws {
    let query = try StalledQuery(.pipe)
    try query.change(1)
    try eventually("the query releases its snapshot") { !query.isHolding }
    close(query.output)
    let end = try query.end()
    #expect(end.code == 0 && end.errors == "", "\(end)")
  }

  /// The error says that the temporary file cannot hold the output.
  @Test func theOutputCannotBeKept() throws {
    let query = try StalledQuery(.pipe, prelude: "ulimit -f 100")
    defer { close(query.output) }
    try query.change(1)
    let end = try query.end()
    #expect(end.code == 74)
    #expect(end.errors.contains("set TMPDIR to a folder with more space"), "\(end.errors)")
    #expect(query.expected.hasPrefix(query.readAll()))
  }

  private func fileSize(_ path: String) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? -1
  }
}
