import Cairn
import CairnTestSupport
import Foundation
import Testing

/// The Swift code of the README compiles, runs, and is identical to the code here.
@Suite struct ReadmeTests {
  // In a separate process, because it changes the working directory.
  @Test func theSwiftRuns() async {
    await #expect(processExitsWith: .success) {
      let scratch = try TemporaryFolder()
      let store = scratch["world.cairn"]
      let outcome = try Command.run(
        "import", store, Repository.data("cities.csv"), "--class", "City", "--key", "id", "--quiet")
      try #require(outcome.code == 0)
      try #require(FileManager.default.changeCurrentDirectoryPath(scratch.url.path))
      try readmeExample()
    }
  }

  @Test func theSwiftIsThatOfTheReadme() throws {
    let readme = try String(
      contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
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
  class City: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String?
    @Persisted var country: String?
    @Persisted var population: Int?
    @Persisted var location: GeoPoint?
  }

  let realm = try Realm(fileURL: URL(fileURLWithPath: "world.cairn"))
  let cities = realm.objects(City.self)

  let paris = GeoPoint(latitude: 48.8566, longitude: 2.3522)!
  let around = GeoCircle(center: paris, radius: .kilometers(50)!)
  let suburbs = cities.where { $0.location.geoWithin(around) && $0.population > 50_000 }
  for city in suburbs.sorted(by: \.population, ascending: false).prefix(3) {
    print(city.name ?? "?", city.population ?? 0)
  }

  let german = cities.filter("country == %@ AND population > %@", "DE", 100_000)
  print(german.count, german.sorted(by: \.location, distanceTo: paris).first?.name ?? "none")
  // README ends
}
