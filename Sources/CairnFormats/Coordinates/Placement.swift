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

  /// Why a geometry that names its own system by a number cannot be read; nil: it can.
  func objection(toSystem number: Int) -> String? {
    switch self {
    case _ where number == 0: return nil
    case .degrees where number == 4326: return nil
    case .projected(let transform) where transform.definition.uppercased() == "EPSG:\(number)":
      return nil
    default: return "its geometry says SRID \(number): say `--crs EPSG:\(number)`"
    }
  }

  /// What is wrong with a place, and what to do.
  static func detail(_ error: GeometryError, options: StaticString) -> String {
    var text = error.message[...]
    if text.last == "." { text.removeLast() }
    return "\(text); check \(options)"
  }
}

/// The placements of all files of an import, for one thread.
final class Placements {
  private let files: [String]
  let readings: [CoordinateReading]
  /// Of the files of plain JSON.
  let layouts: [JSONLayout?]
  private var made: [Placement?]

  init(_ sources: [ImportSource]) {
    files = sources.map(\.input.name)
    readings = sources.map(\.reading)
    layouts = sources.map {
      if case .json(_, let layout, _) = $0.shape { layout } else { nil }
    }
    made = Array(repeating: nil, count: sources.count)
  }

  subscript(file: Int) -> Placement {
    get throws(ImportError) {
      if let placement = made[file] { return placement }
      let placement = try make(file)
      made[file] = placement
      return placement
    }
  }

  /// The names of the systems, each looked up: one that is unknown is told before anything is read.
  func systems() throws(ImportError) -> [String] {
    var names: [String] = []
    for file in readings.indices {
      guard case .projected(let transform) = try self[file] else { continue }
      if !names.contains(transform.name) { names.append(transform.name) }
    }
    return names
  }

  private func make(_ file: Int) throws(ImportError) -> Placement {
    let reading = readings[file]
    guard let system = reading.system else {
      return .degrees(wrapsLongitudes: reading.wrapsLongitudes)
    }
    for case .projected(let transform)? in made where transform.definition == system {
      return .projected(transform)
    }
    do throws(GeometryError) {
      return .projected(try CoordinateTransform(system))
    } catch {
      if error.kind == .missingLibrary { throw ImportError(.library, error.message) }
      if reading.isGiven { throw ImportError(.usage, "--crs: \(error.message)") }
      throw ImportError(
        .data, "\(files[file]): \(error.message) Name the right one with `--crs EPSG:n`.")
    }
  }
}
