/// Writes a geometry again with some of its vertices. Rings without a vertex vanish, and polygons with
/// their outer ring.
struct KeptVertices {
  private let view: GeometryView
  private let isKept: (Int) -> Bool
  private var builder = GeometryBuilder()
  private var cursor = GeometryView.Cursor()

  /// - Parameter isKept: Whether the vertex of an index is kept.
  init(_ view: GeometryView, where isKept: @escaping (Int) -> Bool) {
    self.view = view
    self.isKept = isKept
  }

  /// The new geometry; to be called once.
  mutating func geometry() -> Geometry {
    addMember(isRoot: true)
    return builder.geometry()
  }

  private mutating func addMember(isRoot: Bool = false) {
    let kind = Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: view.structure(cursor.word)))
    let count = view.structure(cursor.word + 1)
    cursor.word += 2
    switch kind {
    case .point, .lineString:
      builder.begin(kind ?? .lineString)
      for vertex in next(count) where isKept(vertex) { add(vertex) }
      builder.end()
    case .polygon: addPolygon(ringCount: count, isRoot: isRoot)
    case .multiPoint, .multiLineString, .multiPolygon, .geometryCollection, nil:
      builder.begin(kind ?? .geometryCollection)
      for _ in 0..<count { addMember() }
      builder.end()
    }
  }

  private mutating func addPolygon(ringCount: Int, isRoot: Bool) {
    let words = cursor.word..<cursor.word + ringCount
    cursor.word = words.upperBound
    let rings = words.map { next(view.structure($0)) }
    let hasVanished = rings.first.map { !$0.contains(where: isKept) && !$0.isEmpty } ?? false
    if hasVanished, !isRoot { return }
    builder.begin(.polygon)
    for ring in hasVanished ? [] : rings where ring.isEmpty || ring.contains(where: isKept) {
      builder.beginRing()
      add(ring)
      builder.endRing()
    }
    builder.end()
  }

  private mutating func add(_ ring: Range<Int>) {
    guard let first = ring.first(where: isKept) else { return }
    for vertex in ring where isKept(vertex) { add(vertex) }
    if first != ring.lowerBound { add(first) }
  }

  private mutating func add(_ vertex: Int) {
    builder.add(
      longitude: view.longitude(vertex), latitude: view.latitude(vertex),
      altitude: view.altitude(vertex))
  }

  private mutating func next(_ count: Int) -> Range<Int> {
    defer { cursor.vertex += count }
    return cursor.vertex..<cursor.vertex + count
  }
}
