import Cairn
import Foundation
import Measuring

/// Moves vehicles in durable commits at a steady rate, as a process of its own. It prints a line for
/// each commit: its number, and the times at which it began and at which it was on disk.
struct MovingWriter {
  let store: URL
  /// The moves of a second.
  let rate: Int
  /// The moves of a commit.
  let batch: Int
  let seconds: Double
  /// The longest move in degrees; 0 for a random place.
  let step: Double

  func run() throws {
    let realm = try Realm(configuration: FenceWorld.configuration(store))
    let count = realm.objects(Vehicle.self).count
    var turn = (realm.objects(Vehicle.self).max(of: \.turn) ?? 0) + 1
    var random = Random(seed: UInt64(turn))
    var next = turn * batch % count
    let start = now()
    var planned = start
    while planned < start + seconds {
      let delay = planned - now()
      if delay > 0 { usleep(UInt32(delay * 1e6)) }
      let began = now()
      try realm.write {
        for _ in 0..<batch {
          if let vehicle = realm.object(ofType: Vehicle.self, forPrimaryKey: next) {
            move(vehicle, turn: turn, random: &random)
          }
          next = (next + 1) % count
        }
      }
      print("\(turn) \(began) \(now())")
      fflush(nil)
      turn += 1
      planned += Double(batch) / Double(rate)
    }
  }

  private func move(_ vehicle: Vehicle, turn: Int, random: inout Random) {
    var (x, y) = (random.uniform(-175, 175), random.uniform(-75, 75))
    if step > 0, let place = vehicle.location {
      x = min(175, max(-175, place.longitude + random.uniform(-step, step)))
      y = min(75, max(-75, place.latitude + random.uniform(-step, step)))
    }
    vehicle.location = GeoPoint(
      latitude: FenceWorld.rounded(y), longitude: FenceWorld.rounded(x))
    vehicle.turn = turn
  }
}
