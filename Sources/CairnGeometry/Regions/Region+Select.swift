extension Region {
  /// Which of up to 64 places in degrees are in the region; bit i is place i.
  package func select(
    longitudes: UnsafePointer<Double>, latitudes: UnsafePointer<Double>, count: Int
  ) -> UInt64 {
    switch test {
    case .nothing: 0
    case .everything: gather(count) { _ in true }
    case .box(let box): gather(count) { box.contains(longitudes[$0], latitudes[$0]) }
    case .cap(let cap, _): gather(count) { cap.contains(longitudes[$0], latitudes[$0]) }
    case .planar(let cover): gather(count) { cover.contains(longitudes[$0], latitudes[$0]) }
    case .geodesic(let cover): gather(count) { cover.contains(longitudes[$0], latitudes[$0]) }
    }
  }

  /// Which of up to 64 places in steps of 1e-7 degrees are in the region; bit i is place i.
  package func select(
    longitudeSteps: UnsafePointer<Int32>, latitudeSteps: UnsafePointer<Int32>, count: Int
  ) -> UInt64 {
    switch test {
    case .nothing: 0
    case .everything: gather(count) { _ in true }
    case .box(let box):
      gather(count) {
        box.contains(Step.degrees(longitudeSteps[$0]), Step.degrees(latitudeSteps[$0]))
      }
    case .cap(let cap, _):
      gather(count) {
        cap.contains(Step.degrees(longitudeSteps[$0]), Step.degrees(latitudeSteps[$0]))
      }
    case .planar(let cover):
      gather(count) {
        cover.contains(Step.degrees(longitudeSteps[$0]), Step.degrees(latitudeSteps[$0]))
      }
    case .geodesic(let cover):
      gather(count) {
        cover.contains(Step.degrees(longitudeSteps[$0]), Step.degrees(latitudeSteps[$0]))
      }
    }
  }
}
