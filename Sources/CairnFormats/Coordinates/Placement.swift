internal import CairnGeometry

/// The way from the coordinates of a file to WGS 84. Used by one thread.
enum Placement {
  case degrees(wrapsLongitudes: Bool)
  case projected(CoordinateTransform)

  /// What is told of rows that a system does not reach.
  static let refusal = "place is outside the coordinate system"

  var axes: (x: CoordinateAxis, y: CoordinateAxis) {
    switch self {
    case .degrees(let wraps): (.longitude(wraps: wraps), .latitude)
    case .projected: (.x, .y)
    }
  }

  /// What is wrong with a place, and what to do.
  static func detail(_ error: GeometryError, options: StaticString) -> String {
    var text = error.message[...]
    if text.last == "." { text.removeLast() }
    return "\(text); are `\(options)` right?"
  }
}

/// The placements of all files of an import, for one thread.
final class Placements {
  private let readings: [CoordinateReading]
  private var made: [Placement?]

  init(_ sources: [ImportSource]) {
    readings = sources.map(\.reading)
    made = Array(repeating: nil, count: sources.count)
  }

  subscript(file: Int) -> Placement {
    get throws(ImportError) {
      if let placement = made[file] { return placement }
      let placement = try make(readings[file])
      made[file] = placement
      return placement
    }
  }

  private func make(_ reading: CoordinateReading) throws(ImportError) -> Placement {
    guard let system = reading.system else {
      return .degrees(wrapsLongitudes: reading.wrapsLongitudes)
    }
    for case .projected(let transform)? in made where transform.definition == system {
      return .projected(transform)
    }
    do throws(GeometryError) {
      return .projected(try CoordinateTransform(system))
    } catch { throw ImportError(error, isGiven: reading.isGiven) }
  }
}

extension ImportError {
  /// - Parameter isGiven: the system comes from an option, not from a file.
  init(_ error: GeometryError, isGiven: Bool) {
    switch error.kind {
    case .missingLibrary, .library: self.init(.library, error.message)
    default: self.init(isGiven ? .usage : .data, error.message)
    }
  }
}
