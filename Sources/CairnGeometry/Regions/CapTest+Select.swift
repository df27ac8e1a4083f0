extension CapTest {
  /// Which of up to 64 places in steps are in the region.
  func select(
    _ xs: UnsafePointer<Int32>, _ ys: UnsafePointer<Int32>, _ count: Int
  ) -> UInt64 {
    guard count == 64 else {
      return gather(count) { contains(Step.degrees(xs[$0]), Step.degrees(ys[$0])) }
    }
    let (inside, open) = filter.select(xs, ys)
    let sure = isComplement ? ~(inside | open) : inside
    guard open != 0 else { return sure }
    return sure | gather(open) { contains(Step.degrees(xs[$0]), Step.degrees(ys[$0])) }
  }

  /// Which of up to 64 places in degrees are in the region.
  func select(
    _ xs: UnsafePointer<Double>, _ ys: UnsafePointer<Double>, _ count: Int
  ) -> UInt64 {
    guard count == 64 else { return gather(count) { contains(xs[$0], ys[$0]) } }
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: 128) { steps in
      guard let columns = steps.baseAddress else { return 0 }
      let rows = columns + 64
      for index in 0..<64 { columns[index] = Step.near(xs[index]) }
      for index in 0..<64 { rows[index] = Step.near(ys[index]) }
      // A step is 1.8e-9 radians.
      let filter = CapFilter(
        longitude: longitude, latitude: latitude, radius: radius, slack: 5e-9)
      let (inside, open) = filter.select(columns, rows)
      let sure = isComplement ? ~(inside | open) : inside
      return sure | gather(open) { contains(xs[$0], ys[$0]) }
    }
  }
}
