import CairnGeometry
import CairnModelTestSupport
import CairnObjects
import CairnStorage
import CairnTestSupport
import Foundation
import Testing

private class Parcel: Object, Codable {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var area: GeoPolygon?
  @Persisted var access: GeoLineString?
  @Persisted var survey: Geometry?
  @Persisted var office: GeoPoint?
}

private class Claim: Object {
  @Persisted var name = ""
  @Persisted var area: Geometry
  @Persisted var border: GeoPolygon
}

/// Properties that hold geometries.
@Suite struct GeometryPropertyTests {
  private let file = TemporaryStore()
  private let square: GeoPolygon
  private let line: GeoLineString
  private let mixed: Geometry

  init() throws {
    square = try #require(
      GeoPolygon(outerRing: [(0, 0), (0, 2), (2, 2), (2, 0), (0, 0)]) as GeoPolygon?)
    line = try #require(
      GeoLineString([(0, 0), (1, 2.5)].compactMap { GeoPoint(latitude: $0.0, longitude: $0.1) }))
    mixed = try Geometry(wkt: "GEOMETRYCOLLECTION (POINT Z (1 2 3), LINESTRING (0 0, 1 1))")
  }

  private func parcel() -> Parcel {
    let parcel = Parcel()
    parcel.id = 1
    parcel.area = square
    parcel.access = line
    parcel.survey = mixed
    return parcel
  }

  private func check(_ parcel: Parcel?) {
    #expect(parcel?.area == square)
    #expect(parcel?.access == line)
    #expect(parcel?.survey == mixed)
    #expect(parcel?.office == nil)
  }

  @Test func geometriesAreSetStoredAndCleared() throws {
    let realm = try file.realm()
    let parcel = parcel()
    check(parcel)
    try realm.write { realm.add(parcel) }
    check(parcel)
    check(try file.reopened().objects(Parcel.self).first)
    check(parcel.freeze())
    let frozen = parcel.freeze()
    try realm.write {
      parcel.area = nil
      parcel.survey = Geometry(line)
      parcel.access = nil
    }
    #expect(parcel.area == nil && parcel.access == nil)
    #expect(parcel.survey == Geometry(line))
    check(frozen)
    #expect(realm.objects(Parcel.self).where { $0.area == nil && $0.survey != nil }.count == 1)
    #expect(realm.objects(Parcel.self).where { $0.survey == Geometry(line) }.count == 1)
    let copy = try TemporaryStore.untilExit().realm()
    try copy.write { copy.create(Parcel.self, value: frozen) }
    check(copy.objects(Parcel.self).first)
  }

  @Test func emptyAndPlanarGeometries() throws {
    let realm = try file.realm()
    let planar = try #require(
      GeoPolygon(outerRing: square.outerRing, edges: .planar) as GeoPolygon?)
    let parcel = Parcel()
    try realm.write {
      realm.add(parcel)
      parcel.area = planar
      parcel.survey = Geometry(points: [])
    }
    #expect(parcel.area?.outerRing == planar.outerRing && parcel.area?.edges == .geodesic)
    #expect(parcel.survey?.isEmpty == true)
  }

  @Test func classesTellTheirTypes() throws {
    let realm = try file.realm()
    try realm.write { realm.add(parcel()) }
    let schema = try #require(realm.schema["Parcel"])
    #expect(schema["area"]?.type == .polygon && schema["access"]?.type == .lineString)
    #expect(schema["survey"]?.type == .geometry && schema["survey"]?.isOptional == true)
  }

  @Test func valuesByName() throws {
    let realm = try file.realm()
    try realm.write { realm.add(parcel()) }
    let object = try #require(realm.dynamicObjects("Parcel").first)
    #expect(object["area"] as? GeoPolygon == square)
    #expect(object["access"] as? GeoLineString == line)
    #expect(object["survey"] as? Geometry == mixed)
    let typed = try #require(realm.objects(Parcel.self).first)
    try realm.write {
      object["survey"] = square
      object["area"] = Geometry(square)
      typed["access"] = Geometry(line)
      try typed.setValue(
        validating: [
          "type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 2], [0, 2], [0, 0]]],
        ],
        forKey: "area")
    }
    #expect(typed.survey == Geometry(square) && typed.area == square && typed.access == line)
    #expect(typed["area"] as? GeoPolygon == square)
  }

  @Test(arguments: [
    (#"{"type": "Polygon", "coordinates": [[[0, 0], [2, 0], [2, 2], [0, 2]]]}"#, "not closed"),
    (#"{"type": "Polygon", "coordinates": [[[0, 0], [200, 0], [2, 2], [0, 0]]]}"#, "200"),
    (#"{"type": "LineString", "coordinates": [[0, 0], [2, 0]]}"#, "a GeoPolygon, or a GeoJSON"),
    (#"{"type": "Polygon", "coordinates": [[["x", 0]]]}"#, "a GeoPolygon, or a GeoJSON"),
    (#"{"type": "Square", "coordinates": []}"#, "a GeoPolygon, or a GeoJSON"),
    (#"{"type": "Polygon", "coordinates": []}"#, "a GeoPolygon, or a GeoJSON"), ("7", "GeoPolygon"),
  ]) func wrongValuesThrow(json: String, reason: String) throws {
    let any = try JSONSerialization.jsonObject(with: Data(json.utf8), options: .fragmentsAllowed)
    let error = #expect(throws: Realm.Error.self) { try Parcel(validating: ["area": any]) }
    #expect(error?.description.contains("'polygon?' property 'Parcel.area'") == true)
    #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
  }

  @Test func everyKindOfGeoJSONIsRead() throws {
    let texts = [
      #"{"type": "Point", "coordinates": [7.5, 50, 60]}"#,
      #"{"type": "Point", "coordinates": []}"#,
      #"{"type": "LineString", "coordinates": [[0, 0], [1, 1]]}"#,
      #"{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [0, 4], [0, 0]], [[1, 1], [2, 1], [1, 2], [1, 1]]]}"#,
      #"{"type": "MultiPoint", "coordinates": [[0, 0], [1, 1]]}"#,
      #"{"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], [[2, 2], [3, 3]]]}"#,
      #"{"type": "MultiPolygon", "coordinates": [[[[0, 0], [4, 0], [0, 4], [0, 0]]]]}"#,
      #"{"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}, {"type": "GeometryCollection", "geometries": []}]}"#,
    ]
    for text in texts {
      let data = Data(text.utf8)
      let parcel = try Parcel(validating: ["survey": JSONSerialization.jsonObject(with: data)])
      #expect(try parcel.survey == JSONDecoder().decode(Geometry.self, from: data), "\(text)")
    }
  }

  @Test func objectsEncodeAsGeoJSON() throws {
    let realm = try file.realm()
    let parcel = parcel()
    try realm.write { realm.add(parcel) }
    let json = try JSONEncoder().encode(parcel)
    let text = String(decoding: json, as: UTF8.self)
    #expect(text.contains(#""LineString""#) && text.contains(#""office":null"#))
    check(try JSONDecoder().decode(Parcel.self, from: json))
    check(try Parcel(validating: JSONSerialization.jsonObject(with: json), tolerating: .all))
  }

  @Test func requiredGeometriesHaveNoDefault() throws {
    let realm = try file.realm()
    let missing = [
      #expect(throws: Realm.Error.self) { try Claim(validating: ["name": "x"], tolerating: .all) },
      #expect(throws: Realm.Error.self) { try realm.write { try realm.add(validating: Claim()) } },
    ]
    for error in missing { #expect(error?.description.contains("'Claim.area'") == true) }
    try realm.write {
      realm.create(Claim.self, value: ["area": mixed, "border": square])
    }
    #expect(realm.objects(Claim.self).first?.border == square)
    let read = Misuse.trap("required geometry: read before it is set")
    #expect(read.contains("Property 'Signal.view' is required and was not set"))
  }

  // MARK: Changes

  @Test @MainActor func observersSeeChangedGeometries() throws {
    let realm = try file.realm()
    let parcel = parcel()
    try realm.write { realm.add(parcel) }
    var changes: [String] = []
    let object = parcel.observe { change in
      if case .change(_, let properties) = change {
        changes += properties.map {
          "\($0.name) \(($0.newValue as? Geometry)?.vertexCount ?? 0)"
        }
      }
    }
    let triangle = try #require(
      GeoPolygon(outerRing: [(40, 0), (40, 2), (42, 2), (40, 0)]) as GeoPolygon?)
    let here = realm.objects(Parcel.self).where { $0.area.geoIntersects(square) }
    var counts: [Int] = []
    let results = here.observe { change in
      switch change {
      case .initial(let found): counts.append(found.count)
      case .update(let found, let gone, let new, let modified):
        counts += [found.count, gone.count, new.count, modified.count]
      case .error: counts.append(-1)
      }
    }
    realm.refresh()
    try realm.write { parcel.area = triangle }
    realm.refresh()
    #expect(changes == ["area 4"])
    #expect(counts == [1, 0, 1, 0, 0])
    withExtendedLifetime((object, results)) {}
  }

  // MARK: Migrations

  private enum Then { class Plot: Object { @Persisted var name = "" } }
  private enum Now {
    class Plot: Object {
      @Persisted var name = ""
      @Persisted var area: GeoPolygon
    }
  }
  private enum Maybe {
    class Plot: Object {
      @Persisted var name = ""
      @Persisted var area: GeoPolygon?
      @Persisted var survey: Geometry?
    }
  }

  private func fill() throws {
    let realm = try file.realm(0, [Then.Plot.self])
    try realm.write {
      for number in 0..<300 { realm.create(Then.Plot.self, value: ["\(number)"]) }
      realm.delete(realm.objects(Then.Plot.self).where { $0.name == "7" })
    }
  }

  @Test func anOptionalGeometryIsAdded() throws {
    try fill()
    let realm = try file.realm(1, [Maybe.Plot.self])
    let plots = realm.objects(Maybe.Plot.self)
    #expect(plots.allSatisfy { $0.area == nil && $0.survey == nil })
    try realm.write { plots.last?.area = square }
    #expect(plots.where { $0.area.geoIntersects(square) }.count == 1)
    #expect(try Store.verify(file.path).findings.isEmpty)
  }

  @Test func aRequiredGeometryNeedsAValueForEveryObject() throws {
    try fill()
    let error = #expect(throws: Realm.Error.self) { try file.realm(1, [Now.Plot.self]) }
    #expect(
      error?.description.contains("'Plot.area' is a required geometry, and 299 objects have none")
        == true)
    let realm = try file.realm(1, [Now.Plot.self]) { migration, _ in
      migration.enumerateObjects(ofType: "Plot") { _, new in
        #expect(new?["area"] == nil)
        new?["area"] = square
      }
    }
    #expect(realm.objects(Now.Plot.self).where { $0.area.geoWithin(square) }.count == 299)
    #expect(try Store.verify(file.path).findings.isEmpty)
  }
}
