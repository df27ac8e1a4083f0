import Cairn
import Foundation
import Testing

/// The README's Swift compiles, runs, and is what the README shows.
@Suite struct ReadmeTests {
  // In a process of its own, which may change its folder.
  @Test func theSwiftRuns() async {
    await #expect(processExitsWith: .success) {
      let scratch = try Scratch()
      let store = scratch["world.cairn"]
      let outcome = try Command.run("import", store, Command.data("cities.csv"), "--quiet")
      try #require(outcome.code == 0)
      try #require(FileManager.default.changeCurrentDirectoryPath(scratch.url.path))
      try readmeExample()
    }
  }

  @Test func theSwiftIsTheReadme() throws {
    let readme = try String(
      contentsOf: Command.root.appendingPathComponent("README.md"), encoding: .utf8)
    let shown = try #require(readme.firstMatch(of: /```swift\n((?:.|\n)*?)```/)).1
    let here = try String(contentsOfFile: #filePath, encoding: .utf8)
    let run = try #require(
      here.firstMatch(of: /README begins\n((?:.|\n)*?) +\/\/ README ends/)
    ).1
    let lines = run.split(separator: "\n", omittingEmptySubsequences: false).map { $0.dropFirst(2) }
    #expect(lines.joined(separator: "\n") == shown)
  }
}

private func readmeExample() throws {
  // README begins
  let realm = try Realm(fileURL: URL(fileURLWithPath: "world.cairn"))
  let cities = realm.dynamicObjects("cities")

  let paris = GeoPoint(latitude: 48.8566, longitude: 2.3522)!
  let around = GeoCircle(center: paris, radius: .kilometers(50)!)
  for city in cities.within(around).sorted(byKeyPath: "population", ascending: false).limit(3) {
    print(city.name ?? "?", city.population ?? 0)
  }

  let french = cities.filter("country == %@ AND population > %@", "FR", 100_000)
  print(french.count, french.nearest(to: paris).first?.name ?? "none")
  // README ends
}
