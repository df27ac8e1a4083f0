/// Splits a FeatureCollection, an array, or a sequence of Features or other objects into blocks of
/// whole records.
///
/// A record ends where its brackets close. It may contain newlines, and one line may hold all
/// records.
final class FeatureSplitter: BlockSplitter {
  private enum State {
    case start
    /// Before a member of the collection, which a comma must precede if `needsComma` is set.
    case members(needsComma: Bool)
    case features(needsComma: Bool)
    case end
  }

  private let input: InputFile
  private let layout: JSONRecordLayout
  private let noun: RecordNoun
  /// The longest Feature, or other member of the collection, in bytes.
  private let longestValue: Int
  private var state = State.start
  private var offset: Int64
  private var collection: CollectionMembers
  private var featureCount = 0

  /// Creates a splitter for the text of a file.
  ///
  /// - Parameters:
  ///   - offset: The start of the text, after a byte order mark.
  ///   - layout: A collection, an array or a sequence.
  ///   - noun: The name of the records in messages.
  ///   - longest: The longest record, or other member of the collection, in bytes.
  init(
    _ input: InputFile, reading: CoordinateReading, offset: Int64, layout: JSONRecordLayout,
    noun: RecordNoun, longest: Int
  ) {
    self.input = input
    longestValue = longest
    self.offset = offset
    self.layout = layout
    self.noun = noun
    collection = CollectionMembers(file: input.name, reading: reading)
  }

  private var isSequence: Bool { layout == .sequence }

  func next(into block: InputBlock) throws(ImportError) -> Bool {
    block.records.removeAll(keepingCapacity: true)
    block.mayHoldGeometries = layout != .collection
    while true {
      if case .end = state, offset >= input.size { return false }
      let count = try block.fill(from: input, at: offset)
      let scan = JSONScan(bytes: block.bytes, count: count)
      block.firstRecord = featureCount
      let isLast = offset + Int64(count) == input.size
      let next = try advance(scan, block: block, isLast: isLast)
      let begin = offset
      offset += Int64(next)
      if !block.records.isEmpty {
        featureCount += block.records.count
        block.range = 0..<next
        return true
      }
      if offset > begin { continue }
      if isLast, isFinished { return false }
      if isLast { throw error("the file ends in the middle of the \(noun.format)", at: input.size) }
      if block.capacity >= longestValue {
        throw error(
          "\(subject) is longer than \(longestValue >> 20) MB", at: offset + start(scan))
      }
      block.grow()
    }
  }

  /// Advances past the whole members and Features in the block and returns the index reached.
  private func advance(
    _ scan: JSONScan, block: InputBlock, isLast: Bool
  ) throws(ImportError) -> Int {
    var index = 0
    while true {
      let position = scan.skipSpace(index)
      if position == scan.count {
        if isLast, isSequence || isFinished { state = .end }
        return position
      }
      let next: Int? =
        switch state {
        case .start: try takeStart(scan, at: position)
        case .members(let needsComma): try takeMember(scan, at: position, needsComma: needsComma)
        case .features(let needsComma):
          try takeFeature(scan, at: position, needsComma: needsComma, block: block, isLast: isLast)
        case .end: try takeRest(scan, at: position)
        }
      guard let next else { return index }
      index = next
    }
  }

  /// Returns the start of the value that is read next.
  private func start(_ scan: JSONScan) -> Int64 {
    let first = scan.skipSpace(0)
    let isComma = first < scan.count && scan.bytes[first] == UInt8(ascii: ",")
    return Int64(isComma ? scan.skipSpace(first + 1) : first)
  }

  /// The value that is being read, for a message.
  private var subject: String {
    if case .features = state {
      "\(noun.one) \(featureCount + 1)"
    } else {
      "a member of the collection"
    }
  }

  private var isFinished: Bool {
    if case .end = state { true } else { false }
  }

  private func takeStart(_ scan: JSONScan, at position: Int) throws(ImportError) -> Int {
    if isSequence {
      state = .features(needsComma: false)
      return position
    }
    if layout == .array, scan.bytes[position] == UInt8(ascii: "[") {
      state = .features(needsComma: false)
      return position + 1
    }
    guard scan.bytes[position] == UInt8(ascii: "{") else {
      throw error("GeoJSON begins with an object", at: offset + Int64(position))
    }
    state = .members(needsComma: false)
    return position + 1
  }

  private func takeRest(_ scan: JSONScan, at position: Int) throws(ImportError) -> Int {
    let whole = layout == .array ? "array" : "FeatureCollection"
    throw error("there is text after the end of the \(whole)", at: offset + Int64(position))
  }

  private func takeMember(
    _ scan: JSONScan, at position: Int, needsComma: Bool
  ) throws(ImportError) -> Int? {
    if scan.bytes[position] == UInt8(ascii: "}") {
      try collection.check()
      state = .end
      return position + 1
    }
    var index = position
    if needsComma {
      guard scan.bytes[index] == UInt8(ascii: ",") else { throw unexpected(scan, at: index) }
      index = scan.skipSpace(index + 1)
    }
    guard index < scan.count else { return nil }
    guard scan.bytes[index] == UInt8(ascii: "\"") else { throw unexpected(scan, at: index) }
    guard let nameEnd = scan.skipString(index) else { return nil }
    let name = scan.text(index + 1, end: nameEnd - 1)
    index = scan.skipSpace(nameEnd)
    guard index < scan.count else { return nil }
    guard scan.bytes[index] == UInt8(ascii: ":") else { throw unexpected(scan, at: index) }
    index = scan.skipSpace(index + 1)
    guard index < scan.count else { return nil }
    return try takeMember(name, scan: scan, at: index)
  }

  private func takeMember(
    _ name: String, scan: JSONScan, at index: Int
  ) throws(ImportError) -> Int? {
    if name == "features", scan.bytes[index] == UInt8(ascii: "[") {
      if collection.hasFeatures {
        throw error("`features` appears twice in the FeatureCollection", at: offset + Int64(index))
      }
      collection.hasFeatures = true
      state = .features(needsComma: false)
      return index + 1
    }
    guard let end = scan.skipValue(index) else { return nil }
    if let wrong = JSONCheck.firstError(scan.bytes + index, count: end - index) {
      throw error("`\(name)` is not well-formed JSON", at: offset + Int64(index + wrong))
    }
    collection.take(name, text: UnsafeBufferPointer(start: scan.bytes + index, count: end - index))
    state = .members(needsComma: true)
    return end
  }

  private func takeFeature(
    _ scan: JSONScan, at position: Int, needsComma: Bool, block: InputBlock, isLast: Bool
  ) throws(ImportError) -> Int? {
    var index = position
    if isSequence {
      if isSeparator(scan.bytes[index]) { return index + 1 }
    } else if scan.bytes[index] == UInt8(ascii: "]"), needsComma || isBeforeFirst(block) {
      state = layout == .array ? .end : .members(needsComma: true)
      return index + 1
    } else if needsComma {
      guard scan.bytes[index] == UInt8(ascii: ",") else { throw unexpected(scan, at: index) }
      index = scan.skipSpace(index + 1)
      guard index < scan.count else { return nil }
    }
    return try takeFeature(scan, at: index, block: block, isLast: isLast)
  }

  private func isBeforeFirst(_ block: InputBlock) -> Bool {
    block.firstRecord + block.records.count == 0
  }

  private func takeFeature(
    _ scan: JSONScan, at index: Int, block: InputBlock, isLast: Bool
  ) throws(ImportError) -> Int? {
    switch scan.bytes[index] {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
      throw unexpected(scan, at: index)
    default: break
    }
    // The unclosed end of a sequence is read as well, because the parser reports it better.
    guard let end = scan.skipValue(index) ?? (isLast && isSequence ? scan.count : nil) else {
      return nil
    }
    block.records.append(index..<end)
    state = .features(needsComma: true)
    return end
  }

  /// Whether the byte separates the records of a sequence, as the record separator of RFC 8142
  /// does.
  private func isSeparator(_ byte: UInt8) -> Bool { byte == 0x1E }

  private func unexpected(_ scan: JSONScan, at index: Int) -> ImportError {
    let byte = scan.bytes[index]
    let shown = (0x21..<0x7F).contains(byte) ? "`\(Unicode.Scalar(byte))`" : "byte \(byte)"
    return error("\(shown) is not expected here", at: offset + Int64(index))
  }

  private func error(_ message: String, at offset: Int64) -> ImportError {
    ImportError(.data, message: "\(input.name):\(input.line(of: offset)): \(message)")
  }
}

/// The name of the records of a file in messages.
enum RecordNoun: Sendable {
  case feature
  case object

  /// The noun, without an article.
  var one: String { self == .feature ? "feature" : "record" }
  /// The noun with the article.
  var capitalised: String { self == .feature ? "a Feature" : "a record" }
  /// The name of the format.
  var format: String { self == .feature ? "GeoJSON" : "JSON" }
}

/// The members of a FeatureCollection other than its Features.
struct CollectionMembers {
  private let file: String
  private let reading: CoordinateReading
  var hasFeatures = false
  private var type: String?
  private var crs: CRSMember?

  /// Creates the members of a collection.
  ///
  /// - Parameter reading: How the coordinates of the Features are read.
  init(file: String, reading: CoordinateReading) {
    self.file = file
    self.reading = reading
  }

  /// Takes in a member. Members that have no meaning here (`bbox`, foreign members) are ignored.
  mutating func take(_ name: String, text: UnsafeBufferPointer<UInt8>) {
    switch name {
    case "type": type = String(decoding: text, as: UTF8.self)
    case "crs": crs = CRSMember(text)
    default: break
    }
  }

  /// The advice for JSON that is not GeoJSON.
  static let plainJSON: ImportMessage = "plain JSON is read with \(option: .format, "json")"

  /// Checks the members once the collection has ended.
  func check() throws(ImportError) {
    guard type == "\"FeatureCollection\"" else {
      let shown = type.map { "`\($0)`" } ?? "missing"
      let advice: ImportMessage =
        type == "\"Topology\""
        ? "; \(option: .format, "gdal") reads TopoJSON"
        : type == nil ? "; \(Self.plainJSON)" : ""
      throw ImportError(
        .data,
        message: "\(file): the `type` of the file is \(shown), "
          + "expected a FeatureCollection, a Feature or a geometry\(advice)"
      )
    }
    guard hasFeatures else {
      throw ImportError(.data, message: "\(file): the FeatureCollection has no array `features`")
    }
    if let objection = crs.flatMap(reading.objection) {
      throw ImportError(.data, message: "\(file): \(objection)")
    }
  }
}
