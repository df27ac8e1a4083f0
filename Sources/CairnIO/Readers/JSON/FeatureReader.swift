internal import CSimdJSON

/// Owns a simdjson parser.
final class FeatureParser {
  let pointer: OpaquePointer

  init() throws(ImportError) {
    guard let pointer = csimdjson_create() else {
      throw ImportError(.io, message: "not enough memory to read GeoJSON")
    }
    self.pointer = pointer
  }

  deinit { csimdjson_destroy(pointer) }
}

/// Reads Features, or plain objects, with simdjson, and rejects those that cannot be stored.
///
/// This is a structure because every access to a variable of a class is checked for exclusivity at
/// run time.
struct FeatureReader {
  let parser: FeatureParser
  private let mappings: CoordinateMappings
  /// The coordinate mapping of the current file.
  private(set) var mapping = CoordinateMapping.degrees(wrapsLongitudes: false)
  private(set) var reading = CoordinateReading.wgs84
  let converter: PointConverter
  /// The texts that mean null, and the format of dates.
  let fields: FieldReading
  /// Whether some position of the record has more than three numbers.
  var hasFurtherNumbers = false
  /// The members that hold the coordinates in the current file; nil when its records are Features.
  private var layout: JSONLayout?
  private var ownGeometryParser: FeatureParser?
  let policy: RejectPolicy
  private(set) var rejects = RecordLog()
  private(set) var block = InputBlock(capacity: 0)
  /// The bytes of the block. Valid until the block is filled again.
  private(set) var bytes: UnsafePointer<UInt8>
  private var record = 0
  private(set) var range = 0..<0
  /// The current Feature; its texts are valid until the next one is read.
  var feature = csimdjson_feature()
  /// The location of the record, if `isPoint`.
  var location = Location()
  /// The content of the record: its location, its geometry, or neither.
  var content = Content.nothing
  /// Whether the record has a geometry that is not a point.
  var hasShape = false
  /// Packs the geometries of the block.
  var intake: GeometryIntake
  let form: SpatialForm
  /// The points of a Feature with several, one for each row; otherwise empty.
  var points: [Location] = []

  /// The content of a record.
  enum Content {
    /// Neither a location nor a geometry.
    case nothing
    /// A location.
    case location
    /// A geometry, packed by `intake`.
    case geometry
    /// A geometry that was not read.
    case unread
  }

  /// Creates a reader.
  ///
  /// - Parameter form: The form in which it delivers geometries.
  init(
    mappings: CoordinateMappings, geometries: GeometryOptions, form: SpatialForm,
    fields: FieldReading, policy: RejectPolicy
  ) throws(ImportError) {
    self.form = form
    intake = GeometryIntake(geometries)
    parser = try FeatureParser()
    self.mappings = mappings
    converter = PointConverter(geometries)
    self.fields = fields
    self.policy = policy
    bytes = UnsafePointer(block.bytes)
  }

  /// The members of the Feature, including foreign ones. Valid until the next record is read.
  var members: UnsafeBufferPointer<csimdjson_member> {
    UnsafeBufferPointer(start: feature.members, count: feature.member_count)
  }

  /// Returns the parser for geometries inside records, creating it on first use.
  mutating func geometryParser() throws(ImportError) -> FeatureParser {
    if let ownGeometryParser { return ownGeometryParser }
    let made = try FeatureParser()
    ownGeometryParser = made
    return made
  }

  /// Calls `visit` with each record of a block that can be stored.
  mutating func read(
    _ block: InputBlock, visit: (inout FeatureReader) throws(ParseAbort) -> Void
  ) throws(ParseAbort) {
    self.block = block
    mapping = try ParseAbort.on { () throws(ImportError) in try mappings[block.file] }
    reading = mappings.readings[block.file]
    layout = mappings.layouts[block.file]
    bytes = UnsafePointer(block.bytes)
    rejects = RecordLog()
    let records = block.records
    for index in records.indices {
      record = index
      range = records[index]
      if !points.isEmpty { points.removeAll() }
      (content, hasShape, hasFurtherNumbers) = (.nothing, false, false)
      location.altitude = nil
      guard try readRecord(range) else { continue }
      if points.isEmpty {
        packLocation()
        try visit(&self)
      } else {
        try visitPoints(visit)
      }
    }
  }

  private mutating func readRecord(_ range: Range<Int>) throws(ParseAbort) -> Bool {
    guard let layout else { return try readFeature(range) }
    return try readObject(range, layout: layout)
  }

  private mutating func visitPoints(
    _ visit: (inout FeatureReader) throws(ParseAbort) -> Void
  ) throws(ParseAbort) {
    for point in points {
      location = point
      content = .location
      packLocation()
      try visit(&self)
    }
  }

  /// Rejects the current Feature.
  mutating func reject(
    at pointer: UnsafePointer<CChar>? = nil, _ reason: RejectReason,
    detail: @autoclosure () -> ImportMessage
  ) throws(ParseAbort) {
    let start = pointer.map { offset(of: $0) } ?? range.lowerBound
    try reject(offset: start, reason, detail: detail())
  }

  mutating func reject(
    offset: Int, _ reason: RejectReason, detail: @autoclosure () -> ImportMessage
  ) throws(ParseAbort) {
    let keepsDetail = policy == .fail || rejects.first.count < RecordLog.kept
    let number = block.firstRecord + record + 1
    let rejection = RejectedRecord(
      position: inputPosition(of: offset), reason: reason,
      detail: keepsDetail ? "\(noun.one) \(number): \(detail())" : "")
    if policy == .fail { throw .rejected(rejection) }
    rejects.add(rejection)
  }

  /// The name of the file's records in messages.
  var noun: RecordNoun { layout == nil ? .feature : .object }

  /// Returns the position of a text in the input, for a message.
  func inputPosition(of pointer: UnsafePointer<CChar>?) -> InputPosition {
    inputPosition(of: pointer.map { offset(of: $0) } ?? range.lowerBound)
  }

  private func inputPosition(of offset: Int) -> InputPosition {
    InputPosition(block: block.number, file: block.file, offset: block.offset + Int64(offset))
  }

  /// Returns the offset of a text in the block. A text with escapes lies in another buffer and gets
  /// the offset of its Feature.
  private func offset(of pointer: UnsafePointer<CChar>) -> Int {
    let distance = UnsafeRawPointer(pointer) - UnsafeRawPointer(bytes)
    return range.contains(distance) ? distance : range.lowerBound
  }
}
