import CairnModelTestSupport
import CairnObjects
import Testing

private class Hoop: Object {
  @Persisted var name = ""
  @Persisted var next: List<Hoop>
  @Persisted var named: Map<String, Hoop?>
  @Persisted var other: Hoop?
  @Persisted var any: AnyRealmValue
  @Persisted(originProperty: "next") var origins: LinkingObjects<Hoop>
}

private class Titled: Object {
  @Persisted var title = ""

  override var description: String { "titled \(title)" }
}

@Suite struct DescriptionTests {
  private let file = TemporaryStore()

  /// Hoops that link to each other through every kind of property.
  private func cycle() -> Hoop {
    let (a, b) = (Hoop(), Hoop())
    (a.name, b.name) = ("a", "b")
    for (from, to) in [(a, b), (b, a)] {
      from.next.append(to)
      from.named["k"] = to
      from.other = to
      from.any = .fromArray([.object(to), .fromDictionary(["m": .object(to)])])
    }
    return a
  }

  @Test func cyclesEnd() throws {
    let loose = cycle()
    #expect(loose.description.contains("<Maximum depth exceeded>"))
    #expect("\(loose.next)".contains("<Maximum depth exceeded>"))
    #expect("\(loose.named)".contains("<Maximum depth exceeded>"))
    #expect("\(loose.any)".contains("<Maximum depth exceeded>"))
    let realm = try file.realm()
    try realm.write { realm.add(loose) }
    #expect(loose.description.contains("<Maximum depth exceeded>"))
    #expect("\(realm.objects(Hoop.self))".contains("<Maximum depth exceeded>"))
    #expect("\(loose.next)".contains("<Maximum depth exceeded>"))
    #expect("\(loose.origins)".contains("<Maximum depth exceeded>"))
    let dynamic = try #require(realm.dynamicObjects("Hoop").first)
    #expect("\(dynamic)".contains("<Maximum depth exceeded>"))
  }

  /// Each object and each collection counts as one level.
  @Test func descriptionsStopAfterFiveLevels() {
    let rings = (0..<7).map { _ in Hoop() }
    for (index, ring) in rings.enumerated() {
      ring.name = "ring \(index)"
      if index + 1 < rings.count { ring.other = rings[index + 1] }
    }
    let text = rings[0].description
    for index in 0..<5 { #expect(text.contains("ring \(index)")) }
    #expect(!text.contains("ring 5"))
    let listed = Hoop()
    listed.next.append(rings[0])
    #expect(listed.description.contains("ring 2") && !listed.description.contains("ring 3"))
  }

  @Test func descriptionsShowAHundredElements() throws {
    let ring = Hoop()
    for number in 0..<103 {
      let other = Hoop()
      other.name = "n\(number)!"
      ring.next.append(other)
    }
    let text = ring.description
    #expect(text.contains("n99!") && !text.contains("n100!"))
    #expect(text.contains("... 3 objects skipped."))
  }

  @Test func customDescriptions() throws {
    let titled = Titled(value: ["title": "one"])
    #expect("\(titled)" == "titled one")
    let realm = try file.realm()
    try realm.write { realm.add(titled) }
    #expect(realm.objects(Titled.self).first?.description == "titled one")
  }

  @Test func theSameClassTwice() throws {
    let configuration = Realm.Configuration(
      fileURL: file.url, objectTypes: [Titled.self, Hoop.self, Titled.self])
    let realm = try Realm(configuration: configuration)
    try realm.write { realm.create(Titled.self) }
    #expect(realm.objects(Titled.self).count == 1)
    #expect(realm.schema.objectSchema.map(\.className).sorted() == ["Hoop", "Titled"])
  }
}
