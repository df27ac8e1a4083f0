import Cairn
import Dispatch
import GRDB

/// Measures the time from a commit to the call of an observer. On both sides, the observer has a
/// queue of its own, and the next commit waits for the call.
extension WriteJobs {
  /// A condition as a query and as SQL.
  typealias Condition = (cairn: @Sendable (Results<Vehicle>) -> Results<Vehicle>, sql: String)

  var circle: Condition {
    (
      { vehicles in
        guard let radius = Distance.kilometers(50),
          let place = GeoPoint(latitude: 47.6, longitude: -122.3)
        else { return vehicles }
        let circle = GeoCircle(center: place, radius: radius)
        return vehicles.where { $0.location.geoWithin(circle) }
      },
      """
      SELECT vehicle.id FROM vehicle JOIN place ON place.id = vehicle.id
      WHERE \(GRDBSide.circle(-122.3, 47.6, metres: 50_000))
      """
    )
  }

  var half: Condition {
    ({ $0.where { $0.speed > 15 } }, "SELECT id FROM vehicle WHERE speed > 15")
  }

  /// Changes a vehicle so that it meets the condition at every other turn.
  func inCircle(_ turn: Int, _ vehicle: Vehicle?) -> String {
    let latitude = turn % 2 == 0 ? 47.6 : 0
    vehicle?.location = GeoPoint(latitude: latitude, longitude: -122.3)
    return """
      UPDATE vehicle SET latitude = \(latitude), longitude = -122.3 WHERE id = 0;
      UPDATE place SET west = -122.3, east = -122.3, south = \(latitude), north = \(latitude)
      WHERE id = 0;
      """
  }

  func inHalf(_ turn: Int, _ vehicle: Vehicle?) -> String {
    let speed = turn % 2 == 0 ? 20 : 10
    vehicle?.speed = Double(speed)
    return "UPDATE vehicle SET speed = \(speed) WHERE id = 0"
  }

  func telling(
    _ job: String, _ condition: Condition, _ set: (Int, Vehicle?) -> String
  ) throws -> Rate {
    let told = DispatchSemaphore(value: 0)
    let queue = DispatchQueue(label: "cairn.bench.observer")
    let configuration = cairn.realm.configuration
    let token = try queue.sync {
      let realm = try Realm(configuration: configuration, queue: queue)
      return condition.cairn(realm.objects(Vehicle.self)).observe(on: queue) { _ in told.signal() }
    }
    told.wait()
    let sql = condition.sql
    let observation = ValueObservation.tracking { try Int.fetchAll($0, sql: sql) }
      .start(
        in: grdb.queue, scheduling: .async(onQueue: queue), onError: { print("GRDB: \($0)") },
        onChange: { _ in told.signal() })
    told.wait()
    defer {
      token.invalidate()
      observation.cancel()
    }
    let vehicle = cairn.realm.object(ofType: Vehicle.self, forPrimaryKey: 0)
    var (ours, theirs) = (0, 0)
    return try Rate("\(job), \(size)", size: 10, rounds: 7) {
      for _ in 0..<10 {
        try cairn.realm.write { _ = set(ours, vehicle) }
        ours += 1
        told.wait()
      }
    } grdb: {
      for _ in 0..<10 {
        try grdb.queue.write { try $0.execute(sql: set(theirs, nil)) }
        theirs += 1
        told.wait()
      }
    }
  }
}
