internal import CairnArrow
internal import CairnIO
import CairnSystem
internal import CairnValues

/// Reads dates, and times with their zones, in a second pass over the layer, row by row.
///
/// Arrow has no zone for each value, and GDAL before 3.8 gives local times without saying so. GDAL
/// 3.6 also moves days before 1970.
final class DateTimeReader {
  /// A time, in seconds since 2001.
  struct Time {
    var seconds = 0.0
    /// A mark as ``LayerMark``.
    var mark = LayerMark.null
  }

  /// The times of the rows that were read last, by column.
  private(set) var times: [[Time]]
  private let file: GDALFile
  private let layer: GDALLibrary.Handle
  private let fields: [(index: Int32, isDay: Bool)]
  private let library: GDALLibrary

  /// - Parameters:
  ///   - file: The file, opened for this purpose.
  ///   - columns: The columns that hold dates and times.
  init(_ file: GDALFile, layer: GDALLibrary.Handle, columns: [ArrowField]) throws(LayerFailure) {
    self.file = file
    self.layer = layer
    let library = file.library
    self.library = library
    times = columns.map { _ in [] }
    guard let definition = library.layerDefinition(layer) else {
      throw LayerFailure("GDAL cannot describe the columns")
    }
    let fields = columns.map { column in
      (index: library.fieldIndex(definition, column.name), isDay: column.type == .days)
    }
    self.fields = fields
    guard fields.allSatisfy({ $0.index >= 0 }) else {
      throw LayerFailure("GDAL cannot find the columns of times")
    }
    let read = Set(fields.map(\.index))
    let others = (0..<library.fieldCount(definition)).filter { !read.contains($0) }
    let ignored = others.compactMap { index in
      library.field(definition, index).flatMap(library.fieldName).map { String(cString: $0) }
    }
    _ = GDALFile.withTexts(ignored + ["OGR_GEOMETRY", "OGR_STYLE"]) {
      library.ignoreFields(layer, $0)
    }
    library.resetReading(layer)
  }

  /// Reads the times of the next rows.
  ///
  /// - Parameters:
  ///   - numbers: The numbers of the rows, to which those of this pass are compared.
  ///   - first: The first of the rows in `numbers`.
  func read(_ count: Int, numbers: ArrowColumn?, from first: Int) throws(LayerFailure) {
    for column in times.indices {
      times[column].removeAll(keepingCapacity: true)
      times[column].reserveCapacity(count)
    }
    for row in first..<first + count {
      guard let feature = library.nextFeature(layer) else {
        throw LayerFailure("GDAL finds fewer rows when it reads the file again")
      }
      defer { library.destroyFeature(feature) }
      if let numbers, let position = numbers.position(row),
        (try? numbers.int(at: position)) != library.featureNumber(feature)
      {
        throw LayerFailure("GDAL finds the rows in another order when it reads the file again")
      }
      for column in fields.indices {
        times[column].append(time(feature, fields[column].index, isDay: fields[column].isDay))
      }
    }
  }

  private func time(_ feature: GDALLibrary.Handle, _ field: Int32, isDay: Bool) -> Time {
    var (year, month, day, hour, minute, zone): (Int32, Int32, Int32, Int32, Int32, Int32) =
      (0, 0, 0, 0, 0, 0)
    var second: Float = 0
    guard library.isSet(feature, field) != 0,
      library.dateTime(feature, field, &year, &month, &day, &hour, &minute, &second, &zone) != 0
    else { return Time() }
    let days = ISODate.seconds(year: Int(year), month: Int(month), day: Int(day))
    if isDay { return Time(seconds: days, mark: .value) }
    let thousandths = (Double(second) * 1000).rounded() / 1000
    let seconds = days + Double(hour) * 3600 + Double(minute) * 60 + thousandths
    // 100 is UTC, and each step is a quarter of an hour; 0 and 1 are local times.
    guard zone > 1 else { return Time(seconds: seconds, mark: .local) }
    return Time(seconds: seconds - Double(zone - 100) * 900, mark: .value)
  }
}
