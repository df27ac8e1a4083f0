import CairnTestSupport
import Foundation
import Testing

/// `cairn verify` on sound and on damaged files.
@Suite struct VerifyTests {
  @Test func aSoundStore() throws {
    let outcome = try Command.run("verify", SampleStores.citiesStore())
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines.count == 1)
    #expect(outcome.lines.first?.hasPrefix("Sound: ") == true)
    #expect(outcome.errors.isEmpty)
  }

  @Test func asJSON() throws {
    let outcome = try Command.run("verify", SampleStores.citiesStore(), "--json")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(object["sound"] as? Bool == true)
    #expect(object["findings"] as? [String] == [])
  }

  /// A checksum covers every byte of the value that contains "Zürich".
  @Test func aDamagedChunkIsNamed() throws {
    let scratch = try TemporaryFolder()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: SampleStores.citiesStore()))
    let name = try #require(bytes.range(of: Data("Zürich".utf8)))
    bytes[name.lowerBound] ^= 1
    try bytes.write(to: scratch.url.appendingPathComponent("bad.cairn"))
    let outcome = try Command.run("verify", scratch["bad.cairn"])
    #expect(outcome.code == 74)
    #expect(outcome.output.contains("checksum does not match"), "\(outcome.output)")
    #expect(outcome.output.contains("'cities.name', chunk"), "\(outcome.output)")
    #expect(outcome.errors.contains("bad.cairn is damaged: restore the store from a copy"))
    let json = try Command.run("verify", scratch["bad.cairn"], "--json")
    #expect(json.code == 74 && json.output.contains(#""harm":"data""#))
  }

  @Test func otherFilesAndMissingFilesAreErrors() throws {
    let scratch = try TemporaryFolder()
    try scratch.file("text", "not a store at all")
    try scratch.file("empty", "")
    #expect(try Command.run("verify", scratch["text"]).code == 74)
    #expect(try Command.run("verify", scratch["empty"]).code == 74)
    #expect(try Command.run("verify", scratch["none"]).code == 66)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: scratch.url.path).contains("none"))
  }
}
