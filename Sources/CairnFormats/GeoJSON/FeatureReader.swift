internal import CSimdJSON

/// Reads Features with simdjson and refuses those that are no points. Used by one thread.
final class FeatureReader {
  /// A point as it stands in the file.
  struct Location {
    var longitude = 0.0
    var latitude = 0.0
    var altitude: Double?
  }

  let parser: OpaquePointer
  private let policy: RefusalPolicy
  private(set) var refusals = RefusalLog()
  private(set) var section: InputSection
  private var record = 0
  /// The Feature last read; its texts are valid until the next is read.
  var feature = csimdjson_feature()
  var location = Location()

  init(policy: RefusalPolicy) throws(ImportError) {
    guard let parser = csimdjson_create() else {
      throw ImportError(.io, "there is no memory for reading GeoJSON")
    }
    self.parser = parser
    self.policy = policy
    section = InputSection(capacity: 0)
  }

  deinit { csimdjson_destroy(parser) }

  /// The members of the Feature, foreign ones among them.
  var members: UnsafeBufferPointer<csimdjson_member> {
    UnsafeBufferPointer(start: feature.members, count: feature.member_count)
  }

  /// Visits the Features of a section that are points.
  func read(_ section: InputSection, _ visit: () throws(ParseStop) -> Void) throws(ParseStop) {
    self.section = section
    refusals = RefusalLog()
    for index in section.records.indices {
      record = index
      if try readFeature(section.records[index]) { try visit() }
    }
  }

  /// Notes that the Feature at hand cannot be stored.
  func refuse(
    at pointer: UnsafePointer<CChar>? = nil, _ reason: String, _ detail: @autoclosure () -> String
  ) throws(ParseStop) {
    let place = pointer.map { offset(of: $0) } ?? section.records[record].lowerBound
    try refuse(offset: place, reason, detail())
  }

  func refuse(
    offset: Int, _ reason: String, _ detail: @autoclosure () -> String
  ) throws(ParseStop) {
    let isTold = policy == .fail || refusals.first.count < RefusalLog.kept
    let place = InputPlace(
      section: section.number, file: section.file, offset: section.offset + Int64(offset))
    let number = section.firstRecord + record + 1
    let refusal = Refusal(
      place: place, reason: reason, detail: isTold ? "feature \(number): \(detail())" : reason)
    if policy == .fail { throw .refused(refusal) }
    refusals.add(refusal)
  }

  /// Where a text stands in the section: those with escapes stand elsewhere and are given the Feature's place.
  private func offset(of pointer: UnsafePointer<CChar>) -> Int {
    let distance = UnsafeRawPointer(pointer) - UnsafeRawPointer(section.bytes)
    return section.records[record].contains(distance) ? distance : section.records[record].lowerBound
  }
}
