/// A point of a plane.
struct PlanePoint: Hashable {
  var x: Double
  var y: Double
}

/// The exact side of the line from `a` to `b` on which a point lies: 1 left, -1 right, 0 on the
/// line.
@inline(__always)
func orientation(_ a: PlanePoint, b: PlanePoint, c: PlanePoint) -> Int {
  let determinant = Determinant(a, b: b, c: c)
  if determinant.value > determinant.error { return 1 }
  if -determinant.value > determinant.error { return -1 }
  return determinant.error == 0 ? 0 : closeOrientation(a, b: b, c: c)
}

/// Twice the area of a triangle, positive if its corners turn left, with a bound of its error.
struct Determinant {
  let value: Double
  let error: Double

  @inline(__always)
  init(_ a: PlanePoint, b: PlanePoint, c: PlanePoint) {
    let rise = (b.x - a.x) * (c.y - a.y)
    let run = (b.y - a.y) * (c.x - a.x)
    value = rise - run
    error = orientationErrorBound * (abs(rise) + abs(run))
  }
}

/// The side of a point too close to a line for rounding to tell.
@inline(never)
private func closeOrientation(_ a: PlanePoint, b: PlanePoint, c: PlanePoint) -> Int {
  if c == b || c == a || a == b { return 0 }
  // The differences of neighbouring coordinates are exact most of the time.
  guard let abx = exactDifference(b.x, a.x), let aby = exactDifference(b.y, a.y),
    let acx = exactDifference(c.x, a.x), let acy = exactDifference(c.y, a.y)
  else { return Expansion(orientationOf: a, b: b, c: c).sign }
  let (rise, run) = (abx * acy, aby * acx)
  if rise != run { return rise > run ? 1 : -1 }
  let (riseRest, runRest) = ((-rise).addingProduct(abx, acy), (-run).addingProduct(aby, acx))
  return riseRest == runRest ? 0 : riseRest > runRest ? 1 : -1
}

/// The difference of two numbers, or nil if it is not a Double.
@inline(__always)
private func exactDifference(_ a: Double, _ b: Double) -> Double? {
  let difference = a - b
  let virtual = a - difference
  let rest = (a - (difference + virtual)) + (virtual - b)
  return rest == 0 ? difference : nil
}

/// A number as a sum of doubles that do not overlap, the smallest first. It is exact.
struct Expansion {
  private(set) var parts: [Double] = []

  /// Zero.
  init() {}

  /// Twice the area of a triangle, positive if its corners turn left.
  init(orientationOf a: PlanePoint, b: PlanePoint, c: PlanePoint) {
    add(b.x, times: c.y)
    add(-b.x, times: a.y)
    add(-a.x, times: c.y)
    add(-b.y, times: c.x)
    add(b.y, times: a.x)
    add(a.y, times: c.x)
  }

  /// Adds a product.
  mutating func add(_ x: Double, times y: Double) {
    let product = x * y
    add(product)
    add((-product).addingProduct(x, y))
  }

  /// Adds the product of two exact numbers.
  mutating func add(_ one: Expansion, times other: Expansion) {
    for x in one.parts {
      for y in other.parts { add(x, times: y) }
    }
  }

  private mutating func add(_ value: Double) {
    var carry = value
    var kept = 0
    for index in parts.indices {
      let part = parts[index]
      let sum = carry + part
      let share = sum - carry
      let rest = (carry - (sum - share)) + (part - share)
      if rest != 0 {
        parts[kept] = rest
        kept += 1
      }
      carry = sum
    }
    parts.removeLast(parts.count - kept)
    if carry != 0 { parts.append(carry) }
  }

  /// The negative number.
  static prefix func - (number: Expansion) -> Expansion {
    var negative = number
    for index in negative.parts.indices { negative.parts[index].negate() }
    return negative
  }

  /// 1, 0 or -1. The last part outweighs all others.
  var sign: Int {
    guard let last = parts.last else { return 0 }
    return last > 0 ? 1 : -1
  }
}
