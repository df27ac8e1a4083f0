import CairnQuery
import CairnStorage
import CairnTestSupport
import CairnValues

/// Owners of many dogs over several chunks, both in a store and as plain Swift values.
struct PackWorld {
  struct Dog {
    var numbers: [String: Double?]
    var isLive = true
  }

  struct Owner {
    /// The keys of dogs; those of a map may be null.
    var links: [String: [Int?]]
    /// The elements of number collections.
    var numbers: [String: [Double?]]
    var dog: Int?
    var friend: Int?
  }

  var dogs: [Dog] = []
  var owners: [Owner] = []
  private var random: SplitMix64

  static let drafts = [
    TableDraft(
      name: "Dog",
      columns: [column("age", .int), column("weight", .double), column("ratio", .float)]),
    TableDraft(
      name: "Owner",
      columns: [
        column("dogs", .link, .list, to: "Dog"), column("pack", .link, .set, to: "Dog"),
        column("pets", .link, .map, to: "Dog"), column("scores", .int, .list),
        column("weights", .double, .set), column("ratios", .float, .list),
        column("limits", .int, .map), column("dog", .link, to: "Dog"),
        column("friend", .link, to: "Owner"),
      ]),
  ]

  /// Fills the classes of a new store.
  init(_ write: WriteTransaction, dogs: Int, owners: Int, _ random: SplitMix64) throws {
    self.random = random
    try write.createTables(PackWorld.drafts)
    guard let dogWriter = write.table("Dog"), let ownerWriter = write.table("Owner") else {
      throw StoreError(.misuse, message: "missing classes Dog and Owner")
    }
    for _ in 0..<dogs {
      let dog = Dog(numbers: ["age": number(), "weight": number(), "ratio": number()])
      self.dogs.append(dog)
      try dogWriter.insert([
        value(dog.numbers["age"] ?? nil, .int), value(dog.numbers["weight"] ?? nil, .double),
        value(dog.numbers["ratio"] ?? nil, .float),
      ])
    }
    for _ in 0..<owners {
      let owner = owner()
      self.owners.append(owner)
      try ownerWriter.insert(values(owner))
    }
  }

  /// Deletes some dogs.
  mutating func delete(_ count: Int, _ write: WriteTransaction) throws {
    for _ in 0..<count {
      let key = random.below(dogs.count)
      guard dogs[key].isLive else { continue }
      try write.table("Dog")?.delete(key)
      dogs[key].isLive = false
    }
  }

  // MARK: Rows

  private mutating func number() -> Double? {
    random.chance(0.1) ? nil : Double(random.below(20) - 4)
  }

  private mutating func length() -> Int {
    random.chance(0.02) ? 55 + random.below(90) : random.chance(0.2) ? 0 : random.below(5)
  }

  private mutating func owner() -> Owner {
    let dogs = dogs.count
    var owner = Owner(links: [:], numbers: [:])
    owner.links["dogs"] = (0..<length()).map { _ in random.below(dogs) }
    owner.links["pack"] = Set((0..<length()).map { _ in random.below(dogs) }).sorted()
    owner.links["pets"] = (0..<length()).map { _ in
      random.chance(0.1) ? nil : random.below(dogs)
    }
    for name in ["scores", "ratios", "limits"] {
      owner.numbers[name] = (0..<length()).map { _ in number() }
    }
    let weights = Set((0..<length()).compactMap { _ in number() })
    owner.numbers["weights"] = weights.sorted()
    owner.dog = random.chance(0.1) ? nil : random.below(dogs)
    owner.friend = owners.isEmpty || random.chance(0.2) ? nil : random.below(owners.count)
    return owner
  }

  private func value(_ number: Double?, _ type: ValueType) -> Value {
    guard let number else { return .null }
    switch type {
    case .int: return .int(Int64(number))
    case .float: return .float(Float(number))
    default: return .double(number)
    }
  }

  private func values(_ owner: Owner) -> [Value] {
    func elements(_ name: String, _ type: ValueType) -> [Value] {
      (owner.numbers[name] ?? []).map { value($0, type) }
    }
    func links(_ name: String) -> [Value] {
      (owner.links[name] ?? []).map { $0.map { .int(Int64($0)) } ?? .null }
    }
    func entries(_ values: [Value]) -> [(key: String, value: Value)] {
      values.enumerated().map { (key: "k\(1000 + $0.offset)", value: $0.element) }
    }
    return [
      .data(StoredCollection.encode(links("dogs"), of: .link)),
      .data(StoredCollection.encode(set: links("pack"), of: .link)),
      .data(StoredCollection.encode(map: entries(links("pets")), of: .link)),
      .data(StoredCollection.encode(elements("scores", .int), of: .int)),
      .data(StoredCollection.encode(set: elements("weights", .double), of: .double)),
      .data(StoredCollection.encode(elements("ratios", .float), of: .float)),
      .data(StoredCollection.encode(map: entries(elements("limits", .int)), of: .int)),
      owner.dog.map { .int(Int64($0)) } ?? .null, owner.friend.map { .int(Int64($0)) } ?? .null,
    ]
  }

  // MARK: Expected results

  /// The dogs in a collection. Deleted dogs are absent from lists and sets, and null in maps.
  func dogs(_ owner: Owner, _ name: String) -> [Dog?] {
    let all = (owner.links[name] ?? []).map { key in
      key.flatMap { dogs[$0].isLive ? dogs[$0] : nil }
    }
    return name == "pets" ? all : all.filter { $0 != nil }
  }

  /// An aggregate of numbers, with nil for null.
  static func aggregate(_ function: String, _ numbers: [Double?]) -> Double? {
    let present = numbers.compactMap(\.self)
    switch function {
    case "sum": return present.reduce(0, +)
    case "min": return present.min()
    case "max": return present.max()
    default: return present.isEmpty ? nil : present.reduce(0, +) / Double(present.count)
    }
  }

  /// Whether a comparison of a number with a constant holds; nil is null.
  static func compares(_ number: Double?, _ operation: String, _ constant: Double) -> Bool {
    guard let number else { return operation == "!=" }
    switch operation {
    case "==": return number == constant
    case "!=": return number != constant
    case "<": return number < constant
    case "<=": return number <= constant
    case ">": return number > constant
    default: return number >= constant
    }
  }
}
