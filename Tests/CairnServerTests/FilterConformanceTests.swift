import CairnTestSupport
import Foundation
import Testing

@testable import CairnServer

/// The abstract tests of OGC API – Features, Part 3, and of the basic classes of CQL2, under their names.
@Suite struct FilterConformanceTests {
  private let world: World
  private var service: Service { world.service }

  init() throws { world = try World(rows: 150) }

  private static let names = ["notes", "parcels", "places"]
  private static let systems = [
    "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "http://www.opengis.net/def/crs/EPSG/0/4326",
    "http://www.opengis.net/def/crs/EPSG/0/3857",
  ]

  private func items(_ name: String, _ query: String = "") async throws -> Answer {
    let escaped = query.addingPercentEncoding(withAllowedCharacters: .urlQueryAllowed) ?? ""
    return try await service.get(
      "/collections/\(name)/items?limit=1000\(escaped)",
      headers: ["Accept": "application/geo+json"])
  }

  private func ids(_ name: String, _ filter: String) async throws -> Set<String> {
    let answer = try await items(name, "&filter=" + filter)
    #expect(answer.status == 200, "\(filter): \(answer.text)")
    return Set(answer.features.map { "\($0["id"] ?? "")" })
  }

  private func queryables(_ name: String) async throws -> [String: [String: Any]] {
    let answer = try await service.get("/collections/\(name)/queryables")
    return answer.json["properties"] as? [String: [String: Any]] ?? [:]
  }

  /// The extent of a collection; nil if it has no location.
  private func box(_ name: String) async throws -> [Double]? {
    let extent = try await service.get("/collections/\(name)").json["extent"] as? [String: Any]
    return ((extent?["spatial"] as? [String: Any])?["bbox"] as? [[Double]])?.first
  }

  private func spatial(_ name: String) async throws -> String? {
    try await queryables(name).first {
      ($0.value["format"] as? String)?.hasPrefix("geometry-") == true
    }?.key
  }

  // MARK: filter

  @Test("/conf/filter/get-conformance, /conf/features-filter/get-conformance, /conf/queryables")
  func conformance() async throws {
    let classes = try await service.get("/conformance").json["conformsTo"] as? [String] ?? []
    for name in ["filter", "features-filter", "queryables", "queryables-query-parameters"] {
      #expect(classes.contains("http://www.opengis.net/spec/ogcapi-features-3/1.0/conf/\(name)"))
    }
  }

  @Test("/conf/filter/get-collections, get-queryables, get-collection; /conf/basic-cql2/basic-test")
  func queryables() async throws {
    let list = try await service.get("/collections").json["collections"] as? [[String: Any]] ?? []
    #expect(list.compactMap { $0["id"] as? String } == Self.names)
    for name in Self.names {
      let url = "http://127.0.0.1:8080/collections/\(name)/queryables"
      let answer = try await service.get(
        "/collections/\(name)/queryables", headers: ["Accept": "application/schema+json"])
      #expect(answer.status == 200)
      #expect(answer.response.headers["Content-Type"] == "application/schema+json")
      #expect((answer.json["$schema"] as? String)?.hasPrefix("https://json-schema.org/") == true)
      #expect(answer.json["$id"] as? String == url && answer.json["type"] as? String == "object")
      let properties = try await queryables(name)
      #expect(!properties.isEmpty)
      for property in properties.values {
        let format = property["format"] as? String ?? ""
        #expect(property["type"] != nil || format.hasPrefix("geometry-"))
      }
      #expect(properties.values.contains { $0["type"] is String })
      let collection = try await service.get("/collections/\(name)")
      #expect(collection.link("http://www.opengis.net/def/rel/ogc/1.0/queryables") == url)
    }
  }

  @Test("/conf/filter/filter-param, filter-lang-default; /conf/features-filter/filter-on-items")
  func parameter() async throws {
    for name in Self.names {
      let all = try await items(name).features.count
      for queryable in try await queryables(name).keys {
        for language in ["", "&filter-lang=cql2-text"] {
          let missing = try await items(name, "&filter=\(queryable) IS NULL\(language)")
          #expect(missing.status == 200)
          #expect(missing.response.headers["Content-Type"] == "application/geo+json")
          let present = try await items(name, "&filter=\(queryable) IS NOT NULL\(language)")
          #expect(missing.features.count + present.features.count == all)
          let wrong = try await items(name, "&filter=THIS IS NOT A FILTER\(language)")
          #expect(wrong.status == 400)
        }
      }
    }
  }

  @Test("/conf/filter/expression-construction") func unknownQueryables() async throws {
    for name in Self.names {
      let answer = try await items(name, "&filter=this_is_not_a_queryable IS NULL")
      #expect(answer.status == 400)
    }
  }

  @Test("/conf/filter/filter-crs-wgs84, filter-crs-param", arguments: systems)
  func boxes(system: String) async throws {
    for name in Self.names {
      guard let box = try await box(name), let column = try await spatial(name) else { continue }
      // The projection of the last system ends at this latitude.
      let all =
        system == Self.systems[2]
        ? try await ids(name, "S_INTERSECTS(\(column),BBOX(-180,-85.05,180,85.05))")
        : try await ids(name, "\(column) IS NOT NULL")
      let corners = try corners(box, system: system)
      let text = corners.map { "\($0)" }.joined(separator: ",")
      let parameter = system == Self.systems[0] ? "" : "&filter-crs=\(system)"
      for function in ["BBOX", "ENVELOPE"] {
        let found = try await items(
          name, "&filter=S_INTERSECTS(\(column),\(function)(\(text)))\(parameter)")
        #expect(Set(found.features.map { "\($0["id"] ?? "")" }) == all, "\(found.text.prefix(300))")
      }
      let unknown = "&filter-crs=http://www.opengis.net/def/crs/OGC/0/does_not_exist"
      let filter = "&filter=S_INTERSECTS(\(column),BBOX(\(text)))"
      #expect(try await items(name, filter + unknown).status == 400)
      let far = "&filter=S_INTERSECTS(\(column),BBOX(1000000,1000000,2000000,2000000))"
      #expect(try await items(name, far).status == 400)
    }
  }

  /// A box in a system, a little larger, since its own numbers are rounded.
  private func corners(_ box: [Double], system: String) throws -> [Double] {
    let (west, south) = (max(-180, box[0] - 1e-6), max(-90, box[1] - 1e-6))
    let (east, north) = (min(180, box[2] + 1e-6), min(90, box[3] + 1e-6))
    switch system {
    case Self.systems[1]: return [south, west, north, east]
    case Self.systems[2]:
      let radius = 6_378_137.0
      func y(_ latitude: Double) -> Double {
        let half = max(-85.05, min(85.05, latitude)) * Double.pi / 360
        return radius * log(tan(Double.pi / 4 + half))
      }
      return [west * radius * .pi / 180, y(south), east * radius * .pi / 180, y(north)]
    default: return [west, south, east, north]
    }
  }

  @Test("/conf/filter/mixing-expression") func mixing() async throws {
    let box = try #require(try await box("parcels"))
    let text = box.map { "\($0)" }.joined(separator: ",")
    let filter = "&filter=S_INTERSECTS(shape,BBOX(\(text)))"
    #expect(try await items("parcels", filter + "&bbox=\(text)").features.count == 5)
    #expect(try await items("parcels", filter + "&bbox=-170,-80,-160,-70").features.isEmpty)
  }

  // MARK: queryables-query-parameters

  @Test("/conf/queryables-query-parameters/parameters") func queryParameters() async throws {
    let answer = try await items("places", "&population=3&isCapital=true")
    let expected = world.places.filter { $0.population == 3 && $0.isCapital == true }
    #expect(answer.ids == expected.map(\.id) && !answer.ids.isEmpty)
    #expect(try await items("places", "&population=x").status == 400)
    #expect(try await items("places", "&nothing=1").status == 400)
  }

  // MARK: CQL2

  private static let samples: [(type: String, format: String?, text: String)] = [
    ("string", "date-time", "TIMESTAMP('2001-01-09T00:00:00Z')"), ("string", nil, "'foo'"),
    ("boolean", nil, "true"), ("number", nil, "3.14"), ("integer", nil, "1"),
  ]

  @Test("/conf/basic-cql2/comparison, is-null, boolean") func comparisons() async throws {
    for name in Self.names {
      #expect(try await ids(name, "false").isEmpty)
      #expect(try await ids(name, "true").count == items(name).features.count)
      for (queryable, schema) in try await queryables(name) {
        let null = try await ids(name, "\(queryable) IS NULL")
        #expect(null.isDisjoint(with: try await ids(name, "\(queryable) is not null")))
        let sample = Self.samples.first {
          $0.type == schema["type"] as? String
            && ($0.format == nil || $0.format == schema["format"] as? String)
        }
        guard let value = sample?.text else { continue }
        for (one, other) in [("=", "<>"), (">", "<="), ("<", ">=")] {
          let first = try await ids(name, "\(queryable) \(one) \(value)")
          let second = try await ids(name, "\(queryable) \(other) \(value)")
          #expect(first.isDisjoint(with: second) && first.isDisjoint(with: null))
          #expect(first.count + second.count + null.count == (try await items(name).features.count))
        }
      }
    }
  }

  /// The expression of the standard, with the sets that its parts select.
  @Test("/conf/basic-cql2/logical") func logical() async throws {
    let parts = [
      "population<>3", "name>'Bern'", "founded IS NULL", "isCapital=true", "population<=5",
      "founded<TIMESTAMP('2001-01-09T00:00:00Z')", "location IS NOT NULL",
    ]
    var (sets, unknown): ([Set<String>], [Set<String>]) = ([], [])
    let all = try await ids("places", "true")
    for part in parts {
      sets.append(try await ids("places", part))
      // A condition that is neither true nor false is unknown.
      unknown.append(
        all.subtracting(sets.last ?? []).subtracting(try await ids("places", "NOT (\(part))")))
    }
    func truth(_ part: Int, _ id: String) -> Bool? {
      sets[part].contains(id) ? true : unknown[part].contains(id) ? nil : false
    }
    func not(_ a: Bool?) -> Bool? { a.map { !$0 } }
    func and(_ a: Bool?, _ b: Bool?) -> Bool? {
      a == false || b == false ? false : a == nil || b == nil ? nil : true
    }
    func or(_ a: Bool?, _ b: Bool?) -> Bool? { not(and(not(a), not(b))) }
    var random = SplitMix64(seed: 17)
    for _ in 0..<60 {
      let p = (0..<4).map { _ in random.below(parts.count) }
      let text =
        "(NOT (\(parts[p[1]])) AND \(parts[p[0]])) OR (\(parts[p[2]]) and \(parts[p[3]])) "
        + "or not (\(parts[p[0]]) OR \(parts[p[3]]))"
      let expected = all.filter { id in
        let t = p.map { truth($0, id) }
        return or(or(and(not(t[1]), t[0]), and(t[2], t[3])), not(or(t[0], t[3]))) == true
      }
      #expect(try await ids("places", text) == Set(expected), "\(text)")
    }
  }
}
