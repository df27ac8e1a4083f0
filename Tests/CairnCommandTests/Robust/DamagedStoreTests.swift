import CairnTestSupport
import Foundation
import Testing

/// Damaged stores: `verify`, and commands that do not believe a store, say what is wrong or answer right; one that does
/// believe it may answer anything, but never dies by a signal that a person would see, nor goes on for ever.
@Suite struct DamagedStoreTests {
  /// What a person would try.
  private static let commands = [
    "count store.cairn rows \"name == 'name 3'\"",
    "query store.cairn rows --sort name --limit 20 --format csv",
    "query store.cairn rows --near 10,10 --limit 5 --format csv",
    "stats store.cairn rows --of score --by name --format csv",
    "schema store.cairn",
    "export store.cairn rows --output - --format geojson",
  ]

  private let scratch: Scratch
  private let whole: [UInt8]
  private let other: [UInt8]

  init() throws {
    scratch = try Scratch()
    try scratch.file("rows.csv", Self.csv(0..<1500))
    try scratch.file("some.csv", Self.csv(700..<1100))
    try Self.load("store.cairn", "rows.csv", "--index", "name", scratch)
    try Self.load("store.cairn", "some.csv", "--on-conflict", "replace", scratch)
    try Self.load("other.cairn", "some.csv", "--index", "id", scratch)
    whole = Array(try Data(contentsOf: URL(fileURLWithPath: scratch["store.cairn"])))
    other = Array(try Data(contentsOf: URL(fileURLWithPath: scratch["other.cairn"])))
  }

  private static func load(
    _ store: String, _ file: String, _ option: String, _ value: String, _ scratch: Scratch
  ) throws {
    let outcome = try Command.run([
      "import", scratch[store], scratch[file], "--class", "rows", "--key", "id", "--quiet", option,
      value,
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
  }

  private static func csv(_ rows: Range<Int>) -> String {
    "id,name,score,latitude,longitude\n"
      + rows.map {
        "\($0),name \($0 % 97),\(Double($0 * $0 % 1000) / 7),\($0 * 37 % 170 - 85),\($0 * 91 % 350 - 175)\n"
      }
      .joined()
  }

  /// How the commands end: their codes, and what they say.
  private struct Ending {
    let code: String
    let output: String
    let errors: String

    /// A signal, or a time that ran out, as the shell says it.
    var isCrash: Bool { Int(code).map { $0 > 100 } ?? true }
  }

  /// Runs commands one after the other, each for a while at most.
  private func run(_ commands: [String]) throws -> [Ending] {
    let script = commands.enumerated().map { number, command in
      "rm -f store.cairn-lock; timeout 30 cairn \(command) >out\(number) 2>err\(number); echo -n $? >code\(number)\n"
    }
    _ = try Command.shell(script.joined(), in: scratch.url)
    return try commands.indices.map {
      Ending(
        code: try scratch.text("code\($0)"), output: try scratch.text("out\($0)"),
        errors: try scratch.text("err\($0)"))
    }
  }

  private static let untrusting = commands.map { $0 + " --untrusted" }

  @Test func damageIsSaidOrHarmless() throws {
    let right = try run(Self.commands)
    #expect(right.allSatisfy { $0.code == "0" })
    #expect(try run(Self.untrusting).map(\.output) == right.map(\.output))
    let seed = UInt64(Soak.isOn ? Int.random(in: 0..<1_000_000) : 8)
    var random = SplitMix64(seed: seed)
    var noticed = 0
    var died = 0
    let count = Soak.count(12, long: 1000)
    for turn in 0..<count {
      let mutant = Mutant(of: whole, other: other, &random)
      try Data(mutant.bytes).write(to: URL(fileURLWithPath: scratch["store.cairn"]))
      let comment = "seed \(seed), turn \(turn): \(mutant.description)"
      let endings = try run(["verify store.cairn"] + Self.untrusting + Self.commands)
      let (verify, checked, believed) = (endings[0], endings[1...6], endings[7...])
      for (command, ending) in zip(["verify"] + Self.untrusting + Self.commands, endings) {
        #expect(!ending.isCrash, "\(comment): \(command): \(ending.code) \(ending.errors)")
      }
      #expect(verify.code == "0" || verify.code == "74", "\(comment): \(verify.errors)")
      for (ending, right) in zip(checked, right) {
        if verify.code == "0" {
          #expect(
            ending.code == "0" && ending.output == right.output, "\(comment): \(ending.errors)")
        } else {
          #expect(ending.code == "74", "\(comment): \(ending.output)")
          #expect(ending.output.isEmpty, "\(comment)")
          #expect(Self.isNamed(ending.errors), "\(comment): \(ending.errors)")
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

  /// What the head of a file tells, every command says, and leaves the file alone.
  @Test(arguments: ["empty", "text", "short", "cut", "newer", "heads", "folder"])
  func whatTheHeadTells(what: String) throws {
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
    // An empty file becomes a store when something is imported.
    let writing = what == "empty" ? [] : ["import store.cairn some.csv --class more"]
    let commands =
      Self.commands + Self.untrusting + ["verify store.cairn", "compact store.cairn"] + writing
    for (command, ending) in zip(commands, try run(commands)) {
      let comment = "\(what): \(command): \(ending.code) \(ending.errors)"
      #expect(ending.code == "74", "\(comment)")
      #expect(Self.isNamed(ending.errors), "\(comment)")
      #expect(ending.errors.contains("store.cairn"), "\(comment)")
    }
    if what != "folder" { #expect(Array(try Data(contentsOf: store)) == bytes) }
  }

  private static func isNamed(_ message: String) -> Bool {
    [
      "is damaged", "is truncated", "is not a Cairn store", "is no Cairn store", "newer Cairn",
    ]
    .contains { message.contains($0) }
  }
}
