/// Where a coordinate system is meant to be used.
struct AreaOfUse: CustomStringConvertible {
  private let west: Double
  private let south: Double
  private let east: Double
  private let north: Double
  private let name: String

  /// Places this much further out are still taken: areas of use are drawn along borders, data is not.
  private static let leastMargin = 3.0

  /// Nil when PROJ does not know it.
  init?(_ system: PROJObject) {
    var (west, south, east, north) = (-1000.0, -1000.0, -1000.0, -1000.0)
    var name: UnsafePointer<CChar>?
    let found = system.context.library.areaOfUse(
      system.context.handle, system.handle, &west, &south, &east, &north, &name)
    guard found != 0, west > -1000, south > -1000, east > -1000, north > -1000 else { return nil }
    self.west = west
    self.south = south
    self.east = west > east ? east + 360 : east
    self.north = north
    self.name = name.map { String(cString: $0) } ?? "unnamed"
  }

  /// Whether a place lies in the area, or no further from it than the area is wide and high.
  func isNear(_ longitude: Double, _ latitude: Double) -> Bool {
    let height = max(north - south, Self.leastMargin)
    guard latitude >= south - height, latitude <= north + height else { return false }
    let width = max(east - west, Self.leastMargin)
    guard width < 120 else { return true }
    return [longitude - 360, longitude, longitude + 360]
      .contains { $0 >= west - width && $0 <= east + width }
  }

  var description: String { "\(name): \(west) to \(east) east, \(south) to \(north) north" }
}
