internal import CairnQuery

/// A part of a pyramid that one thread makes.
struct TileWork {
  /// The rows, as far as they are known.
  enum Source {
    /// The rows that were found; all of them if none are counted.
    case rows(WindowRows)
    /// All rows.
    case area(TileArea)
  }

  let id: TileID
  let source: Source
  /// Whether all tiles within the tile are made too. If so, no rows are counted.
  let isTree: Bool
}

/// Divides a pyramid into works, in the order of the Hilbert curve at each zoom level.
final class TileSearch {
  private struct Node {
    let id: TileID
    /// All rows, if they are known.
    let area: TileArea?
  }

  private let builder: TileBuilder
  private let zooms: ClosedRange<Int>
  /// The lowest zoom level at which one thread makes all tiles within a tile.
  private let treeZoom: Int
  /// The tiles to search, the next one last.
  private var nodes = [Node(id: TileID(checkedZ: 0, x: 0, y: 0), area: nil)]

  /// The most zoom levels below a tile that one thread makes: over a thousand tiles.
  private static let treeDepth = 5
  /// The zoom level whose tiles are enough for all threads.
  private static let dividedZoom = 3
  /// The most vertices to keep of a tile that is divided, about 32 MB.
  private static let vertexLimit = 2_000_000

  init(_ builder: TileBuilder, zooms: ClosedRange<Int>) {
    self.builder = builder
    self.zooms = zooms
    let last = zooms.upperBound
    treeZoom = max(last - Self.treeDepth, min(Self.dividedZoom, last))
  }

  /// The next part; nil at the end.
  func next() throws -> TileWork? {
    while let node = nodes.popLast() {
      if let work = try node.area.map(work) ?? search(node.id) { return work }
    }
    return nil
  }

  /// Searches for the rows of a tile.
  private func search(_ id: TileID) throws -> TileWork? {
    let rows = try builder.rows(of: id)
    if rows.counts == nil {
      if rows.keys.isEmpty { return nil }
      if id.z >= treeZoom { return TileWork(id: id, source: .rows(rows), isTree: true) }
      let area = try builder.area(of: rows.keys, in: id)
      if area.vertexCount <= Self.vertexLimit { return work(area) }
    }
    if id.z < zooms.upperBound {
      nodes += HilbertTile.children(id).reversed().map { Node(id: $0, area: nil) }
    }
    return single(id, .rows(rows))
  }

  /// Divides an area.
  private func work(_ area: TileArea) -> TileWork? {
    let id = area.frame.id
    if id.z >= treeZoom || area.isUniform {
      return TileWork(id: id, source: .area(area), isTree: true)
    }
    for child in HilbertTile.children(id).reversed() {
      let part = TileArea(builder.layout.frame(child))
      part.add(area)
      if !part.isEmpty { nodes.append(Node(id: child, area: part)) }
    }
    return single(id, .area(area))
  }

  private func single(_ id: TileID, _ source: TileWork.Source) -> TileWork? {
    zooms.contains(id.z) ? TileWork(id: id, source: source, isTree: false) : nil
  }
}
