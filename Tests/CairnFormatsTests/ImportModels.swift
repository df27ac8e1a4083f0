import Cairn
import Foundation

class ImportedCity: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var name = ""
  @Persisted var population: Int?
  @Persisted var isCapital: Bool?
  @Persisted var founded: Date?
  @Persisted var area: Double?
  @Persisted var location: GeoPoint?
}

class ImportedPlace: Object {
  @Persisted var title: String?
  @Persisted var spot: GeoPoint?

  override class func propertiesMapping() -> [String: String] { ["title": "place_title"] }
}

class ImportedRow: Object {
  @Persisted(primaryKey: true) var code = ""
  @Persisted var amount = 0.0
}

class ImportedOwner: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var n: Int?
  @Persisted var rows: List<ImportedRow>
}

class ImportedCountry: Object {
  @Persisted(primaryKey: true) var name = ""
  @Persisted var shape: GeoPolygon?
}

class CitySummary: Projection<ImportedCity> {
  @Projected(\ImportedCity.name) var title
  @Projected(\ImportedCity.location) var spot
}

/// A class with a property of every type that a column of a file can fill.
class ImportedValues: Object {
  @Persisted(primaryKey: true) var id = ObjectId.generate()
  @Persisted var int = 0
  @Persisted var small: Int8?
  @Persisted var flag = false
  @Persisted var float: Float = 0
  @Persisted var double: Double?
  @Persisted var decimal: Decimal128?
  @Persisted var text = ""
  @Persisted var data: Data?
  @Persisted var date = Date(timeIntervalSince1970: 0)
  @Persisted var uuid = UUID()
  @Persisted var spot: GeoPoint?
}
