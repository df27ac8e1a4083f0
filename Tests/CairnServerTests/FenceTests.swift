import CairnGeometry
import CairnStorage
import CairnTestSupport
import CairnValues
import Foundation
import Testing

@testable import CairnServer

/// Fences that are the objects of a class.
@Suite(.tags(.threads)) struct FenceTests {
  /// Moves places of a world, whose parcels are triangles: the first one has the corners (0, 0),
  /// (1, 0) and (1, 1), and each next one lies 2 degrees east and 1 degree north of it.
  private func move(_ key: Int, to place: (x: Double, y: Double)?, in world: World) throws {
    try world.store.write { transaction in
      let value = place.map { Value.point(Position(latitude: $0.y, longitude: $0.x)) }
      try transaction.table("places")?.set(value ?? .null, position: 6, at: key)
    }
  }

  private func fence(_ event: LiveTests.Event) -> Int? {
    (event.data["fence"] as? [String: Any])?["id"] as? Int
  }

  @Test func rowsEnterAndLeaveTheFencesOfAClass() async throws {
    let world = try World(rows: 20, seed: 3)
    for place in world.places { try move(place.key, to: (-50, 50), in: world) }
    let client = try await LiveTests.Client(
      world.service, "/collections/places/live?fences=parcels&properties=name")
    #expect(try await client.next()?.name == "ready")
    try move(7, to: (0.75, 0.25), in: world)
    let enter = try #require(try await client.next())
    #expect(enter.name == "enter" && enter.row == 7 && fence(enter) == 0)
    let feature = try #require(enter.data["feature"] as? [String: Any])
    let point = (feature["geometry"] as? [String: Any])?["coordinates"] as? [Double]
    #expect(point == [0.75, 0.25])
    #expect((feature["properties"] as? [String: Any])?.keys.sorted() == ["name"])

    // Within the box of the triangle, but beyond its edge.
    try move(7, to: (0.25, 0.75), in: world)
    let leave = try #require(try await client.next())
    #expect(leave.name == "leave" && fence(leave) == 0 && leave.data["deleted"] as? Bool == false)

    // The boundary belongs to the fence.
    try move(8, to: (2.5, 1), in: world)
    let boundary = try #require(try await client.next())
    #expect(boundary.row == 8 && fence(boundary) == 1)

    // A fence moves to the row.
    try world.store.write { transaction in
      let wkt = "POLYGON ((-51 49, -49 49, -49 51, -51 51, -51 49))"
      try transaction.table("parcels")?.set(
        .geometry(Geometry(wkt: wkt).bytes), position: 1, at: 4)
    }
    let entered = try await client.next(18)
    #expect(entered.allSatisfy { $0.name == "enter" && fence($0) == 4 })
    #expect(Set(entered.compactMap(\.row)) == Set(0..<20).subtracting([7, 8]))
  }

  @Test func aClientThatResumesForgetsWhatIsReset() async throws {
    let world = try World(rows: 3)
    for place in world.places { try move(place.key, to: (0.75, 0.25), in: world) }
    let target = "/collections/places/live?fences=parcels"
    let first = try await LiveTests.Client(world.service, target + "&initial=true")
    #expect(try await first.next()?.name == "ready")
    let initial = try await first.next(3)
    #expect(initial.map(\.name) == ["initial", "initial", "initial"])
    #expect(initial.map(\.row) == [0, 1, 2] && initial.allSatisfy { fence($0) == 0 })
    let cursor = try #require(initial.last?.id)
    try move(1, to: nil, in: world)
    try move(2, to: (2.75, 1.25), in: world)
    let second = try await LiveTests.Client(world.service, target, since: cursor)
    #expect(try await second.next()?.name == "ready")
    let events = try await second.next(3)
    #expect(events.map(\.name) == ["reset", "reset", "enter"])
    #expect(events.map(\.row) == [1, 2, 2] && fence(events[2]) == 1)
    #expect(events[0].data["fence"] == nil && events[0].data["feature"] is NSNull)
    #expect(events[2].id != cursor)
  }

  @Test func wrongFencesAreRefused() async throws {
    let world = try World(rows: 3)
    func answer(_ query: String) async throws -> Answer {
      try await world.service.get("/collections/places/live?" + query)
    }
    let missing = try await answer("fences=parcel")
    #expect(missing.status == 404 && missing.text.contains("did you mean 'parcels'"))
    let points = try await answer("fences=places")
    #expect(points.status == 400 && points.text.contains("'places' has no geometry"))
    let rows = try await world.service.get("/collections/notes/live?fences=parcels")
    #expect(rows.status == 400 && rows.text.contains("'notes' has no location"))
    let old = try await answer("fences=parcels&since=1-0")
    #expect(old.status == 410)
  }
}
