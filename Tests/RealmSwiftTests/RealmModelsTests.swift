import CairnModelTestSupport
import CairnTestSupport
import Foundation
import RealmSwift
import Testing

/// The output of `tools/realm-models` for Realm's older models, which is compiled with this test.
@Suite struct RealmModelsTests {
  private static let models = Repository.root.appendingPathComponent("Tests/RealmSwiftTests/Models")

  /// The result of one run of the program.
  private struct Run {
    let status: Int32
    let output: String
    let errors: String
  }

  private func run(_ arguments: String...) throws -> Run {
    let process = Process()
    process.executableURL = Repository.root.appendingPathComponent("tools/realm-models")
    process.arguments = arguments
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    let text = try output.fileHandleForReading.readToEnd() ?? Data()
    let complaints = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return Run(
      status: process.terminationStatus, output: String(decoding: text, as: UTF8.self),
      errors: String(decoding: complaints, as: UTF8.self))
  }

  /// Calls a closure with a temporary folder that contains the files.
  private func withFolder<Result>(
    _ files: [String: String], _ body: (URL) throws -> Result
  ) throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    for (name, text) in files {
      let file = folder.url.appendingPathComponent(name)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return try body(folder.url)
  }

  /// Runs the program on one file and returns the rewritten text.
  private func rewritten(_ text: String) throws -> (text: String, run: Run) {
    try withFolder(["Models.swift": text]) { folder in
      let run = try run(folder.path)
      let file = folder.appendingPathComponent("Models.swift")
      return (try String(contentsOf: file, encoding: .utf8), run)
    }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.models.appendingPathComponent(path), encoding: .utf8)
  }

  // MARK: The sample

  @Test func theRewrittenSampleIsTheCompiledFile() throws {
    let (found, run) = try rewritten(text("Before/Kennel.swift"))
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
    let after = try text("After/Kennel.swift")
    #expect(found == after)
  }

  @Test func aSecondRunChangesNothing() throws {
    let after = try text("After/Kennel.swift")
    let (found, run) = try rewritten(after)
    #expect(found == after)
    #expect(run.status == 0)
  }

  @Test func aDryRunOnlyPrints() throws {
    let before = try text("Before/Kennel.swift")
    try withFolder(["Kennel.swift": before]) { folder in
      let run = try run("--dry-run", folder.path)
      #expect(run.output.contains("-  @objc dynamic var isGood = true\n"))
      #expect(run.output.contains("+  @Persisted var isGood = true\n"))
      let file = folder.appendingPathComponent("Kennel.swift")
      #expect(try String(contentsOf: file, encoding: .utf8) == before)
    }
  }

  /// The rewritten classes work.
  @Test func theRewrittenModelsWork() throws {
    let dog = LegacyDog()
    dog.name = "Rex"
    dog.weight.value = 12.5
    dog.toys.append(LegacyToy())
    dog.owner = LegacyPerson(value: ["number": 1, "address": ["city": "Ulm"]])
    dog.temporary = 5
    let kennel = LegacyKennel()
    kennel.dogs.append(dog)
    let realm = try TestRealm(kennel, LegacyPuppy(value: ["name": "Pip", "weeks": 3])).realm
    let found = try #require(realm.object(ofType: LegacyDog.self, forPrimaryKey: dog.id))
    #expect(found.kennels.count == 1)
    #expect(found.owner?.dogs.first == found)
    #expect(found.weight.value == 12.5)
    #expect(found.legs.value == 4)
    #expect(found.kind == .mouser)
    #expect(found.title == "Rex, 0 years")
    #expect(found.objectSchema["temporary"] == nil)
    #expect(found.objectSchema["plain"] == nil)
    #expect(found.objectSchema["name"]?.isIndexed == true)
    #expect(realm.objects(LegacyPuppy.self).first?.name == "Pip")
    #expect(dog.bark().contains("@objc dynamic var inText = woof"))
  }

  /// Declarations that are hard to parse; the text around them is unchanged.
  @Test(arguments: [
    ("@objc dynamic var a: Int = { 3 }()", "@Persisted var a: Int = { 3 }()"),
    ("@objc dynamic var `class`: String?", "@Persisted var `class`: String?"),
    ("@objc(isOn) dynamic var on = false", "@Persisted var on = false"),
    ("dynamic @objc var on = false", "@Persisted var on = false"),
    (
      "@objc dynamic var long: String =\n    \"a, b\"",
      "@Persisted var long: String =\n    \"a, b\""
    ),
    ("@objc dynamic var sum: Int { 1 + 2 }", "var sum: Int { 1 + 2 }"),
    ("@objc dynamic private(set) var on = true", "@Persisted private(set) var on = true"),
    ("@objc\n  dynamic var on = true", "@Persisted var on = true"),
    (
      "@available(*, deprecated)\n  @objc dynamic var on = true",
      "@Persisted @available(*, deprecated)\n  var on = true"
    ),
    ("lazy var list: List<Int> = List<Int>()", "@Persisted var list: List<Int>"),
    (
      "let map = Map<String, List<Int>>()  // a note",
      "@Persisted var map: Map<String, List<Int>>  // a note"
    ),
    ("/* left */ let x = RealmOptional<Int>()", "/* left */ @Persisted var x: RealmOptional<Int>"),
    (
      "let a = List<Int>(); let b = MutableSet<Int>()",
      "@Persisted var a: List<Int>; @Persisted var b: MutableSet<Int>"
    ),
    (
      "public let l: LinkingObjects<B> = LinkingObjects(fromType: B.self, property: #keyPath(B.as))",
      "@Persisted(originProperty: \"as\") public var l: LinkingObjects<B>"
    ),
    ("let names: [String] = []", "let names: [String] = []"),
  ])
  func declarations(before: String, after: String) throws {
    let (found, run) = try rewritten("final class A: Object {\n  \(before)\n  // end\n}\n")
    #expect(found == "final class A: Object {\n  \(after)\n  // end\n}\n")
    #expect(run.errors.isEmpty)
  }

  // MARK: Text that stays

  @Test func declarationsThatCannotBeRewrittenAreReported() throws {
    let (found, run) = try rewritten(
      """
      class Old: Object {
        @objc dynamic var a = 0, b = 1
        @objc dynamic var born: NSDate?
        @objc dynamic var watched = 0 { didSet { print(watched) } }
        @objc dynamic var good = ""
        let numbers = List<Int>(someNumbers)
        override static func primaryKey() -> String? { return keyName }
        override static func indexedProperties() -> [String] { return ["elsewhere"] }
      }
      class Controller: UIViewController {
        @objc dynamic var shown = false
      }

      """)
    #expect(run.status == 1)
    let lines = run.errors.split(separator: "\n").map { line in
      String(line.split(separator: "/").last ?? "")
    }
    #expect(
      lines == [
        "Models.swift:2: not rewritten: several properties are declared at once; declare each on a line of its own",
        "Models.swift:3: not rewritten: 'born' is of type NSDate, which Swift's own type replaces",
        "Models.swift:4: not rewritten: 'watched' has observers",
        "Models.swift:6: not rewritten: 'numbers' begins with a value that @Persisted does not take",
        "Models.swift:7: not rewritten: primaryKey() does more than give names; mark the properties by hand",
        "Models.swift:8: not rewritten: indexedProperties() names 'elsewhere', which was not rewritten in this class",
        "Models.swift:11: not rewritten: class 'Controller' inherits from 'UIViewController', "
          + "which is not known to be a model",
      ])
    #expect(found.contains("  @Persisted var good = \"\"\n"))
    for kept in ["a = 0, b = 1", "born: NSDate?", "@objc dynamic var shown", "return keyName"] {
      #expect(found.contains(kept))
    }
  }

  /// Text that only looks like a declaration, and classes that are not models.
  @Test(arguments: [
    "let text = \"class A: Object { @objc dynamic var x = 1 }\"\n",
    "// class A: Object { @objc dynamic var x = 1 }\n",
    "/* /* nested */ class A: Object { @objc dynamic var x = 1 } */\n",
    "let raw = #\"\"\"\n  class A: Object { @objc dynamic var x = 1 \"\"\" }\n  \"\"\"#\n",
    "class A: Object {\n  @Persisted var x = 1\n  func f() { let y = List<Int>() }\n}\n",
    "struct A {\n  let list = List<Int>()\n}\n",
    "class A: Object {\n  static let shared = List<Int>()\n}\n",
    "class A: Object {\r\n  var plain = 1\r\n}\r\n",
    "let broken = \"never ends\nclass A",
    "",
  ])
  func whatIsNoModel(source: String) throws {
    let (found, run) = try rewritten(source)
    #expect(found == source)
    #expect(run.status == 0)
    #expect(run.errors.isEmpty)
  }

  /// Classes whose superclass is in another file of the tree; line endings are unchanged.
  @Test func rewritesSeveralFiles() throws {
    let files = [
      "A/Base.swift": "class Base: Object {\r\n  @objc dynamic var id = 0\r\n}\r\n",
      "B/Leaf.swift": "class Leaf: Base {\n  @objc dynamic var name = \"\"\n}\n",
      ".hidden/Not.swift": "class Not: Object {\n  @objc dynamic var x = 0\n}\n",
    ]
    try withFolder(files) { folder in
      let run = try run(folder.path)
      #expect(run.status == 0)
      func text(_ name: String) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent(name)), as: UTF8.self)
      }
      #expect(
        try text("A/Base.swift") == "class Base: Object {\r\n  @Persisted var id = 0\r\n}\r\n")
      #expect(try text("B/Leaf.swift") == "class Leaf: Base {\n  @Persisted var name = \"\"\n}\n")
      #expect(try text(".hidden/Not.swift") == files[".hidden/Not.swift"])
    }
  }

  @Test func invalidArguments() throws {
    #expect(try run().status == 2)
    #expect(try run("--what").status == 2)
    #expect(try run("--dry-run").status == 2)
    let missing = try run("/nowhere/at/all")
    #expect(missing.status == 1)
    #expect(missing.errors.contains("no such file or folder: '/nowhere/at/all'"))
    #expect(try run("--help").output.contains("usage: tools/realm-models"))
  }

  @Test func aFileThatIsNotUTF8IsReported() throws {
    try withFolder([:]) { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = folder.appendingPathComponent("Latin.swift")
      try Data([0x63, 0xE9, 0x0A]).write(to: file)
      let run = try run(folder.path)
      #expect(run.status == 1)
      #expect(run.errors.hasSuffix("Latin.swift:1: not rewritten: the file is not UTF-8\n"))
      #expect(try Data(contentsOf: file) == Data([0x63, 0xE9, 0x0A]))
    }
  }
}
