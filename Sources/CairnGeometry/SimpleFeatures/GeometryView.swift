/// A geometry in its packed form, read in place.
///
/// The packed form is a header of 16 bytes, the structure, and the coordinates as arrays:
///
/// | offset | type | |
/// |---|---|---|
/// | 0 | u8 | kind |
/// | 1 | u8 | flags: 1 = coordinates in E7 fixed point, 2 = altitudes |
/// | 4 | u32 | vertices |
/// | 8 | u32 | words of the structure |
/// | 16 | u32… | the structure, padded with a zero word to whole 8 bytes |
/// | | | longitudes, then latitudes: i32 (padded to whole 8 bytes each) or f64 |
/// | | | altitudes: f64, NaN at a vertex without one |
///
/// The structure is the geometry in preorder: its kind, then for a point 0 or 1, for a line its number
/// of vertices, for a polygon its number of rings and the number of vertices of each, and for the
/// others their number of members, followed by the members in the same way. Rings repeat their first
/// vertex. Coordinates are in fixed point if that reproduces each of them bit for bit.
///
/// The memory need not be aligned, and must outlive the view. A view may be read by any thread.
package struct GeometryView: @unchecked Sendable {
  // Sendable: the memory is immutable while the view lives.
  /// The packed form. Valid as long as the memory that the view was created from.
  package let base: UnsafeRawPointer
  /// The size of the packed form in bytes.
  package let size: Int

  @usableFromInline static var headerSize: Int { 16 }
  /// The flag of coordinates in E7 fixed point.
  package static let fixedFlag: UInt8 = 1
  /// The flag of a geometry with altitudes.
  package static let altitudesFlag: UInt8 = 2

  /// The packed form of an empty collection.
  private static let empty: GeometryView = {
    let words: [UInt32] = [7, 0, 2, 0, 7, 0]
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: words.count)
    memory.initialize(from: words, count: words.count)
    return GeometryView(UnsafeRawBufferPointer(start: memory, count: words.count * 4))
  }()

  /// Creates a view of a valid packed form.
  package init(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, bytes.count >= Self.headerSize else {
      // A row that was never written has no bytes. It reads as an empty collection.
      self.base = Self.empty.base
      size = Self.empty.size
      return
    }
    self.base = base
    size = bytes.count
  }

  /// The kind of the geometry.
  package var kind: Geometry.Kind {
    Geometry.Kind(rawValue: base.load(as: UInt8.self)) ?? .geometryCollection
  }

  /// Whether the coordinates are in E7 fixed point.
  @inlinable package var isFixed: Bool { base.load(fromByteOffset: 1, as: UInt8.self) & 1 != 0 }
  /// Whether vertices have altitudes.
  @inlinable package var hasAltitudes: Bool {
    base.load(fromByteOffset: 1, as: UInt8.self) & 2 != 0
  }
  /// The number of vertices, including those that close rings.
  @inlinable package var vertexCount: Int {
    Int(base.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
  }
  /// The number of words of the structure.
  @inlinable package var structureCount: Int {
    Int(base.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
  }

  /// A word of the structure.
  @inlinable
  package func structure(_ index: Int) -> Int {
    assert(index >= 0 && index < structureCount, "a word is outside of the structure")
    assert(Self.headerSize + (index + 1) * 4 <= size, "the structure is outside of the bytes")
    return Int(base.loadUnaligned(fromByteOffset: Self.headerSize + index * 4, as: UInt32.self))
  }

  /// The size of an array of longitudes or latitudes in bytes.
  @inlinable var axisSize: Int {
    isFixed ? (vertexCount * 4 + 7) & ~7 : vertexCount * 8
  }
  /// The longitudes: Int32 in E7 fixed point or Double, not aligned. Valid as long as ``base``.
  @inlinable package var longitudes: UnsafeRawPointer {
    base + Self.headerSize + (structureCount * 4 + 7) & ~7
  }
  /// The latitudes, in the form of the longitudes. Valid as long as ``base``.
  @inlinable package var latitudes: UnsafeRawPointer { longitudes + axisSize }
  /// The altitudes in metres, Double, not aligned; only if `hasAltitudes`. Valid as long as
  /// ``base``.
  @inlinable package var altitudes: UnsafeRawPointer { longitudes + 2 * axisSize }

  /// The longitude of a vertex in degrees.
  @inlinable @inline(__always)
  package func longitude(_ index: Int) -> Double { coordinate(longitudes, index: index) }

  /// The latitude of a vertex in degrees.
  @inlinable @inline(__always)
  package func latitude(_ index: Int) -> Double { coordinate(latitudes, index: index) }

  /// Copies the locations of vertices, which takes less time than one by one: x is the longitude and
  /// y the latitude in degrees.
  ///
  /// - Parameter target: Memory for as many locations.
  package func copyLocations(
    of vertices: Range<Int>, to target: UnsafeMutableBufferPointer<SIMD2<Double>>
  ) {
    assert(target.count == vertices.count, "the memory is for other vertices")
    let (longitudes, latitudes) = (longitudes, latitudes)
    for (offset, index) in vertices.enumerated() {
      target[offset] = SIMD2(
        coordinate(longitudes, index: index), coordinate(latitudes, index: index))
    }
  }

  /// The altitude of a vertex in metres; nil if it has none.
  @inlinable
  package func altitude(_ index: Int) -> Double? {
    guard hasAltitudes else { return nil }
    assert(index >= 0 && index < vertexCount, "a vertex is outside of the geometry")
    assert(altitudes + (index + 1) * 8 <= base + size, "an altitude is outside of the bytes")
    let altitude = altitudes.loadUnaligned(fromByteOffset: index * 8, as: Double.self)
    return altitude.isNaN ? nil : altitude
  }

  /// Whether the arrays of coordinates lie within the bytes, for code that reads them by address.
  var holdsCoordinates: Bool {
    longitudes + (hasAltitudes ? 2 * axisSize + vertexCount * 8 : 2 * axisSize) <= base + size
  }

  @inlinable @inline(__always)
  func coordinate(_ axis: UnsafeRawPointer, index: Int) -> Double {
    assert(index >= 0 && index < vertexCount, "a vertex is outside of the geometry")
    assert(
      axis + (index + 1) * (isFixed ? 4 : 8) <= base + size,
      "a coordinate is outside of the bytes")
    return isFixed
      ? E7.degrees(axis.loadUnaligned(fromByteOffset: index * 4, as: Int32.self))
      : axis.loadUnaligned(fromByteOffset: index * 8, as: Double.self)
  }
}

extension GeometryView {
  /// A point, a line or a polygon of a geometry. Collections are only their members.
  package enum Part {
    /// The index of the vertex.
    case point(Int)
    /// The vertices.
    case line(Range<Int>)
    /// The rings, the outer one first.
    case polygon(Rings)
  }

  /// The rings of a polygon: the vertices of each, the outer ring first.
  package struct Rings: Sequence, IteratorProtocol {
    private let view: GeometryView
    private var word: Int
    private let end: Int
    private var vertex: Int

    fileprivate init(_ view: GeometryView, words: Range<Int>, vertex: Int) {
      self.view = view
      word = words.lowerBound
      end = words.upperBound
      self.vertex = vertex
    }

    /// The number of rings that are left.
    package var count: Int { end - word }

    /// The vertices of the next ring.
    package mutating func next() -> Range<Int>? {
      guard word < end else { return nil }
      let start = vertex
      vertex += view.structure(word)
      word += 1
      return start..<vertex
    }
  }

  /// The points, lines and polygons of a geometry, in order. Empty ones are left out.
  package struct Parts: Sequence, IteratorProtocol {
    private let view: GeometryView
    private let end: Int
    private var word = 0
    private var vertex = 0

    fileprivate init(_ view: GeometryView) {
      self.view = view
      end = view.structureCount
    }

    /// The next point, line or polygon.
    package mutating func next() -> Part? {
      while word < end {
        let (kind, count) = (view.structure(word), view.structure(word + 1))
        let start = vertex
        word += 2
        switch kind {
        case 1, 2:
          vertex += count
          if count > 0 { return kind == 1 ? .point(start) : .line(start..<vertex) }
        case 3:
          let words = word..<word + count
          for ring in words { vertex += view.structure(ring) }
          word = words.upperBound
          if vertex > start { return .polygon(Rings(view, words: words, vertex: start)) }
        default: break
        }
      }
      return nil
    }
  }

  /// The points, lines and polygons of the geometry, in order. Empty ones are left out.
  package var parts: Parts { Parts(self) }

  /// The coordinates of a ring or a line.
  package func ring(_ vertices: Range<Int>) -> PlaneRing {
    PlaneRing(xs: vertices.map { longitude($0) }, ys: vertices.map { latitude($0) })
  }
}
