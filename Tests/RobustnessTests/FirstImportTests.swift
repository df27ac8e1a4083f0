import CairnTestSupport
import Foundation
import Testing

/// The import that creates a store: after a kill or a power failure, nothing blocks the path.
@Suite struct FirstImportTests {
  private let scratch: TemporaryFolder
  private var path: String { scratch["new.cairn"] }

  init() throws {
    scratch = try TemporaryFolder()
    try scratch.file("rows.csv", RobustStore.csv(0..<800))
  }

  private func arguments(_ path: String) -> [String] {
    [
      "import", path, scratch["rows.csv"], "--class", "rows", "--key", "id", "--on-conflict",
      "skip", "--quiet",
    ]
  }

  private func expectImport(_ path: String, _ comment: String) throws {
    let outcome = try Command.run(arguments(path))
    #expect(outcome.code == 0, "\(comment): \(outcome.errors)")
    #expect(try Command.run("count", path, "rows").output == "800\n", "\(comment)")
    let verify = try Command.run("verify", path)
    #expect(verify.code == 0, "\(comment): \(verify.output)")
  }

  private func removeStore() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: scratch.url.path)
    where name.hasPrefix("new.cairn") {
      try FileManager.default.removeItem(atPath: scratch[name])
    }
  }

  /// A signal leaves no store that has nothing in it.
  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func interrupted(signal: Int32) async throws {
    let process = Process()
    process.executableURL = Command.executable
    process.arguments = ["import", path, "-", "--class", "rows", "--format", "csv", "--quiet"]
    let input = Pipe()
    process.standardInput = input
    process.standardError = FileHandle.nullDevice
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(RobustStore.csv(0..<800).utf8))
    try await eventually("the store exists") {
      scratch.exists("new.cairn")
    } until: {
      $0
    }
    kill(process.processIdentifier, signal)
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
    #expect(!scratch.exists("new.cairn") && !scratch.exists("new.cairn-lock"))
    // A store that existed before stays as it is.
    try expectImport(path, "after a signal")
  }

  @Test func killedAtFiftyMoments() throws {
    let moments = try Moments(on: "new.cairn") { environment in
      let outcome = try Command.run(arguments(path), environment: environment)
      #expect(outcome.code == 0, "\(outcome.errors)")
    }
    let count = Soak.count(50, long: 1000)
    var left = 0
    for moment in 0..<count {
      try removeStore()
      let process = Process()
      process.executableURL = Command.executable
      process.arguments = arguments(path)
      process.standardError = FileHandle.nullDevice
      // The file is created in the first half.
      try moments.end(
        process, at: Double(moment) / Double(2 * count), byTime: Soak.isOn && moment % 2 == 1)
      if scratch.exists("new.cairn") { left += 1 }
      try expectImport(path, "killed at moment \(moment)")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).filter {
          $0.hasPrefix("new.cairn")
        }.sorted() == ["new.cairn", "new.cairn-lock"])
    }
    #expect(left > 0, "no kill was late enough")
  }

  /// Every image that a power failure may leave while the file is created.
  @Test(.enabled(if: Faults.library != nil, "\(Faults.reason)"))
  func everyImageIsTakenOver() throws {
    let record = scratch["record"]
    let outcome = try Command.run(
      arguments(path), environment: Faults.environment(on: path, record: record))
    #expect(outcome.code == 0, "\(outcome.errors)")
    let images = try CrashImages(
      base: Data(), record: Data(contentsOf: URL(fileURLWithPath: record)))
    #expect(images.count > 4)
    var random = SplitMix64(seed: 9)
    var unfinished = 0
    for call in 0..<(Soak.isOn ? images.count : min(images.count, 8)) {
      for turn in 0..<Soak.count(4, long: 60) {
        let image = images.image(before: call, &random)
        try removeStore()
        try image.write(to: URL(fileURLWithPath: path))
        let comment = "image \(turn) before call \(call) of \(images.count), \(image.count) bytes"
        let count = try Command.run("count", path, "rows")
        #expect(
          [64, 74].contains(count.code) || count.output == "800\n", "\(comment): \(count.errors)")
        if count.errors.contains("creation was interrupted") { unfinished += 1 }
        try expectImport(path, comment)
      }
    }
    #expect(unfinished > 0, "no image was a file that LMDB cannot open")
  }

  /// The end of the file cuts the second meta page, whose record is whole.
  @Test func aCutMetaPageIsTakenOver() throws {
    try expectImport(path, "the first")
    var head = try Data(contentsOf: URL(fileURLWithPath: path)).prefix(7168)
    // Both pages as LMDB creates them: of commit 0.
    for page in [0, 4096] {
      head.replaceSubrange(page + 144..<page + 152, with: Data(count: 8))
    }
    try removeStore()
    try head.write(to: URL(fileURLWithPath: path))
    let count = try Command.run("count", path, "rows")
    #expect(count.errors.contains("creation was interrupted"), "\(count.errors)")
    try expectImport(path, "the cut file")
  }

  /// Several imports create the same store at once.
  @Test func severalAtOnceOverAnUnfinishedFile() throws {
    try Data(count: 8192).write(to: URL(fileURLWithPath: path))
    let processes = try (0..<4).map { number in
      let process = Process()
      process.executableURL = Command.executable
      process.arguments = [
        "import", path, scratch["rows.csv"], "--class", "class\(number)", "--quiet",
      ]
      try process.run()
      return process
    }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    for number in 0..<4 {
      #expect(try Command.run("count", path, "class\(number)").output == "800\n")
    }
  }

  /// A file that only looks like an unfinished store is not changed.
  @Test(arguments: ["x", "zeros", "text behind zeros", "long zeros"])
  func otherFilesAreNotChanged(what: String) throws {
    var bytes = Data(count: 8192)
    switch what {
    case "x": bytes = Data("x".utf8)
    case "text behind zeros": bytes += Data(repeating: 0x41, count: 4096)
    case "long zeros": bytes = Data(count: 1 << 20)
    default: break
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    for line in ["count new.cairn rows", "verify new.cairn", "compact new.cairn"] {
      #expect(try Command.shell("cairn " + line, in: scratch.url).code == 74, "\(what): \(line)")
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    let outcome = try Command.run(arguments(path))
    #expect(outcome.code == (what == "zeros" ? 0 : 74), "\(what): \(outcome.errors)")
    if what != "zeros" { #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes) }
  }
}
