import Cairn
import CairnTestSupport
import Observation
import Testing

/// The code of the article on observation, as it runs here.
@Suite struct ObservationGuideTests {
  private final class Report: @unchecked Sendable {
    // Sendable: the test uses it on one thread.
    var isStale = false
    func show(_ text: String) {}
  }

  @Test func theArticleShowsTheCodeThatRuns() throws {
    let article = try Repository.text("Sources/Cairn/Cairn.docc/Observation.md")
    let code = try Repository.text("Tests/CairnTests/API/ObservationGuideTests.swift")
    let shown = article.matches(of: /```swift\n((?:.|\n)*?)```/).map { String($0.1) }
    #expect(shown.count == 1)
    let lines = code.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
    for block in shown {
      let block = block.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
      #expect(lines.contains(block))
    }
  }

  @Test func theArticlePrintsWhatItsCommentsShow() throws {
    var printed: [Bool] = []
    func print(_ item: Bool) { printed.append(item) }
    let realm = try Realm(configuration: .init(inMemoryIdentifier: "observation guide"))
    let dogs = realm.objects(Dog.self)
    let dog = Dog()
    try realm.write { realm.add(dog) }
    let report = Report()
    withObservationTracking {
      report.show("\(dog.name), \(dogs.where { $0.age > 5 }.count) old dogs")
    } onChange: {
      report.isStale = true
    }
    try realm.write { dog.favoriteToy = Toy() }
    print(report.isStale)  // false
    try realm.write { dog.name = "Rex II" }
    print(report.isStale)  // true
    #expect(printed == [false, true])
  }
}
