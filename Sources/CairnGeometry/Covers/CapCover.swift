/// A cap in bands of latitude: how far east and west of its middle it reaches in each.
final class CapCover: @unchecked Sendable {
  // Sendable: written by init only.

  /// Half widths in steps: at most `inner` is inside, beyond `outer` outside; -1 is nowhere.
  struct Band {
    var inner: Int32
    var outer: Int32
  }

  private let south: Int32
  private let north: Int32
  private let shift: Int32
  private let middle: Int64
  private let bands: UnsafeMutablePointer<Band>

  init(_ cap: CapTest) {
    let profile = CapProfile(cap)
    let reach = (cap.radius + CapProfile.slack).inDegrees
    south = max(-Step.quarterTurn, Step.below(max(-90, cap.latitude - reach)) - 2)
    north = min(Step.quarterTurn, Step.above(min(90, cap.latitude + reach)) + 2)
    middle = Int64((cap.longitude * Step.perDegree).rounded())
    let extent = north - south
    shift = Self.shift(extent, atMost: Self.bandCount(radius: cap.radius))
    let count = Int(extent >> shift) + 1
    bands = .allocate(capacity: count)
    var low = profile.edge(Step.degrees(south))
    for index in 0..<count {
      let top = min(Int64(Step.quarterTurn), Int64(south) + Int64(index + 1) << Int64(shift))
      let high = profile.edge(Step.degrees(Int32(top)))
      bands[index] = profile.band(from: low, to: high)
      low = high
    }
  }

  deinit { bands.deallocate() }

  /// More bands for wider caps, which cut more nodes.
  private static func bandCount(radius: Double) -> Int32 {
    radius < 0.002 ? 12 : radius < 0.02 ? 24 : radius < 0.2 ? 64 : 128
  }

  private static func shift(_ extent: Int32, atMost count: Int32) -> Int32 {
    var shift: Int32 = 0
    while extent >> shift >= count { shift += 1 }
    return shift
  }

  /// The rectangle around the cap; all longitudes where it holds a pole or reaches the antimeridian.
  var bounds: Envelope {
    let count = Int((north - south) >> shift) + 1
    let width = Int64((0..<count).reduce(-1) { max($0, bands[$1].outer) })
    let half = Int64(Step.halfTurn)
    guard middle - width >= -half, middle + width <= half else {
      return Envelope(lanes: SIMD4(-Step.halfTurn, south, -Step.halfTurn, -north))
    }
    return Envelope(
      lanes: SIMD4(Int32(middle - width), south, -Int32(middle + width), -north))
  }

  /// What the cap is to a rectangle.
  func classify(_ envelope: Envelope) -> Containment {
    let low = envelope.lanes.y
    let high = -envelope.lanes.w
    guard low <= north, high >= south else { return .missed }
    let (near, far) = offsets(envelope)
    var isHeld = low >= south && high <= north
    var isMissed = true
    let last = Int((min(high, north) - south) >> shift)
    for index in Int((max(low, south) - south) >> shift)...last {
      let band = bands[index]
      isHeld = isHeld && far <= band.inner
      isMissed = isMissed && near > band.outer
      if !isHeld && !isMissed { return .cut }
    }
    return isHeld ? .held : .missed
  }

  /// The least and the greatest difference of longitude to the middle, in steps.
  private func offsets(_ envelope: Envelope) -> (near: Int64, far: Int64) {
    let west = Int64(envelope.lanes.x) - middle
    let east = Int64(-envelope.lanes.z) - middle
    let half = Int64(Step.halfTurn)
    let (one, other) = (Self.fold(west), Self.fold(east))
    let holdsMiddle = west <= 0 && east >= 0
    let holdsOpposite = (west <= half && east >= half) || (west <= -half && east >= -half)
    return (holdsMiddle ? 0 : min(one, other), holdsOpposite ? half : max(one, other))
  }

  private static func fold(_ difference: Int64) -> Int64 {
    let size = abs(difference)
    return size > Int64(Step.halfTurn) ? 2 * Int64(Step.halfTurn) - size : size
  }
}
