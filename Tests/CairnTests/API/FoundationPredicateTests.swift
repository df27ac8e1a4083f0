import Cairn
import CairnTestSupport
import Foundation
import Testing

/// Predicates of Foundation's macro select what Foundation itself selects.
@Suite struct FoundationPredicateTests {
  private let realm: Realm

  init() throws {
    realm = try Realm(
      configuration: .init(inMemoryIdentifier: "predicates \(ObjectId.generate())"))
    var random = SplitMix64(seed: 20)
    try realm.write {
      var players: [Player] = []
      for id in 0..<300 {
        let player = Player()
        player.id = id
        player.name =
          ["", "Ada", "Bob", "adam", "Étienne", "Zoë"].randomElement(using: &random) ?? ""
        player.nickname = [nil, "", "x", "Ada"].randomElement(using: &random) ?? nil
        player.score = Double(Int.random(in: -4...4, using: &random)) / 2
        player.rank = [nil, 0, 1, 2, 3].randomElement(using: &random) ?? nil
        player.isActive = Bool.random(using: &random)
        player.joined = Date(timeIntervalSince1970: Double(Int.random(in: 0...9, using: &random)))
        player.level = [.low, .high].randomElement(using: &random) ?? .low
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          player.points.append(Int.random(in: 0...5, using: &random))
          player.tags.insert(["red", "green", "blue"].randomElement(using: &random) ?? "")
        }
        player.friend = Bool.random(using: &random) ? players.randomElement(using: &random) : nil
        for friend in players.shuffled(using: &random).prefix(id % 4) { player.team.append(friend) }
        realm.add(player)
        players.append(player)
      }
    }
  }

  /// Compares with the evaluation by Foundation. At least one object must match and one must not.
  private func check(
    _ predicate: Foundation.Predicate<Player>, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let all = realm.objects(Player.self)
    let expected = try all.filter { try predicate.evaluate($0) }.map(\.id)
    #expect(Array(all.filter(predicate).map(\.id)) == expected, sourceLocation: sourceLocation)
    #expect(
      all.index(matching: predicate) == all.firstIndex { $0.id == expected.first },
      sourceLocation: sourceLocation)
    #expect(!expected.isEmpty && expected.count < all.count, sourceLocation: sourceLocation)
  }

  @Test func comparisons() throws {
    let (half, name, day) = (0.5, "Bob", Date(timeIntervalSince1970: 4))
    let high = Player.Level.high
    try check(#Predicate { $0.score > half })
    try check(#Predicate { $0.score >= half })
    try check(#Predicate { $0.score < half })
    try check(#Predicate { 0.5 <= $0.score })
    try check(#Predicate { $0.name == name })
    try check(#Predicate { $0.name != name })
    try check(#Predicate { $0.name < name })
    try check(#Predicate { $0.joined > day })
    try check(#Predicate { $0.level == high })
    try check(#Predicate { $0.rank == 2 })
    try check(#Predicate { $0.rank != 2 })
    try check(#Predicate { $0.rank == nil })
    try check(#Predicate { $0.rank != nil })
    try check(#Predicate { $0.nickname == $0.friend?.nickname })
    try check(#Predicate { $0.nickname != $0.friend?.nickname })
    try check(#Predicate { $0.isActive })
    try check(#Predicate { $0.isActive == false })
  }

  @Test func logic() throws {
    try check(#Predicate { $0.score > 0 && $0.name == "Ada" })
    try check(#Predicate { $0.score > 0 || !($0.name == "Ada") })
    try check(#Predicate { !$0.isActive && !($0.rank == nil || $0.score == 0) })
    try check(#Predicate { ($0.score > 0) == true && ($0.score > 1) == false })
  }

  @Test func ranges() throws {
    let ranks: Set<Int?> = [1, 3, nil]
    let names = ["Ada", "Zoë"]
    let scores = -0.5...1
    try check(#Predicate { (0...1).contains($0.score) })
    try check(#Predicate { (0..<1).contains($0.score) })
    try check(#Predicate { scores.contains($0.score) })
    try check(#Predicate { names.contains($0.name) })
    try check(#Predicate { ranks.contains($0.rank) })
    try check(#Predicate { !["Ada", "Bob"].contains($0.name) })
  }

  @Test func texts() throws {
    try check(#Predicate { $0.name.contains("da") })
    try check(#Predicate { $0.name.starts(with: "A") })
    try check(#Predicate { $0.name.isEmpty })
    try check(#Predicate { !$0.name.isEmpty && $0.name.contains("") })
    try check(#Predicate { $0.nickname?.contains("A") == true })
    try check(#Predicate { $0.nickname?.contains("A") == false })
    try check(#Predicate { $0.nickname?.contains("A") != true })
    try check(#Predicate { $0.nickname?.contains("A") == nil })
    try check(#Predicate { $0.nickname?.contains("A") ?? true })
    try check(#Predicate { $0.nickname?.starts(with: "A") ?? false })
    try check(#Predicate { $0.nickname?.contains("") == true })
    try check(#Predicate { $0.nickname?.isEmpty == true })
  }

  @Test func optionals() throws {
    try check(#Predicate { ($0.rank ?? 2) > 1 })
    try check(#Predicate { ($0.rank ?? 0) > 1 })
    try check(#Predicate { 1 < ($0.rank ?? 5) })
    try check(#Predicate { ($0.nickname ?? "Ada") == $0.name })
    try check(#Predicate { ($0.nickname ?? "Ada") != "Ada" })
    try check(#Predicate { $0.rank.flatMap { $0 > 1 } == true })
    try check(#Predicate { $0.rank.flatMap { $0 != 1 } == true })
    try check(#Predicate { $0.rank != nil && $0.rank! > 1 })
  }

  @Test func links() throws {
    try check(#Predicate { $0.friend == nil })
    try check(#Predicate { $0.friend?.name == "Ada" })
    try check(#Predicate { $0.friend?.name != "Ada" })
    try check(#Predicate { $0.friend?.rank == nil })
    try check(#Predicate { $0.friend?.friend?.name == "Bob" })
    try check(#Predicate { ($0.friend?.score ?? 0) > 0.5 })
    try check(#Predicate { $0.friend != nil && $0.friend!.name.contains("a") })
  }

  @Test func collections() throws {
    try check(#Predicate { $0.points.contains(3) })
    try check(#Predicate { $0.tags.contains("red") })
    try check(#Predicate { $0.points.count > 1 })
    try check(#Predicate { $0.points.isEmpty })
    try check(#Predicate { $0.tags.count == 2 })
    try check(#Predicate { $0.team.contains { $0.score > 1 } })
    try check(#Predicate { $0.team.allSatisfy { $0.score > 0 } })
    try check(#Predicate { $0.team.filter { $0.score > 0 }.count > 1 })
    try check(#Predicate { $0.team.filter { $0.isActive }.isEmpty && !$0.team.isEmpty })
    try check(#Predicate { $0.team.contains { $0.team.contains { $0.name == "Bob" } } })
    try check(#Predicate { $0.team.filter { $0.isActive }.contains { $0.rank == nil } })
    try check(#Predicate { $0.admirers.count > 2 })
    try check(#Predicate { $0.points.max() == 5 })
    try check(#Predicate { $0.points.min() == 0 })
  }

  @Test func textOfThePredicate() throws {
    let predicate = try Predicate(#Predicate<Player> { $0.score > 1 && $0.friend?.name == "x" })
    #expect("\(predicate)" == "score > 1.0 AND friend.name == 'x'")
    #expect("\(try Predicate(#Predicate<Player> { _ in true }))" == "TRUEPREDICATE")
  }

  @Test func whatHasNoCounterpartIsRefused() throws {
    func refusal(_ predicate: Foundation.Predicate<Player>) -> String {
      let error = #expect(throws: Predicate.Error.self) { _ = try Predicate(predicate) }
      return error?.message ?? ""
    }
    #expect(refusal(#Predicate { $0.score + 1 > 2 }).contains("cannot evaluate arithmetic"))
    #expect(refusal(#Predicate { $0.isActive ? $0.score > 1 : true }).contains("'if' or '? :'"))
    #expect(refusal(#Predicate { $0.points[0] == 1 }).contains("a subscript"))
    #expect(refusal(#Predicate { $0.shout == "ADA" }).contains("a computed property of 'Player'"))
    #expect(refusal(#Predicate { $0.name.count > 2 }).contains("a computed property of 'String'"))
    #expect(refusal(#Predicate { "Adam".contains($0.name) }).contains("not a constant text"))
    #expect(refusal(#Predicate { _ in 1 == 2 }).contains("must use a property"))
    #expect(
      refusal(#Predicate { player in player.team.contains { $0.score > player.score } })
        == "A condition on the elements of a collection can only use the elements.")
  }

  @Test func aRefusedFilterEndsTheProgram() {
    let result = Misuse.trap("#Predicate: arithmetic")
    #expect(result.contains("cannot evaluate arithmetic"), "\(result)")
  }
}

class Player: Object {
  enum Level: String, PersistableEnum, Codable {
    case low, high
  }

  @Persisted(primaryKey: true) var id = 0
  @Persisted(indexed: true) var name = ""
  @Persisted var nickname: String?
  @Persisted var score = 0.0
  @Persisted var rank: Int?
  @Persisted var isActive = false
  @Persisted var joined = Date(timeIntervalSince1970: 0)
  @Persisted var level = Level.low
  @Persisted var points: List<Int>
  @Persisted var tags: MutableSet<String>
  @Persisted var friend: Player?
  @Persisted var team: List<Player>
  @Persisted(originProperty: "team") var admirers: LinkingObjects<Player>

  /// Computed, so a store does not know it.
  var shout: String { name.uppercased() }
}
