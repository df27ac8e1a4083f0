/// What an operation says of a sailor: one that is there, or a new one.
indirect enum SailorDraft: Sendable {
  /// One of those that are there, in the order of their tags, counted round and round.
  case existing(Int)
  /// A new one; nil leaves the property out.
  case new(tag: Int, name: String?, friend: SailorDraft?)
}

/// What an operation says of a ship; nil leaves the property out.
struct ShipDraft: Sendable {
  var name: String?
  var tons: Int??
  var position: FleetState.Place??
  var berth: BerthDraft??
  var captain: SailorDraft??
  var crew: [SailorDraft]?
  var watch: [SailorDraft]?
  var mates: [String: SailorDraft?]?
  var log: [String]?
  var flags: [Int]?
  var cargo: [String: Int]?
  var cabins: [CabinDraft]?
  var extra: ExtraDraft?
}

struct BerthDraft: Sendable {
  var type: String?
  var coordinates: [Double]?
  var note: String?
}

struct CabinDraft: Sendable {
  var beds: Int?
  var guests: [SailorDraft]?
}

indirect enum ExtraDraft: Sendable {
  case none, int(Int), text(String), flag(Bool)
  /// One of those that are there.
  case sailor(Int)
  case list([ExtraDraft]), map([String: ExtraDraft])
}

extension ShipDraft: CustomStringConvertible {
  /// What is said of the ship, and no more.
  var description: String {
    let parts = Mirror(reflecting: self).children.compactMap { child -> String? in
      guard let label = child.label else { return nil }
      let value = Mirror(reflecting: child.value)
      guard value.displayStyle != .optional || value.children.count > 0 else { return nil }
      return "\(label): \(value.children.first?.value ?? child.value)"
    }
    return "(\(parts.joined(separator: ", ")))"
  }
}
