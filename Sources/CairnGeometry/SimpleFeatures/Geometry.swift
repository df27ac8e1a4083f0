/// A geometry of Simple Features: a point, a line, a polygon, several of one kind, or a collection.
///
/// Coordinates are WGS 84 degrees. A geometry has no kind of edges of its own: each question says
/// whether edges are straight in longitude and latitude or on the sphere.
///
/// A copy costs O(1), because copies share their storage.
public struct Geometry: Sendable {
  /// The seven kinds of Simple Features. The raw values are those of WKB.
  public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
    /// One location.
    case point = 1
    /// A line through two or more locations.
    case lineString = 2
    /// An area bounded by an outer ring, without its holes.
    case polygon = 3
    /// Any number of locations.
    case multiPoint = 4
    /// Any number of lines.
    case multiLineString = 5
    /// Any number of areas whose interiors are disjoint.
    case multiPolygon = 6
    /// Any number of geometries of any kind.
    case geometryCollection = 7
  }

  /// The packed form, which ``GeometryView`` reads.
  package let bytes: [UInt8]

  /// Creates a geometry from its packed form, which must be valid.
  package init(packed bytes: [UInt8]) { self.bytes = bytes }

  /// Calls `body` with a view of the packed form.
  package func withView<Result, Failure: Error>(
    _ body: (GeometryView) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // A closure that throws a typed error cannot pass through `withUnsafeBytes` as such.
    let result = bytes.withUnsafeBytes { buffer -> Swift.Result<Result, Failure> in
      do throws(Failure) {
        return .success(try body(GeometryView(buffer)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }

  /// The kind of the geometry.
  public var kind: Kind { withView { $0.kind } }

  /// Whether the geometry has no vertex.
  public var isEmpty: Bool { withView { $0.vertexCount == 0 } }
}

extension Geometry: Hashable {
  /// Whether kind, structure and coordinates are the same, bit for bit, altitudes included.
  public static func == (a: Geometry, b: Geometry) -> Bool { a.bytes == b.bytes }

  /// Hashes kind, structure and coordinates.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
