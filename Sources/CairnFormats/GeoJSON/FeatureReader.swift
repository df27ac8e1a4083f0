internal import CSimdJSON

/// Owns a simdjson parser.
final class FeatureParser {
  let pointer: OpaquePointer

  init() throws(ImportError) {
    guard let pointer = csimdjson_create() else {
      throw ImportError(.io, "there is no memory for reading GeoJSON")
    }
    self.pointer = pointer
  }

  deinit { csimdjson_destroy(pointer) }
}

/// Reads Features, or plain objects, with simdjson and refuses those that are no points.
///
/// A structure, because every access to a variable of a class is checked for exclusivity at run
/// time.
struct FeatureReader {
  let parser: FeatureParser
  private let placements: Placements
  /// Of the file at hand.
  private(set) var placement = Placement.degrees(wrapsLongitudes: false)
  private(set) var reading = CoordinateReading.wgs84
  let shapes: ShapeReader
  /// The texts that mean null, and the form of dates.
  let fields: FieldReading
  /// Some position of the section has more than three numbers.
  var hasFurtherNumbers = false
  /// Where the objects of the file at hand have their coordinates; nil: its records are Features.
  private var layout: JSONLayout?
  private var ownGeometryParser: FeatureParser?
  private let policy: RefusalPolicy
  private(set) var refusals = RefusalLog()
  private(set) var section = InputSection(capacity: 0)
  private(set) var bytes: UnsafePointer<UInt8>
  private var record = 0
  private var range = 0..<0
  /// The Feature last read; its texts are valid until the next is read.
  var feature = csimdjson_feature()
  var location = Location()
  /// Where the Feature has several points, each of which becomes a row.
  var points: [Location] = []

  init(
    placements: Placements, shapes: ShapeOptions, fields: FieldReading, policy: RefusalPolicy
  ) throws(ImportError) {
    parser = try FeatureParser()
    self.placements = placements
    self.shapes = ShapeReader(shapes)
    self.fields = fields
    self.policy = policy
    bytes = UnsafePointer(section.bytes)
  }

  /// The members of the Feature, foreign ones among them.
  var members: UnsafeBufferPointer<csimdjson_member> {
    UnsafeBufferPointer(start: feature.members, count: feature.member_count)
  }

  /// Reads geometries within records.
  mutating func geometryParser() throws(ImportError) -> FeatureParser {
    if let ownGeometryParser { return ownGeometryParser }
    let made = try FeatureParser()
    ownGeometryParser = made
    return made
  }

  /// Visits the records of a section that are points.
  mutating func read(
    _ section: InputSection, _ visit: (inout FeatureReader) throws(ParseStop) -> Void
  ) throws(ParseStop) {
    self.section = section
    placement = try ParseStop.on { () throws(ImportError) in try placements[section.file] }
    reading = placements.readings[section.file]
    layout = placements.layouts[section.file]
    hasFurtherNumbers = false
    bytes = UnsafePointer(section.bytes)
    refusals = RefusalLog()
    let records = section.records
    for index in records.indices {
      record = index
      range = records[index]
      if !points.isEmpty { points.removeAll() }
      guard try readRecord(range) else { continue }
      if points.isEmpty {
        try visit(&self)
      } else {
        try visitPoints(visit)
      }
    }
  }

  private mutating func readRecord(_ range: Range<Int>) throws(ParseStop) -> Bool {
    guard let layout else { return try readFeature(range) }
    return try readObject(range, layout)
  }

  private mutating func visitPoints(
    _ visit: (inout FeatureReader) throws(ParseStop) -> Void
  ) throws(ParseStop) {
    for point in points {
      location = point
      try visit(&self)
    }
  }

  /// Notes that the Feature at hand cannot be stored.
  mutating func refuse(
    at pointer: UnsafePointer<CChar>? = nil, _ reason: String, _ detail: @autoclosure () -> String
  ) throws(ParseStop) {
    let place = pointer.map { offset(of: $0) } ?? range.lowerBound
    try refuse(offset: place, reason, detail())
  }

  mutating func refuse(
    offset: Int, _ reason: String, _ detail: @autoclosure () -> String
  ) throws(ParseStop) {
    let isTold = policy == .fail || refusals.first.count < RefusalLog.kept
    let number = section.firstRecord + record + 1
    let refusal = Refusal(
      place: inputPlace(of: offset), reason: reason,
      detail: isTold ? "\(noun.one) \(number): \(detail())" : reason)
    if policy == .fail { throw .refused(refusal) }
    refusals.add(refusal)
  }

  /// The name of the file's records in messages.
  var noun: RecordNoun { layout == nil ? .feature : .object }

  /// The position of a text in the input, for a message.
  func inputPlace(of pointer: UnsafePointer<CChar>?) -> InputPlace {
    inputPlace(of: pointer.map { offset(of: $0) } ?? range.lowerBound)
  }

  private func inputPlace(of offset: Int) -> InputPlace {
    InputPlace(section: section.number, file: section.file, offset: section.offset + Int64(offset))
  }

  /// Where a text stands in the section: those with escapes stand elsewhere and are given the
  /// Feature's place.
  private func offset(of pointer: UnsafePointer<CChar>) -> Int {
    let distance = UnsafeRawPointer(pointer) - UnsafeRawPointer(bytes)
    return range.contains(distance) ? distance : range.lowerBound
  }
}
