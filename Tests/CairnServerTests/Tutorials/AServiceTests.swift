import Cairn
import CairnServer
import CairnTestSupport
import Foundation
import Testing

/// The code of the tutorial AService.md, as it is shown there.
@Suite struct AServiceTests {
  @Test @MainActor func theTutorialRunsAsShown() async throws {
    let code = try DocumentedCode(of: ["Sources/Cairn/Cairn.docc/Tutorials/AService.md"])
    #expect(code.shown == code.run)
    #expect(code.expected.count == 3)
    let printed = try await runTutorial()
    #expect(printed == code.expected)
  }
}

// The guide begins
class Cafe: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var seats = 0
  @Persisted var location: GeoPoint?
}

struct CafeAnswer: Codable, Sendable {
  var name: String
  var seats: Int
  var meters: Int
}

actor CafeDirectory {
  private let configuration: Realm.Configuration

  init(file: URL) {
    configuration = Realm.Configuration(fileURL: file, objectTypes: [Cafe.self])
  }

  func add(_ name: String, seats: Int, at location: GeoPoint) async throws {
    let realm = try await Realm.open(configuration: configuration)
    try await realm.asyncWrite {
      _ = realm.create(
        Cafe.self, value: ["name": name, "seats": seats, "location": location], update: .modified)
    }
  }

  func nearest(to place: GeoPoint, seats: Int, limit: Int) async throws -> [CafeAnswer] {
    let realm = try await Realm.open(configuration: configuration)
    let cafes = realm.objects(Cafe.self).where { $0.seats >= seats }.nearest(to: place)
    return cafes.limit(limit).map { cafe in
      let meters = cafe.location.map { place.distance(to: $0).asMeters() } ?? 0
      return CafeAnswer(name: cafe.name, seats: cafe.seats, meters: Int(meters))
    }
  }
}
// The guide ends

/// Runs the tutorial and returns the lines that it prints.
@MainActor private func runTutorial() async throws -> [String] {
  var printed: [String] = []
  func print(_ items: Any...) { printed.append(items.map { "\($0)" }.joined(separator: " ")) }
  let scratch = try TemporaryFolder()
  defer { withExtendedLifetime(scratch) {} }
  let file = scratch.url.appendingPathComponent("cafes.cairn")
  // The guide begins
  let directory = CafeDirectory(file: file)
  let berlin: [(String, Int, Double, Double)] = [
    ("Kapelle", 12, 52.525, 13.40), ("Oase", 40, 52.53, 13.41), ("Anna", 25, 52.50, 13.35),
  ]
  for (name, seats, latitude, longitude) in berlin {
    let location = GeoPoint(latitude: latitude, longitude: longitude)!
    try await directory.add(name, seats: seats, at: location)
  }

  let station = GeoPoint(latitude: 52.521, longitude: 13.411)!
  let answers = try await directory.nearest(to: station, seats: 20, limit: 5)
  print(answers.map { "\($0.name) \($0.meters)" }.joined(separator: ", "))  // Oase 1004, Anna 4748

  let service = try Service(path: file.path)
  let items = Request(target: "/collections/Cafe/items?f=json&filter=seats%20%3E%2020")
  let response = await service.respond(to: items)
  print(response.status, response.headers["Content-Type"] ?? "")  // 200 application/geo+json

  if case .bytes(let bytes) = await service.respond(to: Request(target: "/collections")).body {
    print(String(decoding: bytes, as: UTF8.self).contains("\"Cafe\""))  // true
  }
  // The guide ends
  return printed
}
