import Cairn
import CairnFormats
import CairnTestSupport
import Foundation
import Testing

/// The code of the tutorial AnalysingAFile.md, as it is shown there.
@Suite struct AnalysingAFileTests {
  @Test @MainActor func theTutorialRunsAsShown() async throws {
    let code = try DocumentedCode(of: ["Sources/Cairn/Cairn.docc/Tutorials/AnalysingAFile.md"])
    #expect(code.shown == code.run)
    #expect(code.expected.count > 3)
    let printed = try await runTutorial()
    #expect(printed == code.expected)
  }
}

// The guide begins
class Quake: Object {
  @Persisted(primaryKey: true) var id = ""
  @Persisted var mag: Double?
  @Persisted var place: String?
  @Persisted var time: Date?
  @Persisted var location: GeoPoint?
}

class Settlement: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var location: GeoPoint?
}
// The guide ends

/// Runs the tutorial and returns the lines that it prints.
@MainActor private func runTutorial() async throws -> [String] {
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
  let file = URL(fileURLWithPath: Repository.data("earthquakes.geojson"))
  let cityFile = URL(fileURLWithPath: Repository.data("cities.csv"))
  // The guide begins
  let realm = try await Realm.open(configuration: .init(inMemoryIdentifier: "quakes"))
  var options = ImportOptions()
  options.columns = ["id", "mag", "place", "time"]
  options.types["time"] = .epochMilliseconds
  let summary = try await realm.importFile(file, as: Quake.self, options: options)
  print(summary.inserted)  // 1707

  let strong = realm.objects(Quake.self).where { $0.mag >= 2.5 }
  print(strong.count, strong.max(of: \.mag) ?? 0)  // 297 6.4

  let hualien = GeoPoint(latitude: 24.0, longitude: 121.6)!
  let around = GeoCircle(center: hualien, radius: .kilometers(100)!)
  print(strong.where { $0.location.geoWithin(around) }.count)  // 20
  print(strong.nearest(to: hualien).first?.place ?? "none")  // 7km E of Hualian, Taiwan

  var calendar = Calendar(identifier: .iso8601)
  calendar.timeZone = .gmt
  let days = Dictionary(grouping: strong) { calendar.startOfDay(for: $0.time ?? .distantPast) }
  for (day, quakes) in days.sorted(by: { $0.key < $1.key }).prefix(1) {
    print(day.formatted(.iso8601.year().month().day()), quakes.count)  // 2018-01-31 38
  }

  let cells = Dictionary(grouping: strong.compactMap(\.location)) { place in
    [place.longitude, place.latitude].map { Int(($0 / 10).rounded(.down)) * 10 }
  }
  if let fullest = cells.max(by: { $0.value.count < $1.value.count }) {
    print(fullest.key, fullest.value.count)  // [-150, 50] 45
  }

  try await realm.importFile(cityFile, as: Settlement.self)
  let strongest = strong.where { $0.mag > 6.1 }
  let places = realm.objects(Settlement.self)
  for pair in strongest.joined(to: places, on: .nearest(1, \.location, \.location)) {
    print(pair.left.mag ?? 0, pair.right.name)  // 6.4 Xiulin
  }
  // The guide ends
  return printed
}
