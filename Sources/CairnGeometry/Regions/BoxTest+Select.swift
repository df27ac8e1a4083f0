extension BoxTest {
  /// Which of up to 64 places in steps are in the box.
  func select(
    _ xs: UnsafePointer<Int32>, _ ys: UnsafePointer<Int32>, _ count: Int
  ) -> UInt64 {
    let word = first.select(xs, ys, count)
    guard let second else { return word }
    return word | second.select(xs, ys, count)
  }

  /// Which of up to 64 places in degrees are in the box.
  func select(
    _ xs: UnsafePointer<Double>, _ ys: UnsafePointer<Double>, _ count: Int
  ) -> UInt64 {
    gather(count) { contains(xs[$0], ys[$0]) }
  }
}

extension BoxTest.Rectangle {
  fileprivate func select(
    _ xs: UnsafePointer<Int32>, _ ys: UnsafePointer<Int32>, _ count: Int
  ) -> UInt64 {
    guard count == 64 else {
      return gather(count) { contains(Step.degrees(xs[$0]), Step.degrees(ys[$0])) }
    }
    return steps.select(longitudeSteps: xs, latitudeSteps: ys)
  }
}
