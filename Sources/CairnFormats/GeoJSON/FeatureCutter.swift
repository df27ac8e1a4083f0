/// Cuts a FeatureCollection, an array, or a sequence of Features or other objects into sections of whole records.
///
/// A record ends where its brackets close: it may hold newlines, and all of them may stand in one
/// line.
final class FeatureCutter: SectionCutter {
  private enum State {
    case start
    /// Before a member of the collection; true: a comma must come first.
    case members(needsComma: Bool)
    case features(needsComma: Bool)
    case end
  }

  private let input: InputFile
  private let shape: GeoJSONShape
  private let noun: RecordNoun
  /// No Feature, and no other member of the collection, may be longer.
  private let longestValue: Int
  private var state = State.start
  private var offset: Int64
  private var collection: CollectionMembers
  private var featureCount = 0

  /// - Parameters:
  ///   - offset: where the text begins, behind a byte order mark.
  ///   - shape: a collection, an array or a sequence.
  ///   - noun: what the records are called.
  ///   - longest: bytes of a record, or of another member of the collection.
  init(
    _ input: InputFile, _ reading: CoordinateReading, offset: Int64, shape: GeoJSONShape,
    noun: RecordNoun, longest: Int
  ) {
    self.input = input
    longestValue = longest
    self.offset = offset
    self.shape = shape
    self.noun = noun
    collection = CollectionMembers(file: input.name, reading: reading)
  }

  private var isSequence: Bool { shape == .sequence }

  func cut(into section: InputSection) throws(ImportError) -> Bool {
    section.records.removeAll(keepingCapacity: true)
    section.mayHoldGeometries = shape != .collection
    while true {
      if case .end = state, offset >= input.size { return false }
      let count = try section.fill(from: input, at: offset)
      let scan = JSONScan(bytes: section.bytes, count: count)
      section.firstRecord = featureCount
      let isLast = offset + Int64(count) == input.size
      let next = try advance(scan, section, isLast: isLast)
      let begin = offset
      offset += Int64(next)
      if !section.records.isEmpty {
        featureCount += section.records.count
        section.range = 0..<next
        return true
      }
      if offset > begin { continue }
      if isLast, isFinished { return false }
      if isLast { throw error("the file ends in the middle of the \(noun.format)", at: input.size) }
      if section.capacity >= longestValue {
        throw error(
          "\(place) here is longer than \(longestValue >> 20) MB", at: offset + start(scan))
      }
      section.grow()
    }
  }

  /// Goes as far as whole members and Features reach; returns how far.
  private func advance(
    _ scan: JSONScan, _ section: InputSection, isLast: Bool
  ) throws(ImportError) -> Int {
    var index = 0
    while true {
      let place = scan.skipSpace(index)
      if place == scan.count {
        if isLast, isSequence || isFinished { state = .end }
        return place
      }
      let next: Int? =
        switch state {
        case .start: try takeStart(scan, place)
        case .members(let needsComma): try takeMember(scan, place, needsComma)
        case .features(let needsComma): try takeFeature(scan, place, needsComma, section, isLast)
        case .end: try takeRest(scan, place)
        }
      guard let next else { return index }
      index = next
    }
  }

  /// Where the value begins that is cut next.
  private func start(_ scan: JSONScan) -> Int64 {
    let first = scan.skipSpace(0)
    let isComma = first < scan.count && scan.bytes[first] == UInt8(ascii: ",")
    return Int64(isComma ? scan.skipSpace(first + 1) : first)
  }

  /// What is being read, for a message.
  private var place: String {
    if case .features = state {
      "\(noun.one) \(featureCount + 1)"
    } else {
      "a member of the collection"
    }
  }

  private var isFinished: Bool {
    if case .end = state { true } else { false }
  }

  private func takeStart(_ scan: JSONScan, _ place: Int) throws(ImportError) -> Int {
    if isSequence {
      state = .features(needsComma: false)
      return place
    }
    if shape == .array, scan.bytes[place] == UInt8(ascii: "[") {
      state = .features(needsComma: false)
      return place + 1
    }
    guard scan.bytes[place] == UInt8(ascii: "{") else {
      throw error("GeoJSON begins with an object", at: offset + Int64(place))
    }
    state = .members(needsComma: false)
    return place + 1
  }

  private func takeRest(_ scan: JSONScan, _ place: Int) throws(ImportError) -> Int {
    let whole = shape == .array ? "array" : "FeatureCollection"
    throw error("text stands behind the end of the \(whole)", at: offset + Int64(place))
  }

  private func takeMember(
    _ scan: JSONScan, _ place: Int, _ needsComma: Bool
  ) throws(ImportError) -> Int? {
    if scan.bytes[place] == UInt8(ascii: "}") {
      try collection.check()
      state = .end
      return place + 1
    }
    var index = place
    if needsComma {
      guard scan.bytes[index] == UInt8(ascii: ",") else { throw unexpected(scan, index) }
      index = scan.skipSpace(index + 1)
    }
    guard index < scan.count else { return nil }
    guard scan.bytes[index] == UInt8(ascii: "\"") else { throw unexpected(scan, index) }
    guard let nameEnd = scan.skipString(index) else { return nil }
    let name = scan.text(index + 1, nameEnd - 1)
    index = scan.skipSpace(nameEnd)
    guard index < scan.count else { return nil }
    guard scan.bytes[index] == UInt8(ascii: ":") else { throw unexpected(scan, index) }
    index = scan.skipSpace(index + 1)
    guard index < scan.count else { return nil }
    return try takeMember(name, scan, index)
  }

  private func takeMember(
    _ name: String, _ scan: JSONScan, _ index: Int
  ) throws(ImportError) -> Int? {
    if name == "features", scan.bytes[index] == UInt8(ascii: "[") {
      if collection.hasFeatures {
        throw error("`features` stands twice in the FeatureCollection", at: offset + Int64(index))
      }
      collection.hasFeatures = true
      state = .features(needsComma: false)
      return index + 1
    }
    guard let end = scan.skipValue(index) else { return nil }
    if let wrong = JSONCheck.firstError(scan.bytes + index, end - index) {
      throw error("`\(name)` is no well-formed JSON", at: offset + Int64(index + wrong))
    }
    collection.take(name, UnsafeBufferPointer(start: scan.bytes + index, count: end - index))
    state = .members(needsComma: true)
    return end
  }

  private func takeFeature(
    _ scan: JSONScan, _ place: Int, _ needsComma: Bool, _ section: InputSection, _ isLast: Bool
  ) throws(ImportError) -> Int? {
    var index = place
    if isSequence {
      if isSeparator(scan.bytes[index]) { return index + 1 }
    } else if scan.bytes[index] == UInt8(ascii: "]"), needsComma || isBeforeFirst(section) {
      state = shape == .array ? .end : .members(needsComma: true)
      return index + 1
    } else if needsComma {
      guard scan.bytes[index] == UInt8(ascii: ",") else { throw unexpected(scan, index) }
      index = scan.skipSpace(index + 1)
      guard index < scan.count else { return nil }
    }
    return try takeFeature(scan, at: index, section, isLast)
  }

  private func isBeforeFirst(_ section: InputSection) -> Bool {
    section.firstRecord + section.records.count == 0
  }

  private func takeFeature(
    _ scan: JSONScan, at index: Int, _ section: InputSection, _ isLast: Bool
  ) throws(ImportError) -> Int? {
    switch scan.bytes[index] {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ":"):
      throw unexpected(scan, index)
    default: break
    }
    // What a sequence ends with is read even when it does not close, for a better message.
    guard let end = scan.skipValue(index) ?? (isLast && isSequence ? scan.count : nil) else {
      return nil
    }
    section.records.append(index..<end)
    state = .features(needsComma: true)
    return end
  }

  /// Whether the byte separates the records of a sequence: the record separator of RFC 8142 does.
  private func isSeparator(_ byte: UInt8) -> Bool { byte == 0x1E }

  private func unexpected(_ scan: JSONScan, _ index: Int) -> ImportError {
    let byte = scan.bytes[index]
    let shown = (0x21..<0x7F).contains(byte) ? "`\(Unicode.Scalar(byte))`" : "byte \(byte)"
    return error("\(shown) is not expected here", at: offset + Int64(index))
  }

  private func error(_ message: String, at offset: Int64) -> ImportError {
    ImportError(.data, "\(input.name):\(input.line(of: offset)): \(message)")
  }
}

/// The name that messages give to the records of a file.
enum RecordNoun: Sendable {
  case feature
  case object

  var one: String { self == .feature ? "feature" : "record" }
  /// With the article.
  var capitalised: String { self == .feature ? "a Feature" : "a record" }
  var format: String { self == .feature ? "GeoJSON" : "JSON" }
}
