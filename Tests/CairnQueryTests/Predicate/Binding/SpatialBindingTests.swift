import CairnGeometry
import CairnStorage
import CairnValues
import Testing

@testable import CairnQuery

/// The properties and shapes that relations and distances accept.
@Suite struct SpatialBindingTests {
  private static func message(_ text: String) throws -> String? {
    let schemas = [
      TableSchema(id: 1, name: "Parcel", columns: positioned(SpatialWorld.schemas)),
      TableSchema(id: 2, name: "Holder", columns: positioned(SpatialWorld.holder.columns)),
    ]
    let classes = StoreSchema(tables: schemas)
    do {
      _ = try Predicate(parsing: text).bound(to: schemas[1], in: classes)
      return nil
    } catch {
      return error.message
    }
  }

  private static func positioned(_ columns: [ColumnSchema]) -> [ColumnSchema] {
    columns.enumerated().map { position, column in
      ColumnSchema(
        id: UInt16(position), name: column.name, type: column.type, collection: column.collection,
        isOptional: column.isOptional, isPrimaryKey: column.isPrimaryKey, target: column.target,
        position: position)
    }
  }

  @Test(arguments: [
    "area GEOINTERSECTS geoPoint(1, 2)", "at GEOCONTAINS geoPoint(1, 2)",
    "parcel.border GEOCONTAINS at", "ANY parcels.path GEODISJOINT area",
    "at GEOWITHIN ANY places", "GEODISTANCE(at, parcel.at) < 5km",
    "ALL places GEOWITHIN area", "GEODISTANCE(ANY places, at) > 5km", "area == nil",
    "area == geometry('POINT (1 2)')",
    "area GEOINTERSECTS geometry('GEOMETRYCOLLECTION EMPTY')",
    "area GEOTOUCHES geoPolygon({[0,0],[9,0],[9,9],[0,0]})", "area GEOEQUALS at",
  ])
  func isAccepted(text: String) throws { #expect(try Self.message(text) == nil) }

  @Test(arguments: [
    (
      "parcel.number GEOINTERSECTS geoPoint(1, 2)",
      "GEOINTERSECTS needs a location or a geometry; "
        + "property 'parcel.number' of type 'int' is not one."
    ),
    (
      "at GEOWITHIN parcel.number",
      "GEOWITHIN needs a location or a geometry; property 'parcel.number' of type 'int' is not one."
    ),
    (
      "GEODISTANCE(parcel, at) < 5km",
      "A GEODISTANCE query can only operate on a link to an embedded class "
        + "but 'Parcel' is at the top level."
    ),
    (
      "area GEOTOUCHES geoCircle([8, 50], 5km)",
      "GEOTOUCHES compares in the plane of longitude and latitude, where a circle has no outline; "
        + "use a polygon."
    ),
    (
      "area GEOOVERLAPS geometry('POLYGON ((179 0, -179 0, -179 9, 179 9, 179 0))')",
      "GEOOVERLAPS compares in the plane of longitude and latitude, where no edge crosses the "
        + "antimeridian; cut the shape at longitude 180."
    ),
    (
      "ANY places GEOWITHIN parcels.area", "Comparing two collection columns is not permitted."
    ),
    (
      "area < geometry('POINT (1 2)')",
      "Operator '<' not supported for property 'area' of type 'geometry'."
    ),
  ])
  func isRefused(text: String, expected: String) throws {
    #expect(try Self.message(text) == expected)
  }

  /// Relations of interiors are those of the plane, whatever joins the vertices of a shape.
  @Test func someRelationsHavePlanarEdges() throws {
    let schema = TableSchema(id: 1, name: "Parcel", columns: Self.positioned(SpatialWorld.schemas))
    for (text, bound) in [
      (
        "area GEOTOUCHES geoPolygon({[0,0],[9,0],[9,9],[0,0]})",
        "area GEOTOUCHES geometry[planar]('POLYGON ((0 0, 9 0, 9 9, 0 0))')"
      ), ("area GEOEQUALS[planar] at", "area GEOEQUALS at"),
      ("at GEOWITHIN[planar] area", "at GEOWITHIN[planar] area"),
    ] {
      #expect(try Predicate(parsing: text).bound(to: schema).root.description == bound)
    }
  }

  @Test func nothingRelatesToAnEmptyShape() throws {
    let schema = TableSchema(id: 1, name: "Parcel", columns: Self.positioned(SpatialWorld.schemas))
    let empty = try Predicate(parsing: "area GEODISJOINT geometry('POINT EMPTY')")
    #expect(try empty.bound(to: schema).root.written == .constant(false))
  }
}
