import CairnModelTestSupport
import CairnObjects
import CairnTestSupport
import Foundation
import Testing

/// Properties of all elements by name, and elements sorted by distance.
@Suite struct ValuesByNameTests {
  @Test func valuesByName() throws {
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    let box = ToyBox()
    try realm.write {
      realm.add(box)
      box.toys.append(objectsIn: [Toy("a", 2), Toy("b", 1), Toy("b", 3)])
      box.toys.setValue(7, forKey: "price")
      box.toys[0].setValue(1, forKey: "price")
    }
    #expect(box.toys.value(forKey: "price") as? [Int] == [1, 7, 7])
    let names = box.toys.value(forKeyPath: "name") as? [Any?]
    #expect(names?.map { $0 as? String } == ["a", "b", "b"])
    #expect(box.toys.value(forKeyPath: "@count") as? Int == 3)
    #expect(box.toys.value(forKeyPath: "@sum.price") as? Int == 15)
    #expect(box.toys.value(forKeyPath: "@avg.price") as? Double == 5)
    #expect(box.toys.value(forKeyPath: "@min.price") as? Int == 1)
    #expect(box.toys.value(forKeyPath: "@distinctUnionOfObjects.name") as? [String] == ["a", "b"])
  }

  @Test func nearestFirst() throws {
    let seed = Soak.seed(134)
    var random = SplitMix64(seed: seed)
    let file = TemporaryStore()
    defer { withExtendedLifetime(file) {} }
    let realm = try file.realm()
    try realm.write {
      for id in 0..<200 {
        let stop = Stop()
        stop.id = id
        if id % 10 != 0 {
          stop.place = GeoPoint(
            latitude: .random(in: -90...90, using: &random),
            longitude: .random(in: -180...180, using: &random))
        }
        realm.add(stop)
      }
    }
    let here = try #require(GeoPoint(latitude: 50, longitude: 7))
    let stops = realm.objects(Stop.self)
    func distance(_ stop: Stop) -> Double {
      guard let place = stop.place else { return .infinity }
      let (a, b) = (here.latitude * .pi / 180, place.latitude * .pi / 180)
      let d = (place.longitude - here.longitude) * .pi / 180
      // The squared chord grows with the angle.
      return 2 - 2 * (sin(a) * sin(b) + cos(a) * cos(b) * cos(d))
    }
    let expected = Array(stops).sorted { distance($0) < distance($1) }.map(\.id)
    let found = stops.sorted(by: \.place, distanceTo: here).map(\.id)
    #expect(Array(found.prefix(180)) == Array(expected.prefix(180)), "seed \(seed)")
    #expect(Set(found.suffix(20)) == Set(expected.suffix(20)), "seed \(seed)")
    #expect(stops.nearest(to: here).limit(3).map(\.id) == Array(expected.prefix(3)))
  }
}

class Stop: Object {
  @Persisted(primaryKey: true) var id = 0
  @Persisted var place: GeoPoint?
}
