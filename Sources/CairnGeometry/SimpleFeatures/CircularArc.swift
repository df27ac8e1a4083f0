/// The chords of circular arcs, in the plane of the coordinates.
///
/// The three positions of an arc stay exact. A chord spans at most one degree of its circle, so it is
/// nowhere farther from the arc than 1 - cos(0.5°), 0.004 % of the radius.
enum CircularArc {
  private static let widest = Double.pi / 180

  /// Returns the positions of the line for a string of arcs: the first position, and two more for each
  /// arc. Returns nil for another number of positions.
  static func line(through positions: [EncodedPosition]) -> [EncodedPosition]? {
    guard positions.count % 2 == 1, positions.count != 1 else {
      return positions.isEmpty ? [] : nil
    }
    return stride(from: 2, to: positions.count, by: 2).reduce(into: [positions[0]]) { line, end in
      append(positions[end - 2], positions[end - 1], positions[end], to: &line)
    }
  }

  /// Appends the chords from `a` over `b` to `c`; a whole circle if `c` is `a`.
  private static func append(
    _ a: EncodedPosition, _ b: EncodedPosition, _ c: EncodedPosition,
    to line: inout [EncodedPosition]
  ) {
    guard let centre = centre(a, b, c) else {
      line += [b, c]
      return
    }
    let angles = [a, b, c].map {
      arcTangent($0.latitude - centre.y, x: $0.longitude - centre.x)
    }
    let isLeft = turnsLeft(a, b, c)
    appendChords(a, b, from: angles[0], to: angles[1], isLeft: isLeft, about: centre, to: &line)
    appendChords(b, c, from: angles[1], to: angles[2], isLeft: isLeft, about: centre, to: &line)
  }

  private static func appendChords(
    _ start: EncodedPosition, _ end: EncodedPosition, from: Double, to: Double, isLeft: Bool,
    about centre: PlanePoint, to line: inout [EncodedPosition]
  ) {
    var turn = to - from
    if isLeft, turn <= 0 { turn += 2 * .pi }
    if !isLeft, turn >= 0 { turn -= 2 * .pi }
    let (x, y) = (start.longitude - centre.x, start.latitude - centre.y)
    let radius = (x * x + y * y).squareRoot()
    let count = max(1, (abs(turn) / widest).rounded(.up))
    for step in stride(from: 1, to: count, by: 1) {
      let angle = from + turn * step / count
      line.append(
        EncodedPosition(
          longitude: centre.x + radius * cosine(angle), latitude: centre.y + radius * sine(angle),
          altitude: altitude(start, end, at: step / count)))
    }
    line.append(end)
  }

  private static func altitude(
    _ start: EncodedPosition, _ end: EncodedPosition, at share: Double
  ) -> Double? {
    guard let low = start.altitude, let high = end.altitude else { return nil }
    return low + (high - low) * share
  }

  private static func turnsLeft(_ a: EncodedPosition, _ b: EncodedPosition, _ c: EncodedPosition)
    -> Bool
  {
    let (x, y) = (b.longitude - a.longitude, b.latitude - a.latitude)
    return x * (c.latitude - a.latitude) - y * (c.longitude - a.longitude) > 0
  }

  /// The centre of the circle; nil if the positions are on a line, as far as their digits tell.
  private static func centre(
    _ a: EncodedPosition, _ b: EncodedPosition, _ c: EncodedPosition
  ) -> PlanePoint? {
    let (bx, by) = (b.longitude - a.longitude, b.latitude - a.latitude)
    let (cx, cy) = (c.longitude - a.longitude, c.latitude - a.latitude)
    if a.isAt(c) {
      return a.isAt(b) ? nil : PlanePoint(x: a.longitude + bx / 2, y: a.latitude + by / 2)
    }
    let cross = bx * cy - by * cx
    // Positions on a line that were rounded to doubles have a product other than zero.
    let greatest = [a, b, c].reduce(0) { max($0, abs($1.longitude), abs($1.latitude)) }
    guard abs(cross) > 8 * greatest.ulp * (abs(bx) + abs(by) + abs(cx) + abs(cy)) else {
      return nil
    }
    let whole = 2 * cross
    let (ownB, ownC) = (bx * bx + by * by, cx * cx + cy * cy)
    let x = (cy * ownB - by * ownC) / whole
    let y = (bx * ownC - cx * ownB) / whole
    guard x.isFinite, y.isFinite else { return nil }
    return PlanePoint(x: a.longitude + x, y: a.latitude + y)
  }
}
