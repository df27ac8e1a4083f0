/// Where the records of one file of plain JSON have their coordinates.
struct JSONLayout: Sendable {
  enum Location: Sendable {
    /// In two members: latitude and longitude, or y and x of a system.
    case members(latitude: JSONName, longitude: JSONName)
    /// Both in one text, or in an array of two numbers.
    case pair(JSONName, PairOrder)
    /// A geometry: WKT, WKB in hexadecimal digits, or an object as GeoJSON has it.
    case geometry(JSONName)
    /// An object of two coordinates, as Cairn writes it.
    case object(JSONName, latitude: String, longitude: String)

    /// The members that do not become properties of their own.
    var names: [JSONName] {
      switch self {
      case .members(let latitude, let longitude): [latitude, longitude]
      case .pair(let name, _), .geometry(let name), .object(let name, _, _): [name]
      }
    }
  }

  let location: Location
  /// The index of the first coordinate among the members.
  let place: Int

  /// Reads as much of a file as tells where the coordinates are.
  ///
  /// - Parameter start: where the text begins, behind a byte order mark.
  init(_ input: InputFile, _ options: ImportOptions, start: Int) throws(ImportError) {
    let sample = try JSONSample(input, start: start)
    guard !sample.names.isEmpty else {
      // Without a record nothing is read, and a damaged first one is refused where it is read.
      location = .members(latitude: JSONName("latitude"), longitude: JSONName("longitude"))
      place = 0
      return
    }
    if let (own, location) = try Self.nested(sample, options, input.name) {
      (self.location, place) = (location, own)
      return
    }
    var options = options
    options.hasHeader = true
    let finder = CSVLocationFinder(
      names: CSVColumnNames(sample.names), options: options, file: input.name)
    let found: CSVLocation
    do throws(ImportError) {
      found = try finder.find(CSVSampleRows(sample.rows))
    } catch {
      throw sample.listName.map { Self.wrapped($0, input.name) } ?? error
    }
    let names = sample.names.map(JSONName.init)
    place = found.places.min() ?? 0
    switch found {
    case .columns(let latitude, let longitude):
      location = .members(latitude: names[latitude], longitude: names[longitude])
    case .geometry(let column): location = .geometry(names[column])
    case .pair(let column, let order): location = .pair(names[column], order)
    }
  }

  /// The error for a file whose records are inside one object.
  private static func wrapped(_ name: String, _ file: String) -> ImportError {
    ImportError(
      .data,
      "\(file):1: the whole is one object, and its records seem to be in `\(name)`: "
        + "`jq '.\(name)' FILE | cairn import STORE - --class NAME` reads them")
  }

  /// A member whose values are objects that say where they are.
  private static func nested(
    _ sample: JSONSample, _ options: ImportOptions, _ file: String
  ) throws(ImportError) -> (place: Int, Location)? {
    let isNamed = options.latitude != nil || options.x != nil || options.pairColumn != nil
    guard !isNamed else { return nil }
    var places = sample.names.indices.filter { (sample.places[$0] ?? .none) != .none }
    if let wanted = options.geometryColumn {
      places = places.filter { sample.names[$0] == wanted }
    } else if places.count > 1 {
      let own = places.filter { sample.names[$0] == options.locationName }
      guard own.count == 1 else {
        let list = places.map { "`\(sample.names[$0])`" }.joined(separator: " and ")
        throw ImportError(
          .data, "\(file):1: \(list) could all hold the coordinates: name one with `--wkt NAME`")
      }
      places = own
    }
    guard let place = places.first, let kind = sample.places[place] else { return nil }
    let name = JSONName(sample.names[place])
    switch kind {
    case .none: return nil
    case .geometry: return (place, .geometry(name))
    case .coordinates(let latitude, let longitude):
      return (place, .object(name, latitude: latitude, longitude: longitude))
    }
  }
}

/// The name of a member, ready to be compared.
struct JSONName: Sendable {
  let text: String
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  /// Whether the bytes spell the name.
  @inline(__always)
  func matches(_ name: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    guard count == bytes.count else { return false }
    return bytes.withUnsafeBufferPointer { own in
      for index in 0..<count where own[index] != name[index] { return false }
      return true
    }
  }
}
