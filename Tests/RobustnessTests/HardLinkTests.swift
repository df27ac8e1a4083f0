import CairnTestSupport
import Foundation
import Testing

/// Readers that do not share the writer's lock file, because they open another name of the file or
/// may not use the lock file. They read a single commit, or report that they may not have.
@Suite struct HardLinkTests {
  private let scratch: TemporaryFolder
  private let rowCount = 6000

  /// Two versions of the same rows; in each, the columns of a row agree.
  init() throws {
    scratch = try TemporaryFolder()
    for state in 0..<2 {
      try scratch.file(
        "state\(state).csv",
        "id,v,w,lat,lon\n"
          + (0..<rowCount).map { row in
            // Long numbers, so that all rows are more than a pipe holds.
            let id = 1_000_000_000 + row
            return "\(id),\(id * 2 + state),\(id * 2 + state),1,2\n"
          }.joined())
    }
    _ = try Command.lines(
      "import", scratch["store.cairn"], scratch["state0.csv"], "--class", "rows", "--key", "id",
      "--quiet")
    // The first name sorts before the others, so that the lock file is named after it.
    for name in ["link.cairn", "zlink.cairn", "sub/other.cairn"] {
      try FileManager.default.createDirectory(
        atPath: scratch["sub"], withIntermediateDirectories: true)
      try FileManager.default.linkItem(atPath: scratch["store.cairn"], toPath: scratch[name])
    }
  }

  /// Starts a reader that has begun to write its rows and blocks until the pipe is read, and runs
  /// `body` meanwhile.
  private func read(
    _ name: String, environment: [String: String] = [:], meanwhile body: () throws -> Void
  ) throws -> (code: Int32, rows: [Substring], errors: String) {
    let process = Process()
    process.executableURL = Command.executable
    process.arguments = ["query", scratch[name], "rows", "--select", "id,v,w", "--format", "csv"]
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    let errors = try scratch.file("errors", "")
    process.standardError = try FileHandle(forWritingTo: errors)
    try process.run()
    var data = try pipe.fileHandleForReading.read(upToCount: 1) ?? Data()
    try body()
    data += try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let text = String(decoding: data, as: UTF8.self)
    return (
      process.terminationStatus, text.split(separator: "\n").dropFirst().map { $0 },
      try scratch.text("errors")
    )
  }

  private func change(_ turn: Int, through name: String = "store.cairn") throws -> Command.Outcome {
    try Command.run(
      "import", scratch[name], scratch["state\(turn % 2).csv"], "--class", "rows", "--key", "id",
      "--on-conflict", "replace", "--quiet")
  }

  /// The rows that belong to neither version.
  private static func wrong(_ rows: [Substring]) -> Int {
    rows.count { row in
      let fields = row.split(separator: ",").map { Int($0) ?? -1 }
      return fields.count != 3 || fields[1] != fields[2] || fields[1] / 2 != fields[0]
    }
  }

  @Test(arguments: ["store.cairn", "link.cairn", "zlink.cairn"])
  func namesInOneFolderShareALock(name: String) throws {
    for writer in ["store.cairn", "link.cairn", "zlink.cairn"] {
      let answer = try read(name) {
        for turn in 1...4 {
          let outcome = try change(turn, through: writer)
          #expect(outcome.code == 0, "\(name), \(writer): \(outcome.errors)")
        }
      }
      #expect(answer.code == 0, "\(name), \(writer): \(answer.errors)")
      #expect(answer.rows.count == rowCount && Self.wrong(answer.rows) == 0, "\(name), \(writer)")
    }
    let locks = try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
      .filter { $0.hasSuffix("-lock") }
    // At the first import, the file had only one name.
    #expect(Set(locks) == ["store.cairn-lock", "link.cairn-lock"])
    #expect(try Command.run("verify", scratch["zlink.cairn"]).code == 0)
  }

  /// A name in another folder leads to another lock file, so the second process is refused.
  @Test func aNameInAnotherFolderIsRefusedMeanwhile() throws {
    let refusal = "is open in another process under another of its names (hard links)"
    let answer = try read("sub/other.cairn") {
      for name in ["store.cairn", "link.cairn"] {
        let count = try Command.run("count", scratch[name], "rows")
        #expect(count.code == 74 && count.errors.contains(refusal), "\(count.errors)")
        let write = try change(1, through: name)
        #expect(write.code == 74 && write.errors.contains(refusal), "\(write.errors)")
      }
      #expect(
        try Command.run("count", scratch["sub/other.cairn"], "rows").output == "\(rowCount)\n")
    }
    #expect(answer.code == 0 && answer.rows.count == rowCount && Self.wrong(answer.rows) == 0)
    #expect(try change(1).code == 0)
    #expect(try Command.run("count", scratch["sub/other.cairn"], "rows").output == "\(rowCount)\n")
  }

  /// The same with a lock file that is deleted while it is in use.
  @Test func aDeletedLockFileIsDetected() throws {
    let answer = try read("store.cairn") {
      for name in try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
      where name.hasSuffix("-lock") {
        try FileManager.default.removeItem(atPath: scratch[name])
      }
      let write = try change(1)
      #expect(write.code == 74 && write.errors.contains("is open in another process"), "\(write)")
    }
    #expect(answer.code == 0 && Self.wrong(answer.rows) == 0)
    #expect(try change(1).code == 0)
  }

  @Test func compactionOfAHardLinkIsRefused() throws {
    let before = try Data(contentsOf: scratch.url.appendingPathComponent("store.cairn"))
    let outcome = try Command.run("compact", scratch["store.cairn"])
    #expect(outcome.code == 74)
    #expect(outcome.errors.contains("has 4 names (hard links)"), "\(outcome.errors)")
    #expect(try Data(contentsOf: scratch.url.appendingPathComponent("link.cairn")) == before)
  }

  /// A reader without a lock file while the store is written: the first commits do not reuse its
  /// pages, later ones do.
  @Test(.enabled(if: Faults.library != nil, "\(Faults.reason)"), arguments: [0, 1, 3])
  func aReaderWithoutALockFile(imports: Int) throws {
    let environment = Faults.environment(on: "nothing", lacks: "locks")
    let answer = try read("store.cairn", environment: environment) {
      for turn in 0..<imports {
        // The store has the rows of an even turn.
        let outcome = try change(turn + 1)
        #expect(outcome.code == 0, "\(outcome.errors)")
      }
    }
    #expect(answer.errors.contains("is read without its lock file"))
    let overtaken = answer.errors.contains("was written while it was read without its lock file")
    #expect(overtaken == (answer.code == 74), "\(answer.code) \(answer.errors)")
    // An import consists of two or more commits.
    #expect(answer.code == (imports == 0 ? 0 : 74), "\(answer.errors)")
    if answer.code == 0 { #expect(answer.rows.count == rowCount && Self.wrong(answer.rows) == 0) }
  }

  /// An output file does not appear under its name if its content may be wrong.
  @Test(.enabled(if: Faults.library != nil, "\(Faults.reason)"))
  func anOvertakenReaderLeavesNoFile() throws {
    let lacking = Faults.environment(on: "nothing", lacks: "locks")
    var (overtaken, turn) = (0, 0)
    for _ in 0..<Soak.count(3, long: 30) {
      let process = Process()
      process.executableURL = Command.executable
      process.arguments = [
        "export", scratch["store.cairn"], "rows", "--select", "id,v,w", "--output",
        scratch["out.csv"],
        "--quiet",
      ]
      process.environment = ProcessInfo.processInfo.environment.merging(lacking) { $1 }
      process.standardError = FileHandle.nullDevice
      try process.run()
      repeat {
        turn += 1
        #expect(try change(turn).code == 0)
      } while process.isRunning
      process.waitUntilExit()
      if process.terminationStatus == 74 {
        overtaken += 1
        #expect(!scratch.exists("out.csv"))
      } else {
        #expect(process.terminationStatus == 0)
        let rows = try scratch.text("out.csv").split(separator: "\n").dropFirst().map { $0 }
        #expect(rows.count == rowCount && Self.wrong(rows) == 0)
        try FileManager.default.removeItem(atPath: scratch["out.csv"])
      }
    }
    if Soak.isOn { print("readers without a lock file: \(overtaken) exports overtaken") }
  }
}
