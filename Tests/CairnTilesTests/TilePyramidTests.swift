import CairnGeometry
import CairnIO
import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnTiles
import CairnValues
import Foundation
import Testing

/// All tiles of a pyramid against those that are made one by one.
@Suite(.tags(.threads)) struct TilePyramidTests {
  private static let seed = Soak.seed(146, of: "TilePyramidTests")

  /// Keeps the tiles of a pyramid.
  private final class Archive: TileArchive {
    private(set) var tiles: [TileID: [UInt8]] = [:]
    private(set) var description: TileSetDescription?
    /// The number of tiles that stood for several.
    private(set) var runs = 0
    private var last: [Int: UInt64] = [:]
    /// The number of tiles after which the archive fails; nil for never.
    let limit: Int?

    struct Full: Error {}

    init(limit: Int? = nil) { self.limit = limit }

    func add(_ tile: PackedTile) throws {
      if tiles.count == limit { throw Full() }
      if tile.zooms.upperBound > tile.id.z { runs += 1 }
      for zoom in tile.zooms {
        let side = 1 << (zoom - tile.id.z)
        for x in tile.id.x * side..<(tile.id.x + 1) * side {
          for y in tile.id.y * side..<(tile.id.y + 1) * side {
            let id = try TileID(z: zoom, x: x, y: y)
            #expect(tiles.updateValue(tile.bytes, forKey: id) == nil, "\(id) comes twice")
          }
        }
        // Every tile of the part has a greater number than those before.
        let numbers = try corners(of: tile.id, side: side, zoom: zoom).map(HilbertTile.number)
        if let least = numbers.min(), let before = last[zoom] { #expect(least > before) }
        last[zoom] = numbers.max()
      }
    }

    private func corners(of id: TileID, side: Int, zoom: Int) throws -> [TileID] {
      try [(0, 0), (side - 1, 0), (0, side - 1), (side - 1, side - 1)].map {
        try TileID(z: zoom, x: id.x * side + $0.0, y: id.y * side + $0.1)
      }
    }

    func finish(_ description: TileSetDescription) throws { self.description = description }
  }

  private struct Shapes {
    var random: SplitMix64

    mutating func between(_ low: Double, _ high: Double) -> Double {
      Double.random(in: low...high, using: &random)
    }

    /// Vertices around a centre, which may be beyond the antimeridian and beyond the poles.
    mutating func ring(_ centre: SIMD2<Double>, _ size: Double, corners: Int) -> [SIMD2<Double>] {
      (0..<corners).map { corner in
        let angle = 2 * Double.pi * Double(corner) / Double(corners)
        let radius = size * between(0.3, 1)
        return centre + SIMD2(cos(angle), sin(angle)) * radius
      }
    }

    func text(_ vertices: [SIMD2<Double>], isRing: Bool) -> String {
      (isRing ? vertices + vertices.prefix(1) : vertices).map { vertex in
        var longitude = vertex.x
        while longitude > 180 { longitude -= 360 }
        while longitude < -180 { longitude += 360 }
        return "\(longitude) \(min(max(vertex.y, -90), 90))"
      }.joined(separator: ", ")
    }

    mutating func wkt() -> String {
      let centre = SIMD2(between(-180, 180), between(-86, 86))
      let size = random.chance(0.3) ? between(20, 80) : between(0.001, 10)
      let corners = 3 + random.below(random.chance(0.2) ? 400 : 12)
      let outer = ring(centre, size, corners: corners)
      switch random.below(8) {
      case 0: return "POINT(\(text([centre], isRing: false)))"
      case 1:
        return "MULTIPOINT(\(text((0..<5).map { _ in centre + between(-9, 9) }, isRing: false)))"
      case 2: return "LINESTRING(\(text(outer, isRing: false)))"
      case 3:
        let hole = outer.map { centre + ($0 - centre) * 0.5 }
        return "POLYGON((\(text(outer, isRing: true))), (\(text(hole, isRing: true))))"
      case 4:
        let (west, east) = (centre - SIMD2(size, 0), centre + SIMD2(size, 0))
        let u = [
          west + SIMD2(0, size), west, east, east + SIMD2(0, size),
          east + SIMD2(-size / 9, size), east + SIMD2(-size / 9, size / 9),
          west + SIMD2(size / 9, size / 9), west + SIMD2(size / 9, size),
        ]
        return "POLYGON((\(text(u, isRing: true))))"
      case 5:
        let cap = (0..<9).map { SIMD2(Double($0) * 40 - 180, centre.y < 0 ? -70 : 70.0) }
        return "POLYGON((\(text(cap, isRing: true))))"
      case 6:
        return "GEOMETRYCOLLECTION(LINESTRING(\(text(outer, isRing: false))), "
          + "POINT(\(text([centre], isRing: false))), POLYGON((\(text(outer, isRing: true)))))"
      default:
        return "POLYGON((\(text(outer, isRing: true))))"
      }
    }
  }

  private func world(rows: Int, seed: UInt64) throws -> TileWorld {
    var shapes = Shapes(random: SplitMix64(seed: seed))
    let world = try TileWorld()
    try world.load(
      (0..<rows).map { id in
        let area = shapes.random.chance(0.05) ? nil : try Geometry(wkt: shapes.wkt())
        let spot = Position(
          latitude: shapes.between(-89, 89), longitude: shapes.between(-180, 180))
        return (id + 1, id % 3, spot, area) as TileWorld.Row
      }, by: "area")
    return world
  }

  private struct Case: CustomTestStringConvertible {
    var geometry = "area"
    var predicate: String?
    var rows = 60
    var limit = TileOptions().limit
    var buffer = 64
    var extent = 4096
    var threads = 2
    var zooms = 0...4

    var testDescription: String {
      "\(geometry) \(predicate ?? ""), limit \(limit), buffer \(buffer), \(extent), zooms \(zooms)"
    }
  }

  private static let cases = [
    Case(), Case(predicate: "kind == 1", threads: 1), Case(limit: 10), Case(limit: 0, threads: 3),
    Case(rows: 6, buffer: 0, extent: 256, zooms: 0...6),
    Case(rows: 8, buffer: 256, extent: 256, zooms: 3...6),
    Case(geometry: "spot", rows: 300), Case(geometry: "spot", rows: 300, limit: 20, zooms: 2...5),
  ]

  @Test(arguments: cases)
  private func tilesAreThoseThatAreMadeAlone(_ wanted: Case) throws {
    let world = try world(rows: wanted.rows, seed: Self.seed)
    var options = TileOptions()
    options.geometry = wanted.geometry
    (options.limit, options.buffer, options.extent) = (wanted.limit, wanted.buffer, wanted.extent)
    let condition = try wanted.predicate.map { try Predicate(parsing: $0) } ?? .true
    let request = TileRequest(className: "rows", predicate: condition, options: options)
    let snapshot = try world.store.snapshot()
    let builder = try request.builder(in: snapshot)
    let archive = Archive()
    var shown = 0
    let count = try TilePyramid(builder, zooms: wanted.zooms).write(
      to: archive, threads: wanted.threads
    ) { shown = $0 }
    #expect(count == archive.tiles.count && shown == count && count > 20)
    #expect(archive.description?.zooms == wanted.zooms)
    for z in wanted.zooms {
      for x in 0..<1 << z {
        for y in 0..<1 << z {
          let id = try TileID(z: z, x: x, y: y)
          let tile = try builder.tile(id)
          let packed = tile.isEmpty ? nil : try GzipPacker().pack(tile)
          #expect(archive.tiles[id] == packed, "seed \(Self.seed): \(id) of \(wanted)")
        }
      }
    }
  }

  /// Tiles that a polygon covers are made once.
  @Test func coveredTilesAreOne() throws {
    let world = try TileWorld()
    let square = "POLYGON((-60 -60, 60 -60, 60 60, -60 60, -60 -60))"
    try world.load([(1, 0, nil, try Geometry(wkt: square))], by: "area")
    let snapshot = try world.store.snapshot()
    var options = TileOptions()
    options.geometry = "area"
    let builder = try TileRequest(className: "rows", options: options).builder(in: snapshot)
    let archive = Archive()
    let count = try TilePyramid(builder, zooms: 5...8).write(to: archive) { _ in }
    #expect(archive.runs > 20 && count > 5000)
    #expect(Set(archive.tiles.values).count < 1000)
    let bounds = try #require(archive.description?.bounds)
    #expect(abs(bounds.west + 60) < 2 && abs(bounds.north - 60) < 2)
  }

  @Test(arguments: [1, 2])
  func aFailureEndsThePyramid(threads: Int) throws {
    let world = try world(rows: 20, seed: Self.seed)
    let snapshot = try world.store.snapshot()
    var options = TileOptions()
    options.geometry = "area"
    let builder = try TileRequest(className: "rows", options: options).builder(in: snapshot)
    let archive = Archive(limit: 9)
    #expect(throws: Archive.Full.self) {
      try TilePyramid(builder, zooms: 0...5).write(
        to: archive, threads: threads
      ) { _ in }
    }
    #expect(archive.tiles.count == 9 && archive.description == nil)
  }
}
