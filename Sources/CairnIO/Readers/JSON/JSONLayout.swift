/// The members that hold the coordinates in one plain JSON file.
struct JSONLayout: Sendable {
  /// The members that make up a location.
  enum Location: Sendable, Equatable {
    /// None: the class has no location.
    case none
    /// Two members: latitude and longitude, or y and x of a coordinate system.
    case members(latitude: JSONName, longitude: JSONName)
    /// One member with both, as text or as an array of two numbers.
    case pair(JSONName, PairOrder)
    /// A geometry: WKT, hexadecimal WKB, or a GeoJSON object.
    case geometry(JSONName)
    /// An object of two coordinates, as Cairn writes it.
    case object(JSONName, latitude: String, longitude: String)

    /// The members that do not become properties themselves.
    var names: [JSONName] {
      switch self {
      case .none: []
      case .members(let latitude, let longitude): [latitude, longitude]
      case .pair(let name, _), .geometry(let name), .object(let name, _, _): [name]
      }
    }
  }

  let location: Location
  /// The error of an import that needs locations; nil if the file has some or needs none.
  private(set) var missingLocation: ImportError?
  /// The index of the first coordinate among the members.
  let firstMember: Int

  /// Reads as much of a file as is needed to find the coordinates.
  ///
  /// - Parameter start: The start of the text, after a byte order mark.
  init(_ input: InputFile, options: ImportOptions, start: Int) throws(ImportError) {
    guard options.readsLocation else {
      (location, firstMember) = (.none, 0)
      return
    }
    let sample = try JSONSample(input, start: start)
    guard !sample.names.isEmpty else {
      // Without a record there is nothing to read, and a damaged first record is rejected later.
      location = .members(latitude: JSONName("latitude"), longitude: JSONName("longitude"))
      firstMember = 0
      return
    }
    for (names, option) in [
      (options.geometryColumns, ImportOption.geometryColumn), (options.latitudes, .latitude),
    ] where names.count > 1 {
      throw ImportError(
        .usage,
        message: "\(input.name): \(option: option) is given \(names.count) times, but only CSV can "
          + "have several locations")
    }
    if let (own, location) = try Self.nested(sample, options: options, file: input.name) {
      (self.location, firstMember) = (location, own)
      return
    }
    var options = options
    options.hasHeader = true
    let finder = LocationColumnFinder(
      names: ColumnNames(sample.names), options: options, file: input.name)
    let wrapped = sample.listName.map { Self.wrapped($0, file: input.name) }
    let rows = SampleRows(sample.rows)
    let found: LocationColumns?
    do throws(ImportError) { found = try finder.findOne(rows) } catch { throw wrapped ?? error }
    let names = sample.names.map(JSONName.init)
    guard let found else {
      if let wrapped, !options.mayLackLocations { throw wrapped }
      (location, firstMember) = (.none, 0)
      missingLocation = finder.missing(rows)
      return
    }
    firstMember = found.columnIndexes.min() ?? 0
    switch found {
    case .columns(let latitude, let longitude):
      location = .members(latitude: names[latitude], longitude: names[longitude])
    case .geometry(let column): location = .geometry(names[column])
    case .pair(let column, let order): location = .pair(names[column], order)
    }
  }

  /// Returns the error for a file whose records are inside one object.
  private static func wrapped(_ name: String, file: String) -> ImportError {
    ImportError(
      .data,
      message: "\(file):1: the file is one object, and its records seem to be in `\(name)`; "
        + "\(pipe: "jq '.\(name)' FILE", namesClass: true) reads them")
  }

  /// Returns a member whose values are objects with coordinates, if there is one.
  private static func nested(
    _ sample: JSONSample, options: ImportOptions, file: String
  ) throws(ImportError) -> (member: Int, Location)? {
    let isNamed = !options.latitudes.isEmpty || options.x != nil || options.pairColumn != nil
    guard !isNamed else { return nil }
    var members = sample.names.indices.filter { (sample.kinds[$0] ?? .none) != .none }
    if let wanted = options.geometryColumns.first {
      members = members.filter { sample.names[$0] == wanted }
    } else if members.count > 1 {
      let own = members.filter { sample.names[$0] == options.locationName ?? "location" }
      guard own.count == 1 else {
        let list = members.map { "`\(sample.names[$0])`" }.joined(separator: " and ")
        throw ImportError(
          .data,
          message: "\(file):1: \(list) could all hold the coordinates; "
            + "name one with \(option: .geometryColumn, "NAME")")
      }
      members = own
    }
    guard let member = members.first, let kind = sample.kinds[member] else { return nil }
    let name = JSONName(sample.names[member])
    switch kind {
    case .none: return nil
    case .geometry: return (member, .geometry(name))
    case .coordinates(let latitude, let longitude):
      return (member, .object(name, latitude: latitude, longitude: longitude))
    }
  }
}

/// The name of a member, prepared for comparison.
struct JSONName: Sendable, Equatable {
  let text: String
  private let bytes: [UInt8]

  init(_ text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  /// Whether the bytes equal the name.
  @inline(__always)
  func matches(_ name: UnsafePointer<UInt8>, count: Int) -> Bool {
    assert(count >= 0, "the size is negative")
    guard count == bytes.count else { return false }
    return bytes.withUnsafeBufferPointer { own in
      for index in 0..<count where own[index] != name[index] { return false }
      return true
    }
  }
}

/// The first records of a plain JSON file, which show which members are the coordinates.
struct JSONSample {
  private static let maxRecords = 100
  private static let longest = 4 << 20
  /// The number of bytes of a value that are inspected.
  private static let valueLimit = 4096

  /// The members of all records, in order of first appearance.
  private(set) var names: [String] = []
  /// The values as text, by member; empty where a record lacks the member. Nested values are JSON
  /// text.
  private(set) var rows: [[String]] = []
  /// The kind of location in the nested values of each member, when all values agree.
  private(set) var kinds: [JSONLocationKind?] = []
  private var numbers: [String: Int] = [:]

  /// The member of the only record that holds an array of objects, if there is one.
  var listName: String? {
    guard rows.count == 1 else { return nil }
    let member = rows[0].firstIndex { text in
      let bytes = text.utf8.filter { !JSONScan.isSpace($0) }
      return bytes.starts(with: "[{".utf8)
    }
    return member.map { names[$0] }
  }

  /// Reads the first records of a file.
  ///
  /// - Parameter start: The start of the text, after a byte order mark.
  init(_ input: InputFile, start: Int) throws(ImportError) {
    let block = InputBlock(capacity: min(Self.longest, max(JSONRecordLayout.sampleSize, 1)))
    while true {
      let count = try block.fill(from: input, at: 0)
      read(JSONScan(bytes: block.bytes, count: count), start: start)
      if !rows.isEmpty || Int64(count) == input.size || block.capacity >= Self.longest { break }
      block.grow()
    }
    for row in rows.indices {
      rows[row] += Array(repeating: "", count: names.count - rows[row].count)
    }
  }

  private mutating func read(_ scan: JSONScan, start: Int) {
    var index = scan.skipSpace(start)
    if index < scan.count, scan.bytes[index] == UInt8(ascii: "[") { index += 1 }
    while rows.count < Self.maxRecords {
      index = scan.skipSpace(index)
      while index < scan.count,
        scan.bytes[index] == UInt8(ascii: ",")
          || scan.bytes[index] == JSONRecordLayout.recordSeparator
      {
        index = scan.skipSpace(index + 1)
      }
      guard index < scan.count, scan.bytes[index] == UInt8(ascii: "{"),
        let end = scan.skipValue(index)
      else { return }
      readRecord(scan, start: index)
      index = end
    }
  }

  private mutating func readRecord(_ scan: JSONScan, start: Int) {
    var row = Array(repeating: "", count: names.count)
    scan.forEachMember(ofObjectAt: start) { name, value in
      guard let value else { return false }
      let member = number(of: scan.unescaped(name))
      while row.count <= member { row.append("") }
      row[member] = text(scan, value: value, at: member)
      return true
    }
    rows.append(row)
  }

  private mutating func number(of name: String) -> Int {
    if let known = numbers[name] { return known }
    numbers[name] = names.count
    names.append(name)
    kinds.append(nil)
    return names.count - 1
  }

  private mutating func text(_ scan: JSONScan, value: Range<Int>, at member: Int) -> String {
    let end = min(value.upperBound, value.lowerBound + Self.valueLimit)
    switch scan.bytes[value.lowerBound] {
    case UInt8(ascii: "n"): return ""
    case UInt8(ascii: "\""):
      note(.none, at: member)
      return scan.unescaped(
        value.lowerBound + 1..<max(value.lowerBound + 1, min(end, value.upperBound - 1)))
    case UInt8(ascii: "{"):
      note(JSONLocationKind(scan, objectAt: value.lowerBound), at: member)
    default: note(.none, at: member)
    }
    return scan.text(value.lowerBound, end: end)
  }

  /// Records the kind of a value. A member whose values differ in kind is not a location.
  private mutating func note(_ kind: JSONLocationKind, at member: Int) {
    kinds[member] = kinds[member].map { $0 == kind ? kind : .none } ?? kind
  }
}

/// The kind of location that a nested object describes.
enum JSONLocationKind: Sendable, Equatable {
  case none
  /// Two coordinates with these names.
  case coordinates(latitude: String, longitude: String)
  /// A geometry in GeoJSON.
  case geometry

  private static let names: [(latitude: String, longitude: String)] = [
    ("latitude", "longitude"), ("lat", "lon"), ("lat", "lng"), ("lat", "long"), ("y", "x"),
  ]

  init(_ scan: JSONScan, objectAt start: Int) {
    if let type = scan.member("type", ofObjectAt: start),
      JSONRecordLayout.geometryTypes.contains(scan.content(type)),
      scan.member("coordinates", ofObjectAt: start) != nil
        || scan.member("geometries", ofObjectAt: start) != nil
    {
      self = .geometry
      return
    }
    let known = Self.names.first {
      scan.member($0.latitude, ofObjectAt: start) != nil
        && scan.member($0.longitude, ofObjectAt: start) != nil
    }
    self = known.map { .coordinates(latitude: $0.latitude, longitude: $0.longitude) } ?? .none
  }
}
