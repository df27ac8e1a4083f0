import Cairn
import CairnTiles
import Foundation
import Measuring

/// Times the tiles of a class, zoom level by zoom level, on one thread.
///
/// At each level, the tiles below those of the level before are made once; the next level begins with
/// the largest of them and some others.
struct TileJobs {
  private let objects: Results<DynamicObject>
  private let options: TileOptions

  private static let lastZoom = 14
  /// The numbers of tiles below which the next level's tiles are timed.
  private static let largest = 40
  private static let others = 60

  init(store: String, className: String, attributes: [String], condition: String?) throws {
    let realm = try Realm(
      configuration: Realm.Configuration(fileURL: URL(fileURLWithPath: store), readOnly: true))
    let all = realm.dynamicObjects(className)
    objects = condition.map { all.filter($0) } ?? all
    var options = TileOptions()
    options.attributes = attributes
    self.options = options
  }

  func run() throws {
    var level = [(x: 0, y: 0)]
    for zoom in 0...Self.lastZoom {
      var made: [(x: Int, y: Int, bytes: Int, milliseconds: Double)] = []
      for (x, y) in level {
        // The first run reads the pages from the disk.
        _ = try objects.tile(z: zoom, x: x, y: y, options: options)
        let start = Self.processorTime()
        let tile = try objects.tile(z: zoom, x: x, y: y, options: options)
        made.append((x, y, tile.count, (Self.processorTime() - start) * 1000))
      }
      made.removeAll { $0.bytes == 0 }
      report(zoom, made.map(\.milliseconds).sorted(), bytes: made.map(\.bytes).sorted())
      made.sort { $0.bytes > $1.bytes }
      let rest = made.dropFirst(Self.largest)
      let step = max(1, rest.count / Self.others)
      let next =
        made.prefix(Self.largest)
        + stride(from: rest.startIndex, to: rest.endIndex, by: step).map { rest[$0] }
      level = next.flatMap { tile in
        (0..<4).map { (2 * tile.x + $0 % 2, 2 * tile.y + $0 / 2) }
      }
    }
  }

  private func report(_ zoom: Int, _ times: [Double], bytes: [Int]) {
    guard let slowest = times.last, let largest = bytes.last else { return }
    let p99 = times[min(times.count - 1, times.count * 99 / 100)]
    print(
      String(
        format: """
          {"job": "tiles z%d", "tiles": %d, "median_ms": %.3f, "p99_ms": %.3f, "max_ms": %.3f, \
          "max_bytes": %d}
          """, zoom, times.count, median(times), p99, slowest, largest))
    fflush(nil)
  }

  /// The processor time of all threads, in seconds.
  private static func processorTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
}
