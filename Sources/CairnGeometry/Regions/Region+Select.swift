extension Region {
  /// Which of up to 64 places in degrees are in the region; bit i is place i.
  package func select(
    longitudes: UnsafePointer<Double>, latitudes: UnsafePointer<Double>, count: Int
  ) -> UInt64 {
    switch test {
    case .everything: lowBits(count)
    case .box(let box): box.select(longitudes, latitudes, count)
    case .cap(let cap, _): cap.select(longitudes, latitudes, count)
    case .planar(let cover): gather(count) { cover.contains(longitudes[$0], latitudes[$0]) }
    case .geodesic(let cover): gather(count) { cover.contains(longitudes[$0], latitudes[$0]) }
    }
  }

  /// Which of up to 64 places in steps of 1e-7 degrees are in the region; bit i is place i.
  package func select(
    longitudeSteps: UnsafePointer<Int32>, latitudeSteps: UnsafePointer<Int32>, count: Int
  ) -> UInt64 {
    switch test {
    case .everything: lowBits(count)
    case .box(let box): box.select(longitudeSteps, latitudeSteps, count)
    case .cap(let cap, _): cap.select(longitudeSteps, latitudeSteps, count)
    case .planar(let cover): cover.select(longitudeSteps, latitudeSteps, count)
    case .geodesic(let cover): cover.select(longitudeSteps, latitudeSteps, count)
    }
  }
}
