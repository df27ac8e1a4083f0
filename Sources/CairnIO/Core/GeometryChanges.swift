internal import CairnGeometry

/// The geometries that a reader changed to make them valid.
package struct GeometryChanges: Sendable {
  /// The number of geometries with rings that touch themselves, which were split there.
  private(set) var split = 0
  /// The number of repaired geometries.
  private(set) var repaired = 0
  /// The area that repairs added, in square metres. Polygons that overlapped count once afterwards.
  private var added = 0.0
  /// The area that repairs removed, in square metres.
  private var removed = 0.0

  /// Counts a geometry that was split.
  mutating func countSplit() { split += 1 }

  /// Counts geometries whose points were derived after a repair: their areas do not matter.
  mutating func countRepairs(_ count: Int) { repaired += count }

  /// Counts a repaired geometry.
  ///
  /// - Complexity: O(*n*) in the number of vertices.
  mutating func countRepair(of old: Geometry, to new: Geometry) {
    repaired += 1
    let (before, after) = (old.areaOfStraightEdges, new.areaOfStraightEdges)
    // Less is a difference of rounding.
    guard abs(after - before) > 1e-9 * max(before, after) else { return }
    if after > before { added += after - before } else { removed += before - after }
  }

  /// Adds the changes of another block.
  mutating func add(_ other: GeometryChanges) {
    split += other.split
    repaired += other.repaired
    added += other.added
    removed += other.removed
  }

  /// The changes in words.
  var notes: [ImportMessage] {
    var notes: [ImportMessage] = []
    if split > 0 {
      let subject = split == 1 ? "1 geometry has" : "\(split) geometries have"
      notes.append(
        "\(subject) rings that touch themselves; they were split there, and the area is the same")
    }
    if repaired > 0 {
      let subject = repaired == 1 ? "1 geometry was" : "\(repaired) geometries were"
      notes.append("\(subject) repaired\(areas)")
    }
    return notes
  }

  private var areas: String {
    let parts = [(added, "added"), (removed, "removed")].filter { $0.0 > 0 }.map {
      "\(Self.text($0.0)) of area \($0.1)"
    }
    return parts.isEmpty ? ", with the same area" : ": \(parts.joined(separator: ", "))"
  }

  /// An area with three digits: `12.3 km²`.
  private static func text(_ squareMetres: Double) -> String {
    let (value, unit) = squareMetres < 1e5 ? (squareMetres, "m²") : (squareMetres / 1e6, "km²")
    var scale = 1.0
    while value * scale < 100, scale < 1e6 { scale *= 10 }
    let rounded = (value * scale).rounded() / scale
    return rounded == 0
      ? "less than 0.000001 m²"
      : "\(rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)") \(unit)"
  }
}
