import CairnSystem

/// An area and its parts in boxes, so that a small geometry is cut by a few edges of a large area.
///
/// A box has the parts of its area in 4 x 4 boxes, each made when a geometry lies in it. They are larger
/// than a cell of this grid, and overlap: a geometry on the line between two cells lies in a box, too.
/// Several threads may use it.
// Sendable: `lock` guards the children of all nodes.
final class AreaTree: @unchecked Sendable {
  private final class Node {
    let area: Geometry
    let cell: Cell
    let isLeaf: Bool
    var children: [Node?]

    init(_ area: Geometry, cell: Cell, depth: Int) {
      self.area = area
      self.cell = cell
      isLeaf = area.vertexCount <= AreaTree.leafSize || depth == AreaTree.maximalDepth
      children = isLeaf ? [] : Array(repeating: nil, count: Cell.side * Cell.side)
    }
  }

  /// A rectangle of the grid, in degrees.
  private struct Cell {
    /// The number of cells in a row of the grid in a cell.
    static let side = 4
    /// The margin of a box on each side of its cell, as a share of the cell.
    static let margin = 0.25

    var west: Double
    var south: Double
    var width: Double
    var height: Double

    /// The box of the cell.
    var box: Envelope {
      Envelope(
        west: max(-180, west - width * Self.margin), south: max(-90, south - height * Self.margin),
        east: min(180, west + width * (1 + Self.margin)),
        north: min(90, south + height * (1 + Self.margin)))
    }

    /// The number of the cell of the grid around the middle of a rectangle.
    func index(of bounds: Envelope) -> Int {
      let column = Self.index((bounds.west + bounds.east) / 2 - west, of: width)
      let row = Self.index((bounds.south + bounds.north) / 2 - south, of: height)
      return row * Self.side + column
    }

    private static func index(_ offset: Double, of size: Double) -> Int {
      size > 0 ? max(0, min(side - 1, Int(offset / size * Double(side)))) : 0
    }

    func child(_ index: Int) -> Cell {
      let width = width / Double(Self.side)
      let height = height / Double(Self.side)
      return Cell(
        west: west + Double(index % Self.side) * width,
        south: south + Double(index / Self.side) * height, width: width, height: height)
    }
  }

  /// The number of vertices up to which an area has no parts: GEOS takes about as long for the
  /// geometry that is cut.
  private static let leafSize = 256
  /// The depth at which a box is a millionth of the area's, for areas with many vertices in one place.
  private static let maximalDepth = 10

  private let root: Node
  private let bounds: Envelope
  private let lock = Lock()

  /// Creates the tree of a valid area.
  init(_ area: Geometry) {
    bounds = area.withView { $0.bounds } ?? .empty
    root = Node(
      area,
      cell: Cell(
        west: bounds.west, south: bounds.south, width: bounds.east - bounds.west,
        height: bounds.north - bounds.south), depth: 0)
  }

  /// Returns an area that is the same within a rectangle as the whole one.
  func part(around rectangle: Envelope) throws(GeometryError) -> (area: Geometry, isWhole: Bool) {
    // Outside of its bounds, the area has no points.
    let needed = Envelope(lanes: pointwiseMax(rectangle.lanes, bounds.lanes))
    return try lock.withLock { () throws(GeometryError) in
      var node = root
      var depth = 0
      while !node.isLeaf {
        let index = node.cell.index(of: needed)
        let cell = node.cell.child(index)
        guard cell.box.contains(needed) else { break }
        depth += 1
        if let child = node.children[index] {
          node = child
        } else {
          let child = Node(
            try Self.part(of: node.area, in: cell.box), cell: cell, depth: depth)
          node.children[index] = child
          node = child
        }
      }
      return (node.area, depth == 0)
    }
  }

  private static func part(of area: Geometry, in box: Envelope) throws(GeometryError) -> Geometry {
    let context = try GEOSContext()
    let dimensions = try area.withView { (view) throws(GeometryError) in
      try GEOSDimensions(view, in: context)
    }
    let ring = PlaneRing(
      xs: [box.west, box.east, box.east, box.west, box.west],
      ys: [box.south, box.south, box.north, box.north, box.south])
    let window = try GEOSGeometry.polygon([ring], in: context)
    return try GEOSDimensions.union(dimensions.parts(within: window), in: context)
  }
}
