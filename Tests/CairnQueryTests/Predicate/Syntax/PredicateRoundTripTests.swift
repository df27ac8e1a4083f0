import CairnQuery
import CairnTestSupport
import CairnValues
import Testing

@Suite(.tags(.untrusted)) struct PredicateRoundTripTests {
  @Test func generatedTrees() throws {
    let seed = Soak.seed(137)
    var generator = NodeGenerator(seed: seed)
    for round in 0..<Soak.count(2_000, long: 60_000) {
      let predicate = Predicate(generator.node(depth: round % 5))
      let text = predicate.description
      let read = try Predicate(parsing: text)
      #expect(read == predicate, "seed \(seed), round \(round): \(text)")
      #expect(read.description == text, "seed \(seed), round \(round)")
      if read != predicate { return }
    }
  }

  /// For any bytes the parser returns or throws, and every error has an offset within the text.
  @Test func damagedTexts() {
    let seed = Soak.seed(138)
    var generator = NodeGenerator(seed: seed)
    for _ in 0..<Soak.count(2_000, long: 60_000) {
      var bytes = Array(Predicate(generator.node(depth: 2)).description.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &generator.random) {
        Self.damage(&bytes, &generator.random)
      }
      let text = String(decoding: bytes, as: UTF8.self)
      do throws(PredicateError) {
        let predicate = try Predicate(parsing: text)
        #expect((try? Predicate(parsing: predicate.description)) == predicate, "seed \(seed)")
      } catch {
        #expect(error.offset.map { 0...text.utf8.count ~= $0 } ?? false, "seed \(seed): \(text)")
        #expect(!error.description.isEmpty)
      }
    }
  }

  private static func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
    let signs = Array("'\"`\\(){}[],.%$@<>=!&|-+eE09 \nNn".utf8)
    let index = Int.random(in: 0...bytes.count, using: &random)
    switch Int.random(in: 0..<4, using: &random) {
    case 0: bytes.insert(signs[Int.random(in: 0..<signs.count, using: &random)], at: index)
    case 1 where index < bytes.count: bytes.remove(at: index)
    case 2: bytes.removeLast(bytes.count - index)
    case 3 where index < bytes.count: bytes[index] = UInt8(truncatingIfNeeded: random.next())
    default: bytes.append(UInt8(ascii: "("))
    }
  }

  @Test func deepNestingIsRejectedWithoutAnOverflow() {
    for text in [
      String(repeating: "(", count: 400_000), String(repeating: "NOT ", count: 200_000),
      String(repeating: "(NOT ", count: 100_000),
      String(repeating: "(", count: 501) + "a == 1" + String(repeating: ")", count: 501),
      String(repeating: "!", count: 501) + "a == 1",
      "a IN " + String(repeating: "{", count: 400_000),
      "a IN " + String(repeating: "(", count: 400_000),
      "p GEOWITHIN geoPolygon" + String(repeating: "(", count: 400_000),
    ] {
      #expect(throws: PredicateError.self) { try Predicate(parsing: text) }
    }
  }

  @Test func nestingUpToTheLimitIsAccepted() throws {
    let open = String(repeating: "(NOT ", count: 249)
    let text = open + "a == 1" + String(repeating: ")", count: 249)
    let predicate = try Predicate(parsing: text)
    #expect(try Predicate(parsing: predicate.description) == predicate)
  }

  @Test func longTextsAreAccepted() throws {
    let many = (0..<100_000).map { "a == \($0)" }.joined(separator: " OR ")
    #expect(many.utf8.count > 1 << 20)
    #expect(try Predicate(parsing: many).description == many)
    let list = "a IN {" + (0..<100_000).map(String.init).joined(separator: ", ") + "}"
    #expect(try Predicate(parsing: list).description == list)
    let text = "a == '" + String(repeating: "é", count: 300_000) + "'"
    #expect(try Predicate(parsing: text).description == text)
  }

  @Test func aTextOverTheLimitIsRejected() {
    #expect(throws: PredicateError.self) {
      try Predicate(parsing: "a == '" + String(repeating: "x", count: 5 << 20) + "'")
    }
  }

  @Test func builtTreesAreFlat() {
    let a = PredicateNode.compare(.property("a"), .equal, .value(.int(1)), [])
    #expect(PredicateNode.all([]) == .constant(true))
    #expect(PredicateNode.any([]) == .constant(false))
    #expect(PredicateNode.all([a]) == a)
    #expect(PredicateNode.all([.all([a, a]), a]) == .and([a, a, a]))
    #expect(PredicateNode.any([a, .any([a, a])]) == .or([a, a, a]))
  }
}
