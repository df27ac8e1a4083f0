import CairnGeometry
import CairnIndex
import CairnStorage

/// The fences of one state: the geometries of the objects of a class, with an R-tree over their boxes.
///
/// It owns its memory, so that it outlives the snapshot that it was made from while no fence changes.
/// Edges are straight in longitude and latitude, and a boundary belongs to its fence. Confined to one
/// thread at a time.
final class FenceIndex {
  /// The keys of the fences, along the Hilbert curve.
  private let keys: [Int]
  private let geometries: [Geometry]
  private let positions: [Int: Int]
  private let tree: EnvelopeTree
  /// The fences that were tested and have many vertices.
  private var prepared: [PreparedShape?]
  private var found: [Int32] = []

  /// The number of vertices from which preparing a fence is worthwhile.
  private static let manyVertices = 48

  /// Reads the fences.
  ///
  /// - Parameters:
  ///   - keys: The rows that may be fences. Those without a geometry, or with an empty one, are not.
  ///   - column: The column of the geometries.
  /// - Complexity: O(*n* log *n*) for *n* fences.
  init(_ keys: [Int], of table: Table, column: ColumnSchema) {
    let shapes = table.column(column.position)
    let boxes = table.schema.bounds(for: column).map { table.column($0.position) }
    var rows: [(key: Int, box: Envelope, geometry: Geometry)] = []
    for key in keys {
      let (chunk, row) = (RowAddress(key).chunk, RowAddress(key).row)
      guard let box = boxes?.chunk(chunk), !box.isRowNull(row) else { continue }
      let view = shapes.chunk(chunk).geometry(at: row)
      if view.vertexCount > 0 {
        rows.append((key, box.rowBox(row), Geometry(copying: view)))
      }
    }
    let order = rows.map { Hilbert.key(of: $0.box) }.withUnsafeBufferPointer {
      RadixSort.order($0)
    }
    self.keys = order.map { rows[Int($0)].key }
    geometries = order.map { rows[Int($0)].geometry }
    positions = Dictionary(uniqueKeysWithValues: zip(self.keys, 0...))
    tree = EnvelopeTree(order.count) { rows[Int(order[$0])].box }
    prepared = Array(repeating: nil, count: order.count)
  }

  /// The keys of all fences.
  var allKeys: [Int] { keys.sorted() }

  /// The geometry of a fence; nil if the fence does not exist.
  func geometry(_ key: Int) -> Geometry? { positions[key].map { geometries[$0] } }

  /// Replaces `fences` by the keys of the fences that a place meets, in ascending order.
  func find(_ place: FencedPlace, into fences: inout [Int]) throws(GeometryError) {
    fences.removeAll(keepingCapacity: true)
    tree.find(place.envelope, into: &found)
    for position in found where try meets(place, Int(position)) {
      fences.append(keys[Int(position)])
    }
    if fences.count > 1 { fences.sort() }
  }

  private func meets(_ place: FencedPlace, _ position: Int) throws(GeometryError) -> Bool {
    if let shape = prepared[position] { return place.meets(shape) }
    let geometry = geometries[position]
    guard geometry.withView({ $0.vertexCount }) >= Self.manyVertices else {
      return geometry.withView { place.meets($0) }
    }
    let shape = try geometry.withView { (view) throws(GeometryError) in
      try PreparedShape(stored: view, edges: .planar)
    }
    prepared[position] = shape
    return place.meets(shape)
  }
}

/// The location or the geometry of a row that may be within fences.
enum FencedPlace {
  case point(longitude: Double, latitude: Double)
  case geometry(GeometryView, box: Envelope)

  var envelope: Envelope {
    switch self {
    case .point(let x, let y): Envelope(west: x, south: y, east: x, north: y)
    case .geometry(_, let box): box
    }
  }

  func meets(_ shape: PreparedShape) -> Bool {
    switch self {
    case .point(let x, let y): shape.holds(.intersects, longitude: x, latitude: y)
    case .geometry(let view, _): shape.holds(.intersects, view)
    }
  }

  func meets(_ fence: GeometryView) -> Bool {
    switch self {
    case .point(let x, let y):
      PlanarRelation.holds(.intersects, longitude: x, latitude: y, to: fence)
    case .geometry(let view, _): PlanarRelation.holds(.intersects, view, to: fence)
    }
  }
}
