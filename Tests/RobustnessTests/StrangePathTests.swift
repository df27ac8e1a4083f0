import CairnTestSupport
import Foundation
import Testing

/// Unusable paths: one clear error, and nothing is created, changed or waited for.
@Suite struct StrangePathTests {
  private let scratch: TemporaryFolder

  init() throws {
    scratch = try TemporaryFolder()
    try scratch.file("rows.csv", RobustStore.csv(0..<50))
    try scratch.file(
      "area.geojson",
      #"{"type":"Polygon","coordinates":[[[-80,-80],[80,-80],[80,80],[-80,80],[-80,-80]]]}"#)
    try scratch.file("condition.txt", "id >= 0")
    _ = try Command.lines(
      "import", scratch["store.cairn"], scratch["rows.csv"], "--class", "rows", "--quiet")
  }

  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: scratch.url.path).sorted()
  }

  private func contents() throws -> [String: Data] {
    var contents: [String: Data] = [:]
    for name in ["store.cairn", "rows.csv", "area.geojson", "condition.txt"] {
      contents[name] = try Data(contentsOf: scratch.url.appendingPathComponent(name))
    }
    return contents
  }

  /// Runs a command that fails with a code and one line.
  private func expectFailure(_ line: String, _ code: Int32, _ words: String) throws {
    let (before, bytes) = (try names(), try contents())
    let outcome = try Command.shell("timeout 300 cairn " + line, in: scratch.url)
    #expect(outcome.code == code, "\(line): \(outcome.code) \(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(line): \(outcome.errors)")
    #expect(outcome.errors.hasPrefix("Error: "), "\(line): \(outcome.errors)")
    #expect(outcome.errors.count { $0 == "\n" } == 1, "\(line): \(outcome.errors)")
    #expect(outcome.output.isEmpty, "\(line)")
    #expect(try names() == before, "\(line)")
    #expect(try contents() == bytes, "\(line)")
  }

  @Test func foldersAndDevicesAreNotStores() throws {
    _ = try Command.shell(
      "mkfifo pipe; mkdir folder; python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind(\"socket\")'",
      in: scratch.url)
    for name in ["pipe", "folder", "socket", "/dev/null", "/dev/zero", "/dev/tty"]
    where name.hasPrefix("/") || scratch.exists(name) {
      // A folder may hold files of data to be read.
      let reading = ["count \(name) rows", "query \(name) rows --untrusted", "schema \(name)"]
      for command in (name == "folder" ? [] : reading) + [
        "verify \(name)", "compact \(name)", "import \(name) rows.csv",
        "import \(name) rows.csv --dry-run",
      ] {
        try expectFailure(command, 74, "\(name) is not a regular file, so it is not a Cairn store")
      }
    }
  }

  @Test func anInvalidLockFile() throws {
    try FileManager.default.removeItem(atPath: scratch["store.cairn-lock"])
    for make in ["mkfifo", "mkdir"] {
      _ = try Command.shell("\(make) store.cairn-lock", in: scratch.url)
      for command in [
        "count store.cairn rows", "import store.cairn rows.csv", "compact store.cairn",
      ] {
        try expectFailure(command, 74, "store.cairn-lock is not a regular file; remove it")
      }
      _ = try Command.shell("rm -r store.cairn-lock", in: scratch.url)
    }
  }

  @Test func anEmptyName() throws {
    for command in [
      "import '' rows.csv", "count '' rows", "verify ''", "compact ''", "schema ''",
      "import '' rows.csv --dry-run",
    ] {
      try expectFailure(command, 66, "the path of the store is empty")
    }
    try expectFailure("import - rows.csv", 64, "a store must be a file")
  }

  @Test func namesThatBeginWithADash() throws {
    let words = "for a file whose name begins with a dash, write ./-dash.cairn"
    for command in [
      "import -dash.cairn rows.csv", "count -dash.cairn rows", "compact -dash.cairn",
      "verify -dash.cairn", "query -dash.cairn rows --limit 3",
    ] {
      try expectFailure(command, 64, words)
    }
    for name in ["./-dash.cairn", "-- -dash.cairn"] {
      let outcome = try Command.shell(
        "cairn import --class rows --quiet \(name) rows.csv && cairn count ./-dash.cairn rows && rm ./-dash*",
        in: scratch.url)
      #expect(outcome.code == 0 && outcome.output == "50\n", "\(name): \(outcome.errors)")
    }
  }

  @Test func namesThatAreNotUTF8() throws {
    for command in [
      #"import $'n\xff.cairn' rows.csv"#, #"import store.cairn $'n\xff.csv'"#,
      #"export store.cairn rows --output $'n\xff.csv'"#, #"count $'n\xff.cairn' rows"#,
      #"count store.cairn rows --within $'n\xff.geojson'"#,
      #"count store.cairn rows $'@n\xff.txt'"#,
      #"compact $'n\xff.cairn'"#, #"verify $'n\xff.cairn'"#,
    ] {
      try expectFailure(command, 64, #"is not UTF-8: "#)
    }
    try expectFailure(
      #"count $'n\xff\e.cairn' rows"#, 64, #"argument 2 is not UTF-8: n\xff\x1b.cairn;"#)
  }

  /// A folder whose name is not UTF-8 works as the current directory.
  @Test func aFolderThatIsNotUTF8() throws {
    let outcome = try Command.shell(
      #"""
      mkdir $'d\xff' && cd $'d\xff' && cairn import s.cairn ../rows.csv --class rows --quiet &&
      cairn count s.cairn rows && cairn export s.cairn rows --output out.csv --quiet && wc -l < out.csv &&
      cairn compact s.cairn --quiet && cairn verify s.cairn > verified && ls -1
      """#, in: scratch.url)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.lines.map { $0.replacing(" ", with: "") }
        == ["50", "51", "out.csv", "s.cairn", "verified"]
        || outcome.lines.map { $0.replacing(" ", with: "") }
          == ["50", "51", "out.csv", "s.cairn", "s.cairn-lock", "verified"],
      "\(outcome.lines)")
  }

  @Test func danglingLinks() throws {
    _ = try Command.shell("ln -s none.csv out.csv; ln -s none.cairn link.cairn", in: scratch.url)
    for command in ["query", "export"] {
      try expectFailure(
        "\(command) store.cairn rows --output out.csv", 74,
        "cannot write out.csv: it is a link to a file that does not exist")
    }
    for command in [
      "import link.cairn rows.csv", "count link.cairn rows", "verify link.cairn",
      "compact link.cairn",
    ] {
      try expectFailure(command, 66, "link.cairn is a link to a file that does not exist")
    }
  }

  @Test func outputOntoAnInput() throws {
    _ = try Command.shell(
      "ln -s store.cairn link.csv; ln area.geojson other.geojson; ln -s store.cairn-lock locks",
      in: scratch.url)
    for (command, words) in [
      ("query store.cairn rows --format csv --output store.cairn", "is the store itself"),
      ("query store.cairn rows --output link.csv", "is the store itself"),
      (
        "export store.cairn rows --format csv --output store.cairn-lock", "is the store's lock file"
      ),
      ("export store.cairn rows --format csv --output locks", "is the store's lock file"),
      (
        "query store.cairn rows --within area.geojson --output area.geojson",
        "area.geojson is read by this command"
      ),
      (
        "query store.cairn rows --within area.geojson --output other.geojson",
        "other.geojson is read by this command"
      ),
      (
        "query store.cairn rows @condition.txt --format csv --output condition.txt",
        "condition.txt is read by this command"
      ),
      ("import store.cairn store.cairn", "is the store itself"),
      ("import store.cairn store.cairn-lock", "is the store's lock file"),
      ("import store.cairn rows.csv link.csv", "is the store itself"),
    ] {
      try expectFailure(command, 64, words)
    }
  }
}
