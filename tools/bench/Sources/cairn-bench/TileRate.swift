import Cairn
import CairnTiles
import Foundation
import Measuring

/// Makes the tiles of random places on two threads for some seconds, without a server: what
/// `ST_AsMVT` does in a database.
struct TileRate {
  private let store: String
  private let className: String
  private let zoom: Int
  private let seconds: Double
  private let places: [(longitude: Double, latitude: Double)]

  /// - Parameter targets: A file with a longitude and a latitude in each line.
  init(store: String, className: String, targets: String, zoom: Int, seconds: Double) throws {
    self.store = store
    self.className = className
    self.zoom = zoom
    self.seconds = seconds
    places = try String(contentsOfFile: targets, encoding: .utf8).split(separator: "\n").compactMap
    {
      let numbers = $0.split(separator: " ").compactMap { Double($0) }
      return numbers.count == 2 ? (numbers[0], numbers[1]) : nil
    }
    precondition(!places.isEmpty, "\(targets) has no places")
  }

  func run() throws {
    let results = Collected()
    let threads = (1...2).map { seed in
      let thread = Thread {
        do { results.add(try make(seed: UInt64(seed))) } catch { results.fail(error) }
      }
      thread.start()
      return thread
    }
    while threads.contains(where: { !$0.isFinished }) { usleep(10_000) }
    let times = try results.times().sorted()
    let p99 = times[min(times.count - 1, times.count * 99 / 100)]
    print(
      String(
        format: """
          {"job": "tiles at places z%d", "tiles": %d, "per_second": %.0f, "median_ms": %.3f, \
          "p99_ms": %.3f}
          """, zoom, times.count, Double(times.count) / seconds, median(times), p99))
  }

  /// Makes tiles until the end. Returns the milliseconds of each.
  private func make(seed: UInt64) throws -> [Double] {
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: store), readOnly: true))
    let objects = realm.dynamicObjects(className)
    var times: [Double] = []
    var random = Random(seed: seed)
    var start = now()
    let end = start + seconds
    while start < end {
      let (x, y) = tile(of: places[Int(random.uniform(0, Double(places.count)))])
      _ = try objects.tile(z: zoom, x: x, y: y)
      let next = now()
      times.append((next - start) * 1000)
      start = next
    }
    return times
  }

  private func tile(of place: (longitude: Double, latitude: Double)) -> (Int, Int) {
    let side = Double(1 << zoom)
    let latitude = place.latitude * .pi / 180
    let y = (1 - log(tan(latitude) + 1 / cos(latitude)) / .pi) / 2
    return (Int((place.longitude + 180) / 360 * side), Int(y * side))
  }

  /// What the threads have measured.
  private final class Collected: @unchecked Sendable {
    // Sendable: all state is read and written under `lock`.
    private let lock = NSLock()
    private var all: [Double] = []
    private var failure: (any Error)?

    func add(_ times: [Double]) { lock.withLock { all += times } }
    func fail(_ error: any Error) { lock.withLock { failure = error } }
    func times() throws -> [Double] {
      try lock.withLock {
        if let failure { throw failure }
        return all
      }
    }
  }
}
