/// The shortest interval of longitudes that contains all added ones; it may cross the antimeridian.
struct LongitudeSpan {
  private static let binCount = 720
  private static let binWidth = 360.0 / Double(binCount)
  /// The smallest gap, in degrees, that is worth rotating the map for.
  private static let minGap = 20.0

  /// The least and greatest longitudes in each bin, in degrees from the bin's western edge.
  private var lowest = [Double](repeating: .infinity, count: binCount)
  private var highest = [Double](repeating: -.infinity, count: binCount)

  /// Adds a longitude, of any rotation.
  mutating func add(_ longitude: Double) {
    let turned = (longitude + 180) / 360
    let position = (turned - turned.rounded(.down)) * Double(Self.binCount)
    let bin = min(Int(position), Self.binCount - 1)
    let offset = (position - Double(bin)) * Self.binWidth
    lowest[bin] = min(lowest[bin], offset)
    highest[bin] = max(highest[bin], offset)
  }

  /// Adds all longitudes between two.
  mutating func add(from west: Double, to east: Double) {
    var longitude = west
    while longitude < east {
      add(longitude)
      longitude += Self.binWidth
    }
    add(east)
  }

  /// The bounds in degrees; `east` may be beyond 180. Nil if nothing was added.
  var bounds: (west: Double, east: Double)? {
    let used = lowest.indices.filter { lowest[$0] < .infinity }
    guard let first = used.first, let last = used.last else { return nil }
    var widest = (gap: Self.west(of: first) + 360 - Self.west(of: last), before: first, after: last)
    for (bin, next) in zip(used, used.dropFirst()) {
      let gap = Self.west(of: next) - Self.west(of: bin)
      if gap > widest.gap { widest = (gap, next, bin) }
    }
    guard widest.gap > Self.minGap else { return (-180, 180) }
    let west = Self.west(of: widest.before) + lowest[widest.before]
    let east = Self.west(of: widest.after) + highest[widest.after]
    return (west, east < west ? east + 360 : east)
  }

  private static func west(of bin: Int) -> Double { Double(bin) * binWidth - 180 }
}
