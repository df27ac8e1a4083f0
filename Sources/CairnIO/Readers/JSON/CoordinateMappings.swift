internal import CairnGeometry

/// The coordinate mappings of all files of an import, for use by one thread.
final class CoordinateMappings {
  private let files: [String]
  let readings: [CoordinateReading]
  /// The layouts of the files of plain JSON; nil for other files.
  let layouts: [JSONLayout?]
  private var made: [CoordinateMapping?]

  /// Creates the mappings of some files, by their names in messages.
  init(files: [String], readings: [CoordinateReading], layouts: [JSONLayout?]) {
    self.files = files
    self.readings = readings
    self.layouts = layouts
    made = Array(repeating: nil, count: files.count)
  }

  subscript(file: Int) -> CoordinateMapping {
    get throws(ImportError) {
      if let mapping = made[file] { return mapping }
      let mapping = try make(file)
      made[file] = mapping
      return mapping
    }
  }

  /// Returns the names of the systems. Each is looked up, so that an unknown one is reported before
  /// anything is read.
  func systems() throws(ImportError) -> [String] {
    var names: [String] = []
    for file in readings.indices {
      guard case .projected(let transform) = try self[file] else { continue }
      if !names.contains(transform.name) { names.append(transform.name) }
    }
    return names
  }

  /// Returns a note on each system whose datum was assumed.
  func assumptions() throws(ImportError) -> [ImportMessage] {
    var notes: [ImportMessage] = []
    for file in readings.indices {
      guard case .projected(let transform) = try self[file], transform.assumesDatum else {
        continue
      }
      notes.append(
        "\(files[file]): the datum of the coordinate system `\(transform.name)` is not known; it is "
          + "taken for WGS 84, which is right within a few metres")
    }
    return notes
  }

  private func make(_ file: Int) throws(ImportError) -> CoordinateMapping {
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
      if error.kind == .missingLibrary {
        throw ImportError(.library, message: ImportMessage(error.message))
      }
      if reading.isGiven {
        throw ImportError(.usage, message: "\(option: .coordinateSystem): \(error.message)")
      }
      throw ImportError(
        .data,
        message: "\(files[file]): \(error.message); "
          + "name the right one with \(option: .coordinateSystem, "EPSG:n")")
    }
  }
}
