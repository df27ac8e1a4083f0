import CairnTestSupport
import Foundation
import Testing

/// Damaged stores. `verify` and commands with `--untrusted` report the damage or answer correctly.
/// Other commands may answer wrongly, but never end by a visible signal and always terminate.
@Suite struct DamagedStoreTests {
  /// The commands that a person would try.
  private static let commands = [
    "count store.cairn rows \"name == 'name 3'\"",
    "query store.cairn rows --sort name --limit 20 --format csv",
    "query store.cairn rows --near 10,10 --limit 5 --format csv",
    "stats store.cairn rows --of score --by name --format csv",
    "schema store.cairn",
    "export store.cairn rows --output - --format geojson",
  ]

  private let scratch: TemporaryFolder
  private let whole: [UInt8]
  private let other: [UInt8]

  init() throws {
    scratch = try TemporaryFolder()
    try scratch.file("rows.csv", Self.csv(0..<1500))
    try scratch.file("some.csv", Self.csv(700..<1100, name: "other"))
    try Self.load("store.cairn", "rows.csv", "--index", "name", scratch)
    try Self.load("store.cairn", "some.csv", "--on-conflict", "replace", scratch)
    try Self.load("other.cairn", "some.csv", "--index", "id", scratch)
    whole = Array(try Data(contentsOf: URL(fileURLWithPath: scratch["store.cairn"])))
    other = Array(try Data(contentsOf: URL(fileURLWithPath: scratch["other.cairn"])))
  }

  private static func load(
    _ store: String, _ file: String, _ option: String, _ value: String, _ scratch: TemporaryFolder
  ) throws {
    let outcome = try Command.run([
      "import", scratch[store], scratch[file], "--class", "rows", "--key", "id", "--quiet", option,
      value,
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  private static func csv(_ rows: Range<Int>, name: String = "name") -> String {
    "id,name,score,latitude,longitude\n"
      + rows.map {
        "\($0),\(name) \($0 % 97),\(Double($0 * $0 % 1000) / 7),\($0 * 37 % 170 - 85),\($0 * 91 % 350 - 175)\n"
      }
      .joined()
  }

  /// The exit codes and messages of the commands.
  private struct CommandOutcome {
    let code: String
    let output: String
    let errors: String

    /// A signal or a timeout, as the shell reports it.
    var isCrash: Bool { Int(code).map { $0 > 100 } ?? true }
  }

  /// Runs commands in sequence, each with a timeout.
  private func run(_ commands: [String]) throws -> [CommandOutcome] {
    let script = commands.enumerated().map { number, command in
      "rm -f store.cairn-lock; timeout 30 cairn \(command) >out\(number) 2>err\(number); echo -n $? >code\(number)\n"
    }
    _ = try Command.shell(script.joined(), in: scratch.url)
    return try commands.indices.map {
      CommandOutcome(
        code: try scratch.text("code\($0)"), output: try scratch.text("out\($0)"),
        errors: try scratch.text("err\($0)"))
    }
  }

  private static let untrusting = commands.map { $0 + " --untrusted" }

  @Test func damageIsReportedOrHarmless() throws {
    let right = try run(Self.commands)
    #expect(right.allSatisfy { $0.code == "0" })
    #expect(try run(Self.untrusting).map(\.output) == right.map(\.output))
    let seed = Soak.seed(8)
    var random = SplitMix64(seed: seed)
    var noticed = 0
    var died = 0
    let count = Soak.count(8, long: 1000)
    for turn in 0..<count {
      let mutant = Mutant(of: whole, other: other, &random)
      try Data(mutant.bytes).write(to: URL(fileURLWithPath: scratch["store.cairn"]))
      let comment = "seed \(seed), turn \(turn): \(mutant.description)"
      let outcomes = try run(["verify store.cairn"] + Self.untrusting + Self.commands)
      let (verify, checked, believed) = (outcomes[0], outcomes[1...6], outcomes[7...])
      for (command, outcome) in zip(["verify"] + Self.untrusting + Self.commands, outcomes) {
        #expect(!outcome.isCrash, "\(comment): \(command): \(outcome.code) \(outcome.errors)")
      }
      #expect(verify.code == "0" || verify.code == "74", "\(comment): \(verify.errors)")
      for (outcome, right) in zip(checked, right) {
        if verify.code == "0" {
          #expect(
            outcome.code == "0" && outcome.output == right.output, "\(comment): \(outcome.errors)")
        } else {
          #expect(outcome.code == "74", "\(comment): \(outcome.output)")
          #expect(outcome.output.isEmpty, "\(comment)")
          #expect(Self.isNamed(outcome.errors), "\(comment): \(outcome.errors)")
        }
      }
      if verify.code == "74" { noticed += 1 }
      died += believed.count { $0.errors.contains("while it was read") }
      if mutant.bytes == whole { #expect(verify.code == "0") }
    }
    #expect(noticed * 4 > count, "only \(noticed) of \(count) were noticed")
    if Soak.isOn {
      print("mutants: seed \(seed), \(noticed) of \(count) noticed, \(died) commands killed")
    }
  }

  /// Every command reports damage of a file's head, and does not change the file.
  @Test(arguments: ["empty", "text", "short", "cut", "newer", "heads", "folder"])
  func damageOfTheHeadIsReported(what: String) throws {
    var bytes = whole
    switch what {
    case "empty": bytes = []
    case "text": bytes = Array("id,name\n1,one\n".utf8)
    case "short": bytes.removeLast(bytes.count - 100)
    case "cut": bytes.removeLast(5000)
    case "newer":
      let mark = try #require(Data(bytes).range(of: Data("Cairn store\n".utf8)))
      bytes[mark.upperBound] = 9
    case "heads": bytes[4096 + 144] ^= 0x10
    default: break
    }
    let store = scratch.url.appendingPathComponent("store.cairn")
    try FileManager.default.removeItem(at: store)
    if what == "folder" {
      try FileManager.default.createDirectory(at: store, withIntermediateDirectories: false)
    } else {
      try Data(bytes).write(to: store)
    }
    // An import turns an empty file into a store.
    let writing = what == "empty" ? [] : ["import store.cairn some.csv --class more"]
    let commands =
      Self.commands + Self.untrusting + ["verify store.cairn", "compact store.cairn"] + writing
    for (command, outcome) in zip(commands, try run(commands)) {
      let comment = "\(what): \(command): \(outcome.code) \(outcome.errors)"
      #expect(outcome.code == "74", "\(comment)")
      #expect(Self.isNamed(outcome.errors), "\(comment)")
      #expect(outcome.errors.contains("store.cairn"), "\(comment)")
    }
    if what != "folder" { #expect(Array(try Data(contentsOf: store)) == bytes) }
  }

  private static func isNamed(_ message: String) -> Bool {
    [
      "is damaged", "is truncated", "is not a Cairn store", "newer Cairn",
    ]
    .contains { message.contains($0) }
  }
}
