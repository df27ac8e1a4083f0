extension Geometry {
  /// Creates a geometry from a view, whose bytes it copies.
  package init(copying view: GeometryView) {
    self.init(packed: [UInt8](UnsafeRawBufferPointer(start: view.base, count: view.size)))
  }
}

extension GeometryView {
  /// Whether the geometry is a polygon or several.
  package var isArea: Bool { kind == .polygon || kind == .multiPolygon }
}
