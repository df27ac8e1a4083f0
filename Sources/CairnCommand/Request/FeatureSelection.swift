import CairnGeometry
import CairnIO
import CairnQuery
import CairnRequest
import CairnStorage
import CairnSystem
import CairnValues

/// The features of a file, or those of them that meet a condition: `FILE#name == "France"`.
///
/// They are imported into a temporary store, so that conditions and properties mean the same as in
/// any other class.
struct FeatureSelection {
  /// The file, or `-` for standard input.
  let file: String
  /// The condition; nil for all features.
  private let condition: String?
  /// The layer of the file; nil for its only one.
  private let layer: String?

  /// - Parameter argument: The value of an option: a file, `#` and a condition. Nil if it is
  ///   anything else, such as a file whose own name has a `#`.
  init?(_ argument: String, layer: String? = nil) {
    guard !System.exists(argument), let mark = argument.firstIndex(of: "#") else { return nil }
    let file = String(argument[..<mark])
    guard file == "-" || System.exists(file) else { return nil }
    self.file = file
    self.layer = layer
    condition = String(argument[argument.index(after: mark)...].trimmingSpaces())
  }

  /// - Parameter file: The file whose features are all selected.
  init(allOf argument: String, layer: String? = nil) {
    if let selection = FeatureSelection(argument, layer: layer) {
      self = selection
    } else {
      self.layer = layer
      file = argument
      condition = nil
    }
  }

  /// The features as a class.
  ///
  /// - Parameter repairs: Whether invalid geometries are repaired. Otherwise such features are left
  ///   out, with a note, because they may not be meant.
  func opened(repairing repairs: Bool) throws -> OpenedClass {
    var options = ImportOptions.withReaders
    options.className = className
    options.format = file == "-" ? .geojson : nil
    options.geometries.repairs = repairs
    options.onError = .skip
    options.spoolDirectory = TemporaryFiles.folder
    options.layer = layer
    try DataStores.requireReadable(file)
    let store = try DataStores.empty()
    let summary = try Importer.run(files: [file], into: store, options: options)
    if let reject = summary.rejects.first {
      Console.printMessage(
        "Note: \(Quantity.counted(summary.rejected, noun: "feature")) left out: "
          + PrintableText.escaped(reject.text.shellText))
    }
    return try OpenedClass(store, className: summary.className)
  }

  /// The name of the class of the features: that of the file without its folder and extension.
  private var className: String {
    let name = file.split(separator: "/").last.map(String.init) ?? file
    let stem = name.split(separator: ".").first.map(String.init) ?? name
    return file == "-" ? "features" : stem
  }

  /// The condition on the features, for the class.
  func predicate() throws -> Predicate {
    guard let condition, !condition.isEmpty else { return .true }
    return try Predicate(parsing: condition, takesFormulas: true)
  }

  /// The geometries of the selected features.
  ///
  /// - Throws: `badData` if no feature is selected.
  func geometries(repairing repairs: Bool) throws -> [Geometry] {
    let predicate = try predicate()
    let source = try opened(repairing: repairs).measuring().computing(formulasOf: predicate)
    let column = try source.location(for: "which a shape needs")
    let query = TableQuery(table: source.schema.name, predicate: predicate)
    let keys = try Execution(query, on: source.table).keys()
    try source.requireComputed()
    let geometries = keys.compactMap { key in
      Self.geometry(source.table.value(column.position, at: key))
    }
    guard !geometries.isEmpty else {
      let which = condition.map { " meets '\($0)'" } ?? " was found"
      throw Failure(.badData, message: "\(file): no feature with a geometry\(which)")
    }
    return geometries
  }

  private static func geometry(_ value: Value) -> Geometry? {
    switch value {
    case .point(let position):
      GeoPoint(latitude: position.latitude, longitude: position.longitude).map { Geometry($0) }
    case .geometry(let bytes): Geometry(packed: bytes)
    default: nil
    }
  }
}
