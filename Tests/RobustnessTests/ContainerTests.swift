import CairnTestSupport
import Foundation
import Testing

/// Commands in several containers, whose processes have the same numbers, on one store.
///
/// A container is a namespace of processes here. Only root can make one, as in most images.
@Suite(.enabled(if: Machine.canMakeContainers, "unshare is not permitted")) struct ContainerTests {
  /// While commands watch the store in two containers, readers and writers work in both.
  @Test func readersAndWritersOfTwoContainers() throws {
    let store = try RobustStore(rows: 300)
    let watches = try (0..<2).map {
      try Container(
        ["watch", store.path, "rows", "--limit", "20"], output: store.scratch["watch\($0)"],
        errors: store.scratch["notes\($0)"])
    }
    for number in 0..<2 {
      try eventually("the watch has begun") {
        try store.scratch.text("notes\(number)").contains("watching")
      }
    }
    let rounds = Soak.count(2, long: 5)
    for round in 0..<rounds {
      let changes = try (0..<2).map { side in
        try Container([
          "update", store.path, "rows", "id == \(round * 2 + side)", "--set", "name = 'changed'",
        ])
      }
      let counts = try (0..<2).map {
        try Container(
          ["count", store.path, "rows"], output: store.scratch["count\($0)"])
      }
      for command in changes + counts { #expect(command.exitCode() == 0) }
      for number in 0..<2 { #expect(try store.scratch.text("count\(number)") == "300\n") }
    }
    // Each update is one event.
    for number in 0..<2 {
      try eventually("all events have arrived") {
        try store.scratch.text("watch\(number)").count(of: "\n") >= 2 * rounds
      }
    }
    for watch in watches { watch.signal(SIGTERM) }
    for watch in watches { #expect(watch.exitCode() == 0) }
    #expect(
      try Command.run("count", store.path, "rows", "name == 'changed'").output
        == "\(2 * rounds)\n")
    #expect(try Command.run("verify", store.path).code == 0)
  }

  /// A command that is not the first process of its container takes another number too.
  @Test func commandsThatAShellStarts() throws {
    let store = try RobustStore(rows: 100)
    let line = "'\(Command.executable.path)' watch '\(store.path)' rows; exit 3"
    let shells = try (0..<2).map {
      try Container(
        program: "/bin/sh", ["-c", line], errors: store.scratch["notes\($0)"])
    }
    for number in 0..<2 {
      try eventually("the watch has begun") {
        try store.scratch.text("notes\(number)").contains("watching")
      }
    }
    for shell in shells {
      // The shell does not pass signals on.
      for child in shell.children { kill(child, SIGTERM) }
      #expect(shell.exitCode() == 3)
    }
  }

  /// A command that reads standard input has opened the store before.
  @Test func importsFromPipes() throws {
    let store = try RobustStore(rows: 100)
    let watch = try Container(
      ["watch", store.path, "rows"], errors: store.scratch["notes"])
    try eventually("the watch has begun") { try store.scratch.text("notes").contains("watching") }
    let outcome = try Command.shell(
      """
      cat '\(store.scratch["more.csv"])' | unshare --pid --fork --mount-proc \
      cairn import '\(store.path)' - --class more --quiet
      """)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(try Command.run("count", store.path, "more").output == "150\n")
    watch.signal(SIGTERM)
    #expect(watch.exitCode() == 0)
  }

  /// The error says that the number is taken once the command has tried many numbers.
  @Test func noFreeNumber() throws {
    let store = try RobustStore(rows: 100)
    let lock = open(store.path + "-lock", O_RDWR | O_CLOEXEC)
    defer { close(lock) }
    var request = flock()
    request.l_type = Int16(F_WRLCK)
    request.l_whence = Int16(SEEK_SET)
    // The first byte is that of the file itself; then comes one for each number.
    request.l_start = 1
    request.l_len = 1 << 23
    #expect(lock >= 0 && fcntl(lock, F_SETLK, &request) == 0)
    let output = store.scratch["output"]
    let command = try Container(
      ["count", store.path, "rows"], output: output, errors: store.scratch["errors"])
    #expect(command.exitCode() == 74)
    #expect(try store.scratch.text("output") == "")
    let errors = try store.scratch.text("errors")
    #expect(errors.hasPrefix("Error: ") && errors.count(of: "\n") == 1, "\(errors)")
  }

  /// The first process passes signals on, and exits as its child does.
  @Test func exitCodes() throws {
    let store = try RobustStore(rows: 100)
    #expect(try Container(["count", store.path, "rows"]).exitCode() == 0)
    #expect(try Container(["count", store.path, "nothing"]).exitCode() == 64)
    let watching = try Container(["watch", store.path, "rows"], errors: store.scratch["watch"])
    try eventually("the watch has begun") { try store.scratch.text("watch").contains("watching") }
    watching.signal(SIGTERM)
    #expect(watching.exitCode() == 0)
    #expect(try store.scratch.text("watch").contains("ended"))
    // The standard input of this import never ends.
    let input = Pipe()
    let importing = try Container(
      ["import", store.path, "-", "--class", "more"], input: input)
    try eventually("the import has begun") { importing.children.contains { isInCommand($0) } }
    importing.signal(SIGTERM)
    #expect(importing.exitCode() == 128 + SIGTERM)
  }

  /// A kill of the work ends the container, and a kill of the first process ends the work. The store
  /// remains usable.
  @Test func kills() throws {
    let store = try RobustStore(rows: 100)
    for killsChild in [true, false] {
      let name = "notes \(killsChild)"
      let watch = try Container(["watch", store.path, "rows"], errors: store.scratch[name])
      try eventually("the watch has begun") { try store.scratch.text(name).contains("watching") }
      let children = watch.children
      #expect(children.count == 1)
      if killsChild {
        for child in children { kill(child, SIGKILL) }
        #expect(watch.exitCode() == 128 + SIGKILL)
      } else {
        watch.signal(SIGKILL)
        // Versions of unshare report it in different ways.
        #expect(watch.exitCode() != 0)
      }
      try eventually("the children have ended") { !children.contains { kill($0, 0) == 0 } }
      #expect(try Container(["count", store.path, "rows"]).exitCode() == 0)
    }
  }

  /// The first process reaps processes that lost their parents.
  @Test func orphans() throws {
    let store = try RobustStore(rows: 100)
    let mark = store.scratch["orphan ended"]
    // The shell ends at once, and leaves a process that ends after it.
    let line =
      "(while kill -0 $$; do sleep 0.01; done; touch '\(mark)') < /dev/null > /dev/null 2>&1 &"
    let watch = try Container(
      ["watch", store.path, "rows", "--exec", line], errors: store.scratch["notes"])
    try eventually("the watch has begun") { try store.scratch.text("notes").contains("watching") }
    #expect(
      try Command.run("update", store.path, "rows", "id == 1", "--set", "name = 'changed'").code
        == 0)
    try eventually("the orphan has ended") { FileManager.default.fileExists(atPath: mark) }
    try eventually("the orphan is reaped") { watch.children.count == 1 }
    watch.signal(SIGTERM)
    #expect(watch.exitCode() == 0)
  }

  /// Whether a process, which may have been started a moment ago, runs the command and handles
  /// signals already.
  private func isInCommand(_ process: pid_t) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let caught = status?.split(separator: "\n").first { $0.hasPrefix("SigCgt:") }
    guard let mask = caught?.split(separator: "\t").last.flatMap({ UInt64($0, radix: 16) }) else {
      return false
    }
    return mask & 1 << (UInt64(SIGTERM) - 1) != 0
  }
}

/// A command that runs as the first process of a container.
private final class Container {
  private let process = Process()

  /// Starts a program, by default the command under test.
  init(
    program: String = Command.executable.path, _ arguments: [String], input: Pipe? = nil,
    output: String? = nil, errors: String? = nil
  ) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
    process.arguments = ["--pid", "--fork", "--mount-proc", program] + arguments
    process.standardInput = input ?? FileHandle.nullDevice as Any
    process.standardOutput = try Self.file(output)
    process.standardError = try Self.file(errors)
    try process.run()
  }

  private static func file(_ path: String?) throws -> FileHandle {
    guard let path else { return .nullDevice }
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    return try FileHandle(forWritingTo: URL(fileURLWithPath: path))
  }

  /// Sends a signal to the first process of the container.
  func signal(_ number: Int32) {
    for first in Self.children(of: process.processIdentifier) { kill(first, number) }
  }

  /// The children of the first process, as their numbers outside of the container, with those that
  /// have ended and were not reaped.
  var children: [pid_t] {
    Self.children(of: process.processIdentifier).flatMap(Self.children)
  }

  /// Waits for the end of the container, and returns the exit code of its first process.
  func exitCode() -> Int32 {
    process.waitUntilExit()
    return process.terminationReason == .exit
      ? process.terminationStatus : 128 + process.terminationStatus
  }

  private static func children(of parent: pid_t) -> [pid_t] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { pid_t($0) }.filter { process in
      let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      // The name of the program, in parentheses, may contain spaces.
      let fields = state?.split(separator: ")").last?.split(separator: " ") ?? []
      return fields.count > 1 && pid_t(fields[1]) == parent
    }
  }
}

extension String {
  fileprivate func count(of character: Character) -> Int { filter { $0 == character }.count }
}
