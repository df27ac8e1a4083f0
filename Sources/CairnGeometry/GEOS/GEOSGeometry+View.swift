extension GEOSGeometry {
  /// Copies a stored geometry with its structure. Empty members are left out, because some
  /// functions of GEOS do not tolerate them; returns nil if nothing is left.
  static func copy(
    _ view: GeometryView, in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry? {
    var parts = view.parts
    var word = 0
    return try copy(view, word: &word, parts: &parts, in: context)
  }

  private static func copy(
    _ view: GeometryView, word: inout Int, parts: inout GeometryView.Parts, in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry? {
    guard let kind = Geometry.Kind(rawValue: UInt8(truncatingIfNeeded: view.structure(word))) else {
      return nil
    }
    let count = view.structure(word + 1)
    word += 2
    switch kind {
    case .point, .lineString:
      return count == 0 ? nil : try nextPart(of: view, &parts, in: context)
    case .polygon:
      let isEmpty = (word..<word + count).allSatisfy { view.structure($0) == 0 }
      word += count
      return isEmpty ? nil : try nextPart(of: view, &parts, in: context)
    case .multiPoint, .multiLineString, .multiPolygon, .geometryCollection:
      var members: [GEOSGeometry] = []
      for _ in 0..<count {
        guard let member = try copy(view, word: &word, parts: &parts, in: context) else { continue }
        members.append(member)
      }
      guard !members.isEmpty else { return nil }
      // GEOS numbers these kinds as WKB does.
      let type = Kind(rawValue: Int32(kind.rawValue)) ?? .collection
      return try collection(type, of: members, in: context)
    }
  }

  private static func nextPart(
    of view: GeometryView, _ parts: inout GeometryView.Parts, in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry? {
    guard let part = parts.next() else { return nil }
    return try copy(part, of: view, in: context)
  }

  /// Copies a part of a stored geometry.
  static func copy(
    _ part: GeometryView.Part, of view: GeometryView, in context: GEOSContext
  ) throws(GeometryError) -> GEOSGeometry {
    switch part {
    case .point(let vertex):
      try vertices(vertex..<vertex + 1, of: view, as: .point, in: context)
    case .line(let line): try vertices(line, of: view, as: .line, in: context)
    case .polygon(let rings): try polygon(rings, of: view, in: context)
    }
  }
}

/// The points, the lines and the polygons of a geometry, each in one geometry of GEOS, which answers
/// wrongly for collections.
struct GEOSDimensions {
  private let context: GEOSContext
  /// The points, the lines and the polygons; nil for each kind that is absent.
  private(set) var members: [GEOSGeometry?] = [nil, nil, nil]

  init(_ view: GeometryView, in context: GEOSContext) throws(GeometryError) {
    self.context = context
    var parts: [[GEOSGeometry]] = [[], [], []]
    for part in view.parts {
      let dimension =
        switch part {
        case .point: 0
        case .line: 1
        case .polygon: 2
        }
      parts[dimension].append(try GEOSGeometry.copy(part, of: view, in: context))
    }
    let kinds: [GEOSGeometry.Kind] = [.multiPoint, .multiLine, .multiPolygon]
    for (dimension, kind) in kinds.enumerated() where !parts[dimension].isEmpty {
      let member = try GEOSGeometry.collection(kind, of: parts[dimension], in: context)
      // Only the polygons of a collection may overlap.
      let mayOverlap = dimension == 2 && view.kind == .geometryCollection
      members[dimension] = mayOverlap ? try member.unaryUnion() : member
    }
  }

  /// The polygons; nil without any.
  var polygons: GEOSGeometry? { members[2] }

  /// The lines; nil without any.
  var lines: GEOSGeometry? { members[1] }

  /// The common part of both geometries, dimension by dimension.
  func intersections(with other: GEOSDimensions) throws(GeometryError) -> [GEOSGeometry] {
    var found: [GEOSGeometry] = []
    for case let one? in members {
      for case let another? in other.members { found.append(try one.intersection(another)) }
    }
    return found
  }

  /// The parts in polygons, dimension by dimension. Points of lines and points and lines of polygons
  /// are left out.
  func parts(within area: GEOSGeometry) throws(GeometryError) -> [GEOSGeometry] {
    var found: [GEOSGeometry] = []
    for case (let dimension, let member?) in members.enumerated() {
      let common = try member.intersection(area).read()
      let parts = try common.withView { (view) throws(GeometryError) in
        try GEOSDimensions(view, in: context)
      }
      if let part = parts.members[dimension] { found.append(part) }
    }
    return found
  }

  /// The part that only this geometry has, dimension by dimension.
  func differences(from other: GEOSDimensions) throws(GeometryError) -> [GEOSGeometry] {
    var found: [GEOSGeometry] = []
    for case (let dimension, var rest?) in members.enumerated() {
      // Points leave no mark on a line, nor lines on a polygon.
      for case let another? in other.members[dimension...] { rest = try rest.difference(another) }
      found.append(rest)
    }
    return found
  }

  /// The parts that only one of both geometries has, dimension by dimension.
  func symmetricDifferences(with other: GEOSDimensions) throws(GeometryError) -> [GEOSGeometry] {
    var found: [GEOSGeometry] = []
    for (dimension, pair) in zip(members, other.members).enumerated() {
      let parts = [pair.0, pair.1].compactMap { $0 }
      guard var rest = parts.first else { continue }
      if parts.count > 1 { rest = try rest.symmetricDifference(parts[1]) }
      // A part in a polygon of either geometry is in both, or in a polygon of the result.
      for higher in dimension + 1..<max(dimension + 1, members.count) {
        for case let another? in [members[higher], other.members[higher]] {
          rest = try rest.difference(another)
        }
      }
      found.append(rest)
    }
    return found
  }

  /// The union of several results, without empty ones. Without results, it is an empty
  /// collection.
  static func union(
    _ results: [GEOSGeometry], in context: GEOSContext
  ) throws(GeometryError) -> Geometry {
    var parts: [GEOSGeometry] = []
    for result in results where try !result.isEmpty { parts.append(result) }
    guard parts.count != 1 else { return try parts[0].read() }
    return try GEOSGeometry.collection(.collection, of: parts, in: context).unaryUnion().read()
  }
}
