import Cairn
import Testing

/// An observed `geoWithin` query reports entries and exits.
@Suite struct GeofenceTests {
  @Test func reportsEntriesAndExits() throws {
    let onQueue = QueueRealm()
    try onQueue { realm in
      let bonn = GeoPoint(latitude: 50.73, longitude: 7.1)!
      let berlin = GeoPoint(latitude: 52.52, longitude: 13.4)!
      let otters = (1...4).map { Otter(value: ["id": $0]) }
      try realm.write {
        realm.add(otters)
        otters[0].place = bonn
      }
      let fence = GeoCircle(center: bonn, radius: .kilometers(50)!)
      var inside: Set<Int> = []
      var ids: [Int] = []
      var log: [String] = []
      let token = realm.objects(Otter.self).where { $0.place.geoWithin(fence) }.observe { change in
        switch change {
        case .initial(let otters): ids = otters.map(\.id)
        case .update(let otters, let deletions, let insertions, _):
          for place in deletions { log.append("\(ids[place]) left") }
          for place in insertions { log.append("\(otters[place].id) came") }
          ids = otters.map(\.id)
        case .error(let error): Issue.record(error)
        }
        inside = Set(ids)
      }
      func move(_ body: () -> Void) throws {
        try realm.write(body)
        realm.refresh()
      }
      realm.refresh()
      #expect(inside == [1])
      try move {
        otters[1].place = bonn
        otters[2].place = berlin
      }
      try move { otters[0].place = berlin }
      try move { otters[2].place = GeoPoint(latitude: 50.8, longitude: 7.2) }
      try move { otters[1].place = nil }
      try move { realm.delete(otters[2]) }
      try move { otters[0].name = "moves no one" }
      #expect(log == ["2 came", "1 left", "3 came", "2 left", "3 left"])
      #expect(inside == [])
      _ = token
    }
  }
}
