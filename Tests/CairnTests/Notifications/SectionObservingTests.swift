import Cairn
import CairnTestSupport
import Foundation
import Testing

/// Observers of sectioned results and of single sections.
@Suite(.tags(.threads)) struct SectionObservingTests {
  let onQueue = QueueRealm()

  private func text<C>(_ change: SectionedResultsChange<C>) -> String {
    switch change {
    case .initial: return "initial"
    case .update(_, let deletions, let insertions, let modifications, let inserted, let deleted):
      let places = [deletions, insertions, modifications].map { paths in
        paths.map { "\($0[0]).\($0[1])" }.joined(separator: " ")
      }
      return
        "-[\(places[0])] +[\(places[1])] ~[\(places[2])] +\(Array(inserted)) -\(Array(deleted))"
    }
  }

  @Test func reportsSectionsAndElements() throws {
    try onQueue { realm in
      try realm.write {
        for (id, name) in ["Ada", "Anna", "Ben", "Cleo"].enumerated() {
          realm.add(Otter(value: ["id": id, "name": name]))
        }
      }
      var seen: [String] = []
      var second: [String] = []
      let sections = realm.objects(Otter.self).sectioned(by: \.initial)
      let tokens = [
        sections.observe { seen.append(text($0)) },
        sections[1].observe { second.append(text($0)) },
      ]
      realm.refresh()
      #expect(seen == ["initial"])
      func write(_ body: () -> Void) throws {
        try realm.write(body)
        realm.refresh()
      }
      let otters = realm.objects(Otter.self)
      try write { otters[0].age = 4 }
      #expect(seen.last == "-[] +[] ~[0.0] +[] -[]")
      try write { realm.add(Otter(value: ["id": 9, "name": "Bert"])) }
      #expect(seen.last == "-[] +[1.1] ~[] +[] -[]")
      #expect(second == ["initial", "-[] +[1.1] ~[] +[] -[]"])
      try write { realm.add(Otter(value: ["id": 10, "name": "Dora"])) }
      #expect(seen.last == "-[] +[3.0] ~[] +[3] -[]")
      // A deleted section includes its elements; an element that changes its section is deleted and
      // inserted.
      try write { realm.delete(otters.where { $0.name == "Cleo" }) }
      #expect(seen.last == "-[] +[] ~[] +[] -[2]")
      try write { otters.first { $0.name == "Anna" }?.name = "Berta" }
      #expect(seen.last == "-[0.1] +[1.2] ~[] +[] -[]")
      #expect(second.last == "-[] +[1.2] ~[] +[] -[]")
      try write { realm.delete(otters.where { $0.name.starts(with: "B") }) }
      #expect(seen.last == "-[] +[] ~[] +[] -[1]")
      #expect(second.last == "-[] +[] ~[] +[] -[1]")
      _ = tokens
    }
  }

  /// A changed element whose index in its section differs is deleted and inserted, as in Realm; one
  /// that only moves up because another is gone is not reported.
  @Test func changedElementsThatMoveWithinTheirSection() throws {
    try onQueue { realm in
      try realm.write {
        for (id, name) in ["Ada", "Ben", "Bert", "Bob", "Cleo"].enumerated() {
          realm.add(Otter(value: ["id": id, "name": name]))
        }
      }
      var seen: [String] = []
      let token = realm.objects(Otter.self).sectioned(by: \.initial).observe {
        seen.append(text($0))
      }
      realm.refresh()
      func write(_ body: (Results<Otter>) -> Void) throws {
        try realm.write { body(realm.objects(Otter.self)) }
        realm.refresh()
      }
      try write { otters in
        realm.delete(otters.where { $0.name.in(["Ada", "Ben"]) })
        otters.first { $0.name == "Bert" }?.name = "Bertha"
        realm.add(Otter(value: ["id": 9, "name": "Zoe"]))
      }
      #expect(seen.last == "-[1.0 1.1] +[0.0 2.0] ~[] +[2] -[0]")
      try write { otters in otters.first { $0.name == "Bertha" }?.name = "Berta" }
      #expect(seen.last == "-[] +[] ~[0.0] +[] -[]")
      try write { otters in
        otters.first { $0.name == "Berta" }?.name = "Bogumil"
        otters.first { $0.name == "Zoe" }?.age = 3
      }
      #expect(seen.last == "-[0.0] +[0.1] ~[2.0] +[] -[]")
      withExtendedLifetime(token) {}
    }
  }

  /// An object may move to another section although nothing that is observed changed.
  @Test func movesAreReportedWhateverIsObserved() throws {
    try onQueue { realm in
      try realm.write {
        for (id, name) in ["Ada", "Anna", "Ben"].enumerated() {
          realm.add(Otter(value: ["id": id, "name": name]))
        }
      }
      var seen: [String] = []
      let token = realm.objects(Otter.self).sectioned(by: \.initial)
        .observe(keyPaths: ["age"]) { seen.append(text($0)) }
      realm.refresh()
      for name in ["Amy", "Bea"] {
        try realm.write { realm.objects(Otter.self)[1].name = name }
        realm.refresh()
      }
      #expect(seen == ["initial", "-[0.1] +[1.0] ~[] +[] -[]"])
      _ = token
    }
  }

  /// Sections by keys that follow the sort order, and by keys that are independent of it.
  @Test(arguments: 0..<Soak.count(3, long: 200)) func changeSetsYieldTheNewSections(_ number: Int)
    throws
  {
    let seed = UInt64(70 + number)
    var random = SplitMix64(seed: seed)
    try onQueue { realm in
      try realm.write {
        for id in 0..<20 {
          realm.add(Otter(value: ["id": id, "name": "N\(id % 5)", "age": id % 7]))
        }
      }
      let otters = realm.objects(Otter.self)
      let mirrors = [
        SectionMirror(otters.sectioned(by: \.name), "by name, seed \(seed)"),
        SectionMirror(
          otters.sectioned(by: { "\($0.age % 3)" }, sortDescriptors: ["name"]), "seed \(seed)"),
        SectionMirror(
          otters.where { $0.age > 2 }.sectioned(by: \.name, ascending: false), "seed \(seed)"),
      ]
      realm.refresh()
      var nextID = 50
      for _ in 0..<50 {
        try realm.write {
          for _ in 0..<Int.random(in: 1...5, using: &random) {
            let any = otters.randomElement(using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
              nextID += 1
              realm.add(Otter(value: ["id": nextID, "name": "N\(nextID % 6)", "age": nextID % 7]))
            case 1 where otters.count > 6: any.map { realm.delete($0) }
            case 2: any?.age = Int.random(in: 0..<7, using: &random)
            default: any?.name = "N\(Int.random(in: 0..<6, using: &random))"
            }
          }
        }
        realm.refresh()
        for mirror in mirrors { mirror.check() }
      }
    }
  }
}

/// A mirror of sections, like a table view, that reads only the sections and elements named in
/// change sets.
private final class SectionMirror {
  private var shown: [[String]] = []
  private let sections: SectionedResults<String, Otter>
  private let comment: String
  private var token: NotificationToken?

  init(_ sections: SectionedResults<String, Otter>, _ comment: String) {
    self.sections = sections
    self.comment = comment
    token = sections.observe { [unowned self] in follow($0) }
  }

  private static func text(_ otter: Otter) -> String { "\(otter.id) \(otter.name) \(otter.age)" }

  private func follow(_ change: SectionedResultsChange<SectionedResults<String, Otter>>) {
    guard
      case .update(
        let new, let deletions, let insertions, let modifications, let inserted, let deleted) =
        change
    else {
      shown = sections.map { $0.map(Self.text) }
      return
    }
    #expect(deletions.allSatisfy { !deleted.contains($0[0]) }, "\(comment)")
    var rows = shown.map { $0.map { Optional($0) } }
    for path in modifications { rows[path[0]][path[1]] = nil }
    for path in deletions.reversed() { rows[path[0]].remove(at: path[1]) }
    for section in deleted.reversed() { rows.remove(at: section) }
    for section in inserted { rows.insert([], at: section) }
    for path in insertions { rows[path[0]].insert(Self.text(new[path]), at: path[1]) }
    shown = rows.enumerated().map { section, elements in
      elements.enumerated().map { $1 ?? Self.text(new[section][$0]) }
    }
  }

  func check() { #expect(shown == sections.map { $0.map(Self.text) }, "\(comment)") }
}
