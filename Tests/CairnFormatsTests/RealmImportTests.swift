import Cairn
import CairnFormats
import CairnModelTestSupport
import CairnTestSupport
import Foundation
import Testing

/// Imports into realms through the public API.
@Suite struct RealmImportTests {
  private static let cities = """
    id,name,population,isCapital,founded,area,lat,lon
    1,Bern,134000,true,1991-06-01,51.6,46.948,7.4474
    2,Zürich,421000,false,,87.9,47.3769,8.5417
    3,Genève,,false,,15.9,46.2044,6.1432
    """

  @Test @MainActor func typedClassesGetTheirValues() async throws {
    let (folder, realm) = try (TemporaryFolder(), TestRealm().realm)
    let file = try folder.file("cities.csv", Self.cities)
    let summary = try await realm.importFile(file, as: ImportedCity.self)
    #expect(summary.inserted == 3)
    #expect(summary.className == "ImportedCity")
    #expect(summary.remarks.allSatisfy { !$0.contains("left out") })
    let cities = realm.objects(ImportedCity.self).sorted(by: \.id)
    #expect(cities.map(\.name) == ["Bern", "Zürich", "Genève"])
    #expect(cities.map(\.population) == [134_000, 421_000, nil])
    #expect(cities.map(\.isCapital) == [true, false, false])
    #expect(cities[0].area == 51.6)
    #expect(cities[0].founded == ISO8601DateFormatter().date(from: "1991-06-01T00:00:00Z"))
    #expect(cities[2].location == GeoPoint(latitude: 46.2044, longitude: 6.1432))
    try realm.write { cities[0].population = 1 }
    #expect(realm.objects(ImportedCity.self).where { $0.population == 1 }.count == 1)
  }

  @Test @MainActor func columnsWithoutAPropertyAreLeftOutAndNamed() async throws {
    let realm = try TestRealm().realm
    let text = "id,name,mayor,lat,lon\n1,Bern,Ann,46.9,7.4\n"
    let summary = try await realm.importData(Data(text.utf8), as: ImportedCity.self)
    #expect(summary.remarks.contains { $0.contains("no property for `mayor`") })
    #expect(realm.objects(ImportedCity.self).first?.name == "Bern")
    #expect(realm.schema["ImportedCity"]?.properties.count == 7)
  }

  @Test @MainActor func geoJSONFillsTheOnlyLocationAndMappedNames() async throws {
    let realm = try TestRealm().realm
    let text = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","id":7,"properties":{"place_title":"A","other":[1]},
       "geometry":{"type":"Point","coordinates":[7,47,500]}},
      {"type":"Feature","properties":{"place_title":"B"},"geometry":null}]}
      """
    let summary = try await realm.importData(
      Data(text.utf8), as: ImportedPlace.self, named: "places.geojson")
    #expect(summary.inserted == 2)
    let places = realm.objects(ImportedPlace.self).sorted(by: \.title)
    #expect(places.map(\.title) == ["A", "B"])
    #expect(places[0].spot == GeoPoint(latitude: 47, longitude: 7))
    #expect(places[1].spot == nil)
    #expect(summary.remarks.contains { $0.contains("`altitude`") && $0.contains("`other`") })
  }

  @Test(arguments: [
    "code,amount\na,1.5\nb,2\n", #"[{"code":"a","amount":1.5},{"code":"b","amount":2}]"#,
    "{\"code\":\"a\",\"amount\":1.5}\n{\"code\":\"b\",\"amount\":2}\n",
  ])
  @MainActor func classesWithoutALocationNeedNone(text: String) async throws {
    let realm = try TestRealm().realm
    let summary = try await realm.importData(Data(text.utf8), as: ImportedRow.self)
    #expect(summary.inserted == 2)
    #expect(realm.objects(ImportedRow.self).sorted(by: \.code).map(\.amount) == [1.5, 2])
    #expect(realm.object(ofType: ImportedRow.self, forPrimaryKey: "b")?.amount == 2)
  }

  @Test @MainActor func rejectedRowsNameLineAndProperty() async throws {
    let realm = try TestRealm().realm
    let valid = "id,name,population,lat,lon\n1,Bern,many,46.9,7.4\n2,Thun,5,46.7,7.6\n"
    let text = valid + ",X,1,1,1\n"
    let error = await #expect(throws: ImportError.self) {
      try await realm.importData(Data(valid.utf8), as: ImportedCity.self, named: "a.csv")
    }
    #expect(error?.kind == .data)
    #expect(error?.row?.file == "a.csv")
    #expect(error?.row?.line == 2)
    #expect(error?.row?.property == "population")
    #expect(error?.message.contains("`many`") == true)
    #expect(realm.objects(ImportedCity.self).isEmpty)

    var options = ImportOptions()
    options.onError = .skip
    let summary = try await realm.importData(
      Data(text.utf8), as: ImportedCity.self, named: "a.csv", options: options)
    #expect(summary.inserted == 1)
    #expect(summary.rejects.map(\.line) == [2, 4])
    #expect(summary.rejects.map(\.property) == ["population", "id"])
    #expect(summary.rejects[0].description.hasPrefix("a.csv:2: "))
  }

  @Test @MainActor func aRequiredPropertyNeedsAColumn() async throws {
    let realm = try TestRealm().realm
    let error = await #expect(throws: ImportError.self) {
      try await realm.importData(Data("id,lat,lon\n1,2,3\n".utf8), as: ImportedCity.self)
    }
    #expect(error?.message.contains("no column fills `name`") == true)
    var options = ImportOptions()
    options.renamedColumns = ["Ort": "name"]
    try await realm.importData(
      Data("id,Ort,lat,lon\n1,Bern,2,3\n".utf8), as: ImportedCity.self, options: options)
    #expect(realm.objects(ImportedCity.self).first?.name == "Bern")
  }

  @Test @MainActor func propertiesThatNoFileFillsAreRefusedByName() async throws {
    let realm = try TestRealm().realm
    let data = Data(#"[{"id":1,"anything":["a"]}]"#.utf8)
    let error = await #expect(throws: ImportError.self) {
      try await realm.importData(data, as: NestedRefused.self)
    }
    #expect(error?.message.contains("`anything` is of type list of") == true)
    #expect(error?.message.contains("droppedColumns: anything") == true, "\(error?.message ?? "")")
    var options = ImportOptions()
    options.droppedColumns = ["anything"]
    let summary = try await realm.importData(data, as: NestedRefused.self, options: options)
    #expect(summary.inserted == 1)
  }

  @Test @MainActor func optionsApply() async throws {
    let realm = try TestRealm().realm
    var options = ImportOptions()
    options.condition = try Predicate("population > 200000")
    options.nulls = ["-"]
    options.dateFormat = "%d.%m.%Y %H:%M"
    options.timeZone = "+01:00"
    options.droppedColumns = ["area"]
    let text = """
      id;name;population;founded;area;lat;lon
      1;Bern;134000;01.06.1991 00:00;x;46.948;7.4474
      2;Zürich;421000;02.01.2001 00:00;-;47.3769;8.5417
      """
    let summary = try await realm.importData(
      Data(text.utf8), as: ImportedCity.self, named: "x.csv", options: options)
    #expect(summary.inserted == 1 && summary.unmatched == 1)
    let city = try #require(realm.objects(ImportedCity.self).first)
    #expect(city.founded == ISO8601DateFormatter().date(from: "2001-01-01T23:00:00Z"))
    #expect(city.area == nil)

    options.onConflict = .replace
    options.condition = nil
    let again = try await realm.importData(
      Data(text.utf8), as: ImportedCity.self, named: "x.csv", options: options)
    #expect(again.inserted == 1 && again.replaced == 0 && again.unchanged == 1)
    options.onConflict = .error
    let error = await #expect(throws: ImportError.self) {
      try await realm.importData(
        Data(text.utf8), as: ImportedCity.self, named: "x.csv", options: options)
    }
    #expect(error?.kind == .store)
    for (change, kind) in [
      ({ $0.timeZone = "Nowhere/At all" }, ImportError.Kind.usage),
      ({ $0.dateFormat = "%Q" }, .usage), ({ $0.locationName = "name" }, .data),
    ] as [((inout ImportOptions) -> Void, ImportError.Kind)] {
      var options = ImportOptions()
      change(&options)
      let error = await #expect(throws: ImportError.self) {
        try await realm.importData(Data(text.utf8), as: ImportedCity.self, options: options)
      }
      #expect(error?.kind == kind)
    }
  }

  @Test @MainActor func rowsOutsideOfAllBoxesAreSkipped() async throws {
    let realm = try TestRealm().realm
    var options = ImportOptions()
    for west in [7.0, 170.0] {
      let box = GeoBox(bottomLeft: (-50, west), topRight: (50, west > 100 ? -170 : west + 1))
      options.boxes.append(try #require(box))
    }
    let text = "id,lat,lon\n1,46.9,7.4\n2,47.4,8.5\n3,-18,178\n4,-14,-172\n5,52,7.5\n"
    let summary = try await realm.importData(
      Data(text.utf8), into: "Town", named: "x.csv", options: options)
    #expect(summary.inserted == 3 && summary.unmatched == 2)
  }

  @Test @MainActor func classesByNameAreMadeAndExtended() async throws {
    let (folder, realm) = try (TemporaryFolder(), TestRealm().realm)
    let file = try folder.file("cities.csv", Self.cities)
    let preview = try await realm.previewImport(of: file, into: "Town")
    #expect(preview.summary.inserted == 3 && !preview.extendsClass)
    #expect(
      preview.columns.map(\.propertyType) == [
        .int, .string, .int, .bool, .date, .double, .geoPoint,
      ])
    #expect(realm.schema["Town"] == nil)
    try await realm.importFile(file, into: "Town")
    let towns = realm.dynamicObjects("Town")
    #expect(towns.count == 3)
    let more = try folder.file("more.csv", "id,name,lat,lon,note\n9,Thun,46.7,7.6,x\n")
    try await realm.importFile(more, into: "Town")
    #expect(towns.count == 4)
    #expect(realm.schema["Town"]?["note"] != nil)
  }

  @Test @MainActor func aPreviewOfADeclaredClassStoresNothing() async throws {
    let (folder, store) = try (TemporaryFolder(), TemporaryStore())
    let realm = try store.realm()
    let file = try folder.file("cities.csv", Self.cities)
    let preview = try await realm.previewImport(of: file, as: ImportedCity.self)
    #expect(preview.summary.inserted == 3)
    #expect(preview.columns.first { $0.name == "id" }?.isKey == true)
    realm.refresh()
    #expect(realm.objects(ImportedCity.self).isEmpty)
  }

  @Test @MainActor func dataAndStreamsFillClassesByName() async throws {
    let realm = try TestRealm().realm
    let data = Data(Self.cities.utf8)
    let phases = Phases()
    let summary = try await realm.importData(data, into: "Town", named: "towns.csv") {
      phases.add($0)
    }
    #expect(summary.inserted == 3 && realm.dynamicObjects("Town").count == 3)
    #expect(phases.seen.contains("importing") && phases.bytes == Int64(data.count))
    func chunks() -> AsyncStream<Data> {
      AsyncStream { stream in
        for start in stride(from: 0, to: data.count, by: 7) {
          stream.yield(data[start..<min(start + 7, data.count)])
        }
        stream.finish()
      }
    }
    func bytes() -> AsyncStream<UInt8> {
      AsyncStream { stream in
        for byte in data { stream.yield(byte) }
        stream.finish()
      }
    }
    try await realm.importBytes(chunks(), into: "Town", named: "towns.csv")
    try await realm.importBytes(bytes(), into: "Village", named: "towns.csv")
    #expect(realm.dynamicObjects("Town").count == 6)
    #expect(realm.dynamicObjects("Village").count == 3)

    let types: [PropertyType] = [.int, .string, .int, .bool, .date, .double, .geoPoint]
    for preview in [
      try await realm.previewImport(of: data, into: "Hamlet", named: "towns.csv"),
      try await realm.previewImport(of: chunks(), into: "Hamlet", named: "towns.csv"),
      try await realm.previewImport(of: bytes(), into: "Hamlet", named: "towns.csv"),
    ] {
      #expect(preview.summary.inserted == 3 && preview.columns.map(\.propertyType) == types)
    }
    for preview in [
      try await realm.previewImport(of: data, as: ImportedCity.self, named: "towns.csv"),
      try await realm.previewImport(of: chunks(), as: ImportedCity.self, named: "towns.csv"),
      try await realm.previewImport(of: bytes(), as: ImportedCity.self, named: "towns.csv"),
    ] {
      #expect(preview.summary.inserted == 3 && preview.summary.className == "ImportedCity")
    }
    #expect(realm.schema["Hamlet"] == nil && realm.objects(ImportedCity.self).isEmpty)
  }

  @Test @MainActor func observersAreNotified() async throws {
    let realm = try TestRealm().realm
    var inserted = 0
    let token = realm.objects(ImportedCity.self).observe { change in
      if case .update(_, _, let insertions, _) = change { inserted += insertions.count }
    }
    realm.refresh()
    try await realm.importData(Data(Self.cities.utf8), as: ImportedCity.self)
    #expect(inserted == 3)
    token.invalidate()
  }
}

/// The phases of an import, and the bytes that it has read.
private final class Phases: @unchecked Sendable {
  // Sendable: guarded by the lock.
  private let lock = NSLock()
  private(set) var seen: Set<String> = []
  private(set) var bytes: Int64 = 0

  func add(_ progress: ImportProgress) {
    lock.withLock {
      seen.insert("\(progress.phase)")
      bytes = max(bytes, progress.bytesRead)
    }
  }
}
