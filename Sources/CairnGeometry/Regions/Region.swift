/// A shape made ready to be asked about rectangles and points.
package final class Region: Sendable {
  enum Test: Sendable {
    case everything
    case box(BoxTest)
    case cap(CapTest, CapCover)
    case planar(EdgeCover<PlanarEdge>)
    case geodesic(EdgeCover<GeodesicEdge>)
  }

  /// What it was made from; a polygon keeps its region, so that the region must not keep the polygon.
  enum Source: Sendable {
    case box(GeoBox)
    case circle(GeoCircle)
    case words(String)
  }

  let test: Test

  /// Any rectangle with a lane above these is missed.
  package let reach: SIMD4<Int32>
  /// Any rectangle in this one is held.
  package let core: Envelope
  /// `reach` and `core` tell everything: a rectangle that is neither missed nor held is cut.
  package let isRectangle: Bool
  private let source: Source

  init(_ test: Test, of source: Source, bounds: Envelope, core: Envelope, isRectangle: Bool) {
    self.test = test
    self.source = source
    self.reach = bounds.reach
    self.core = core
    self.isRectangle = isRectangle
  }

  /// The region in words, for `explain`.
  package var description: String {
    switch source {
    case .box(let box): box.description
    case .circle(let circle): circle.description
    case .words(let words): words
    }
  }

  /// The rectangle outside of which there is nothing of the region.
  package var bounds: Envelope {
    Envelope(lanes: SIMD4(-reach.z, -reach.w, -reach.x, -reach.y))
  }
}

extension Envelope {
  /// The whole earth.
  package static var world: Envelope {
    let (half, quarter) = (Step.halfTurn, Step.quarterTurn)
    return Envelope(lanes: SIMD4(-half, -quarter, -half, -quarter))
  }
}
