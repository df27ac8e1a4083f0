import Foundation
import Testing

/// `cairn verify`, on whole files and on damaged ones.
@Suite struct VerifyTests {
  @Test func aSoundStore() throws {
    let outcome = try Command.run("verify", World.citiesStore())
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.lines.count == 1)
    #expect(outcome.lines.first?.hasPrefix("Sound: ") == true)
    #expect(outcome.errors.isEmpty)
  }

  @Test func asJSON() throws {
    let outcome = try Command.run("verify", World.citiesStore(), "--json")
    let object = try #require(
      JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any])
    #expect(object["sound"] as? Bool == true)
    #expect(object["findings"] as? [String] == [])
  }

  /// Every byte of the value that holds "Zürich" is under a checksum.
  @Test func aDamagedChunkIsNamed() throws {
    let scratch = try Scratch()
    var bytes = try Data(contentsOf: URL(fileURLWithPath: World.citiesStore()))
    let name = try #require(bytes.range(of: Data("Zürich".utf8)))
    bytes[name.lowerBound] ^= 1
    try bytes.write(to: scratch.url.appendingPathComponent("bad.cairn"))
    let outcome = try Command.run("verify", scratch["bad.cairn"])
    #expect(outcome.code == 74)
    #expect(outcome.output.contains("checksum does not fit"), "\(outcome.output)")
    #expect(outcome.output.contains("'cities.name', chunk"), "\(outcome.output)")
    #expect(outcome.errors.contains("bad.cairn is damaged: restore the store from a copy"))
    let json = try Command.run("verify", scratch["bad.cairn"], "--json")
    #expect(json.code == 74 && json.output.contains(#""harm":"data""#))
  }

  @Test func whatIsNoStoreOrNotThere() throws {
    let scratch = try Scratch()
    try scratch.file("text", "not a store at all")
    try scratch.file("empty", "")
    #expect(try Command.run("verify", scratch["text"]).code == 74)
    #expect(try Command.run("verify", scratch["empty"]).code == 74)
    #expect(try Command.run("verify", scratch["none"]).code == 66)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: scratch.url.path).contains("none"))
  }
}
