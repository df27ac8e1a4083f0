/// A point of a plane.
struct PlanePoint: Hashable {
  var x: Double
  var y: Double
}

/// On which side of the way from `a` to `b` a point lies: 1 left, -1 right, 0 on the line; exact.
func orientation(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Int {
  let rise = (b.x - a.x) * (c.y - a.y)
  let run = (b.y - a.y) * (c.x - a.x)
  let turn = rise - run
  // Shewchuk's bound on the rounding of an orientation.
  let bound = 3.330_669_073_875_472e-16 * (abs(rise) + abs(run))
  if turn > bound { return 1 }
  if -turn > bound { return -1 }
  return rise == 0 && run == 0 ? 0 : exactOrientation(a, b, c)
}

/// The sign of the determinant as a sum of products that are taken apart without loss.
private func exactOrientation(_ a: PlanePoint, _ b: PlanePoint, _ c: PlanePoint) -> Int {
  var sum = ExactSum()
  sum.add(b.x, c.y)
  sum.add(-b.x, a.y)
  sum.add(-a.x, c.y)
  sum.add(-b.y, c.x)
  sum.add(b.y, a.x)
  sum.add(a.y, c.x)
  return sum.sign
}

/// A sum of products kept as doubles that do not overlap, the smallest first.
private struct ExactSum {
  private var parts: [Double] = []

  mutating func add(_ x: Double, _ y: Double) {
    let product = x * y
    add(product)
    add((-product).addingProduct(x, y))
  }

  private mutating func add(_ value: Double) {
    var carry = value
    var kept: [Double] = []
    for part in parts {
      let sum = carry + part
      let share = sum - carry
      let rest = (carry - (sum - share)) + (part - share)
      if rest != 0 { kept.append(rest) }
      carry = sum
    }
    if carry != 0 { kept.append(carry) }
    parts = kept
  }

  /// The greatest part outweighs all others.
  var sign: Int {
    guard let last = parts.last else { return 0 }
    return last > 0 ? 1 : -1
  }
}
