import Cairn
import Foundation

/// The jobs, written as by a user of Cairn.
struct CairnSide {
  let realm: Realm
  let cities: Results<City>

  init(_ file: URL) throws {
    realm = try Realm(fileURL: file)
    cities = realm.objects(City.self)
  }

  /// Adds all cities in one transaction. The caller measures the time.
  static func fill(_ file: URL, _ count: Int) throws {
    let realm = try Realm(fileURL: file)
    try realm.write {
      for one in Cities(count: count) {
        let spot = Spot()
        spot.coordinates.append(objectsIn: [one.longitude, one.latitude])
        let city = City()
        city.name = one.name
        city.pop = one.pop
        city.location = spot
        realm.add(city)
      }
    }
  }

  func within(_ circle: GeoCircle) -> Results<City> {
    cities.where { $0.location.geoWithin(circle) }
  }

  func within(_ box: GeoBox) -> Results<City> {
    cities.where { $0.location.geoWithin(box) }
  }

  func within(_ polygon: GeoPolygon) -> Results<City> {
    cities.where { $0.location.geoWithin(polygon) }
  }

  /// The results with a population of more than half a million.
  func large(_ results: Results<City>) -> Results<City> {
    results.where { $0.pop > 500_000 }
  }

  /// Sums over three properties of each object, so that all are read.
  static func read(_ results: Results<City>) -> String {
    var sum = 0
    var letters = 0
    var north = 0
    for city in results {
      sum += city.pop
      letters += city.name.utf8.count
      if let spot = city.location, spot.coordinates[1] > 0 { north += 1 }
    }
    return "\(sum)/\(letters)/\(north)"
  }
}
