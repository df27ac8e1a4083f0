import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// OGC API – Features, Part 2.
@Suite struct CoordinateSystemTests {
  private func coordinates(_ answer: Answer) -> [[Double]] {
    answer.features.compactMap { ($0["geometry"] as? [String: Any])?["coordinates"] as? [Double] }
  }

  @Test func itemsHaveTheAxesOfTheirSystem() async throws {
    let world = try World(rows: 50)
    let plain = coordinates(try await world.service.get("/collections/places/items"))
    let uri = "http://www.opengis.net/def/crs/EPSG/0/4326"
    let answer = try await world.service.get("/collections/places/items?crs=\(uri)")
    #expect(answer.response.headers["Content-Crs"] == "<\(uri)>")
    for (turned, point) in zip(coordinates(answer), plain) {
      #expect(abs(turned[0] - point[1]) < 1e-9 && abs(turned[1] - point[0]) < 1e-9)
    }
    #expect(coordinates(answer).count == plain.count)
    #expect(answer.json["crs"] == nil)
    let item = try await world.service.get("/collections/places/items/7?crs=EPSG:4326")
    #expect(item.response.headers["Content-Crs"] == "<\(uri)>")
  }

  @Test(arguments: [
    "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "CRS84", "[OGC:CRS84]",
    "urn:ogc:def:crs:OGC:1.3:CRS84",
  ])
  func longitudeAndLatitudeHaveSeveralNames(name: String) async throws {
    let world = try World(rows: 20)
    let plain = coordinates(try await world.service.get("/collections/places/items"))
    let answer = try await world.service.get("/collections/places/items?crs=\(name)")
    #expect(coordinates(answer) == plain)
  }

  @Test func webMercatorIsWhatItsFormulaSays() async throws {
    let world = try World(rows: 200)
    let inside = world.places.filter { place in
      place.location.map { abs($0.latitude) < 85 } ?? false
    }
    for place in inside.prefix(40) {
      let answer = try await world.service.get(
        "/collections/places/items/\(place.id)?crs=EPSG:3857")
      let point = (answer.json["geometry"] as? [String: Any])?["coordinates"] as? [Double] ?? []
      let location = try #require(place.location)
      let radius = 6_378_137.0
      #expect(abs(point[0] - radius * location.longitude * .pi / 180) < 0.01)
      let y = radius * log(tan(.pi / 4 + location.latitude * .pi / 360))
      #expect(abs(point[1] - y) < 0.01)
    }
  }

  @Test func boxesHaveTheAxesOfTheirSystem() async throws {
    let world = try World(rows: 300)
    func ids(_ query: String) async throws -> [Int] {
      try await world.service.get("/collections/places/items?limit=1000&\(query)").ids
    }
    let plain = try await ids("bbox=-20,10,60,50")
    #expect(plain.count > 10)
    #expect(try await ids("bbox=10,-20,50,60&bbox-crs=EPSG:4326") == plain)
    let low = "-2226389.8158654715,1118889.9748579594"
    let high = "6679169.447596414,6446275.841017158"
    #expect(try await ids("bbox=\(low),\(high)&bbox-crs=EPSG:3857") == plain)
    #expect(
      try await ids("bbox=-3e7,-3e7,3e7,3e7&bbox-crs=EPSG:3857").count
        == world.places.count { place in place.location.map { abs($0.latitude) < 85.06 } ?? true })
  }

  /// A map that repeats the world asks for its copies in the east and the west.
  @Test func boxesOfWebMercatorWrap() async throws {
    let world = try World(rows: 300)
    func ids(_ query: String) async throws -> [Int] {
      try await world.service.get("/collections/places/items?limit=1000&\(query)").ids
    }
    let around = 40_075_016.685_578_488
    let (west, east) = (-2_226_389.8158654715, 6_679_169.447596414)
    let plain = try await ids("bbox=-20,10,60,50")
    for turn in [-1.0, 1.0] {
      let (left, right) = (west + turn * around, east + turn * around)
      #expect(
        try await ids(
          "bbox=\(left),1118889.9748579594,\(right),6446275.841017158&bbox-crs=EPSG:3857") == plain)
    }
    #expect(
      try await ids(
        "bbox=18924313,1118889.9748579594,21150703,6446275.841017158&bbox-crs=EPSG:3857")
        == ids("bbox=169.9999960936175,10,-170.00000225227387,50"))
  }

  @Test func boxesOfGridsHaveCurvedEdges() async throws {
    var options = ServiceOptions()
    options.systems.append("EPSG:2056")
    let world = try World(rows: 0, options: options)
    let all = try await world.service.get("/collections/parcels/items")
    #expect(all.ids.count == 5)
    let found = try await world.service.get(
      "/collections/parcels/items?bbox=2485000,1075000,2834000,1296000&bbox-crs=EPSG:2056")
    #expect(found.status == 200 && found.ids.isEmpty, "\(found.text)")
    let far = try await world.service.get("/collections/parcels/items?crs=EPSG:2056")
    #expect(far.status == 400 && far.text.contains("far outside"), "\(far.text)")
    let turned = try await world.service.get(
      "/collections/parcels/items?bbox=2834000,1075000,2485000,1296000&bbox-crs=EPSG:2056")
    #expect(turned.status == 400)
  }

  @Test func boxesOfGridsDoNotCrossTheAntimeridian() async throws {
    var options = ServiceOptions()
    options.systems.append("EPSG:2193")
    let world = try World(rows: 0, options: options)
    let path = "/collections/parcels/items?bbox-crs=EPSG:2193&bbox"
    let west = try await world.service.get("\(path)=5000000,1200000,6000000,1900000")
    #expect(west.status == 200, "\(west.text)")
    let wide = try await world.service.get("\(path)=5000000,1200000,6000000,2500000")
    #expect(wide.status == 400 && wide.text.contains("antimeridian"), "\(wide.text)")
  }
}
