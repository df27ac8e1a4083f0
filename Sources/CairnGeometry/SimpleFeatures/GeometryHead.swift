/// The beginning of a geometry in well-known text or binary: its coordinate system and its kind, and
/// all of it if it is a point.
///
/// Reading it allocates no memory and takes constant time.
package struct GeometryHead: Equatable {
  /// The geometry, as far as it is known.
  package enum Content: Equatable {
    /// A point, with its altitude if it has one.
    case point(longitude: Double, latitude: Double, altitude: Double?)
    /// A geometry without coordinates.
    case empty
    /// A geometry of another kind. The bytes after its head may be malformed.
    case other(Geometry.Kind)

    static func point(_ position: EncodedPosition) -> Content {
      let altitude = position.altitude.flatMap { $0.isNaN ? nil : $0 }
      return .point(
        longitude: position.longitude, latitude: position.latitude, altitude: altitude)
    }
  }

  /// The number of the coordinate system that the encoding names.
  package let system: Int?
  /// The geometry, as far as it is known.
  package let content: Content

  init(system: Int?, content: Content) {
    self.system = system
    self.content = content
  }

  /// Reads the beginning of well-known text.
  ///
  /// - Throws: ``GeometryError`` with the character offset and what was expected there.
  package init(wkt text: UnsafeBufferPointer<UInt8>) throws(GeometryError) {
    var parser = WKTParser(text)
    self = try parser.takeHead()
  }

  /// Reads the beginning of well-known binary.
  ///
  /// - Throws: ``GeometryError`` with the byte offset and what was expected there.
  package init(wkb bytes: UnsafeRawBufferPointer) throws(GeometryError) {
    var parser = WKBParser(bytes)
    self = try parser.takeHead()
  }

  /// The size of the largest point in well-known binary: byte order, kind, coordinate system and
  /// four numbers.
  package static let largestPointSize = 41

  /// The kind of geometry that a text names in well-known text, even if it is malformed after that;
  /// nil for any other text.
  package static func kind(ofWKT text: UnsafeBufferPointer<UInt8>) -> Geometry.Kind? {
    var parser = WKTParser(text)
    return parser.takeKind()
  }
}
