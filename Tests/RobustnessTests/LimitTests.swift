import CairnTestSupport
import Foundation
import Testing

/// Limits of the system and of Cairn on the size of files.
@Suite struct LimitTests {
  /// Exceeding the file-size limit of the process is an error, not a signal.
  @Test func outputBeyondTheFileSizeLimit() throws {
    let store = try RobustStore()
    let content = try store.content()
    for (line, kilobytes) in [
      ("import store.cairn more.csv --class others", 100), ("import new.cairn more.csv", 40),
      ("import store.cairn more.csv --class rows --key id --on-conflict replace", 300),
      ("compact store.cairn", 40), ("export store.cairn rows --output out.csv", 20),
      ("query store.cairn rows --format csv > out", 20),
    ] {
      let outcome = try Command.shell(
        "ulimit -f \(kilobytes); cairn \(line)", in: store.scratch.url)
      #expect(outcome.code == 74, "\(line): \(outcome.code) \(outcome.errors)")
      #expect(outcome.errors.hasPrefix("Error: "), "\(line): \(outcome.errors)")
      #expect(!store.scratch.exists("out.csv"), "\(line)")
      #expect(!store.scratch.exists("new.cairn"), "\(line)")
      #expect(try store.strayFiles() == [], "\(line)")
    }
    #expect(try store.content() == content)
    #expect(try Command.run("verify", store.path).code == 0)
  }

  /// The file of the store exceeds the limit.
  @Test func aStoreBeyondTheFileSizeLimit() throws {
    let store = try RobustStore()
    let content = try store.content()
    let size = try #require(
      try FileManager.default.attributesOfItem(atPath: store.path)[.size] as? Int)
    for extra in [0, 2, 5, 17] {
      let outcome = try Command.shell(
        "ulimit -f \(size / 1024 + extra); cairn-worker update store.cairn rows",
        in: store.scratch.url)
      // Unlike the command, the worker does not ignore the signal.
      #expect(outcome.code != 0, "\(extra)")
      let command = try Command.shell(
        "ulimit -f \(size / 1024 + extra); cairn import store.cairn more.csv --class others",
        in: store.scratch.url)
      #expect(command.code == 74, "\(extra): \(command.code) \(command.errors)")
      #expect(try store.content() == content, "\(extra)")
      #expect(try Command.run("verify", store.path).code == 0, "\(extra)")
    }
  }

  /// A small compressed file that would fill the disk is refused after a quarter of a gigabyte; a
  /// file that is only large is not.
  @Test func aDecompressionBombIsRefused() throws {
    let scratch = try TemporaryFolder()
    let made = try Command.shell(
      "(printf 'id,lat,lon\\n'; head -c 400000000 /dev/zero) | gzip > bomb.csv.gz; "
        + "(printf 'id,lat,lon\\n'; yes 1,2,3 | head -n 200000) | gzip -9 > many.csv.gz",
      in: scratch.url)
    try #require(made.code == 0, "\(made.errors)")
    let outcome = try Command.run("import", scratch["s.cairn"], scratch["bomb.csv.gz"])
    #expect(outcome.code == 65, "\(outcome.errors)")
    #expect(outcome.errors.contains("more than 250 times as much"), "\(outcome.errors)")
    #expect(!scratch.exists("s.cairn"))
    let piped = try Command.shell("cairn import s.cairn - --class x < bomb.csv.gz", in: scratch.url)
    #expect(piped.code == 65 && piped.errors.contains("more than 250 times"), "\(piped.errors)")
    let many = try Command.run("import", scratch["s.cairn"], scratch["many.csv.gz"], "--quiet")
    #expect(many.code == 0, "\(many.errors)")
    #expect(try Command.lines("count", scratch["s.cairn"], "many") == ["200000"])
  }
}
