import CairnModelTestSupport
import CairnObjects
import CairnQuery
import CairnTestSupport
import Testing

/// A point, stored as an embedded object.
private struct Dot: CustomPersistable, Hashable {
  var x: Int
  var y: Int
  init(_ x: Int, _ y: Int) { (self.x, self.y) = (x, y) }
  init(persistedValue: DotObject) { (x, y) = (persistedValue.x, persistedValue.y) }
  var persistableValue: DotObject {
    let object = DotObject()
    (object.x, object.y) = (x, y)
    return object
  }
}

private class DotObject: EmbeddedObject {
  @Persisted var x = 0
  @Persisted var y = 0
}

private class Chart: Object {
  @Persisted var number = 0
  @Persisted var spots: List<Dot>
  @Persisted var named: Map<String, Dot>
  @Persisted var perhaps: Map<String, Dot?>
}

/// Nested subqueries, and collections of values that are stored as objects.
@Suite struct NestedQueryTests {
  private let world = TemporaryStore()

  private func boughs() throws -> Results<Bough> {
    let realm = try world.realm()
    try realm.write {
      for number in 0..<6 {
        let bough = Bough()
        for part in 0..<number {
          let child = Bough()
          child.numbers.append(part)
          for size in 0...part {
            let leaf = Leaf()
            leaf.size = size * 2
            leaf.flag = size.isMultiple(of: 2)
            child.leaves.append(leaf)
          }
          bough.parts.append(child)
        }
        realm.add(bough)
      }
    }
    return realm.objects(Bough.self).where { $0.numbers.count == 0 }
  }

  @Test func aCountInsideACount() throws {
    let boughs = try boughs()
    let found = boughs.where {
      (($0.parts.leaves.size > 2).count > 1 && $0.parts.numbers.contains(3)).count == 1
    }
    let expected = boughs.filter { bough in
      bough.parts.count { part in
        part.leaves.count { $0.size > 2 } > 1 && part.numbers.contains(3)
      } == 1
    }
    #expect(found.map(\.parts.count) == expected.map(\.parts.count))
    #expect(!expected.isEmpty && expected.count < boughs.count)
    let text =
      "SUBQUERY(parts, $x, SUBQUERY($x.leaves, $y, $y.size > 2).@count > 1 AND ANY $x.numbers == 3).@count == 1"
    let predicate = Predicate(of: Bough.self) {
      (($0.parts.leaves.size > 2).count > 1 && $0.parts.numbers.contains(3)).count == 1
    }
    #expect(predicate.description == text)
    #expect(try Predicate(parsing: text) == predicate)
  }

  @Test func threeNestedSubqueries() throws {
    let boughs = try boughs()
    let found = boughs.where {
      ((($0.parts.parts.leaves.size > 0).count > 0).count > 0).count == 0
    }
    #expect(found.count == boughs.count)
    let predicate = Predicate(of: Bough.self) {
      ((($0.parts.parts.leaves.size > 0).count > 0).count > 0).count == 0
    }
    #expect(
      predicate.description
        == "SUBQUERY(parts, $x, SUBQUERY($x.parts, $y, SUBQUERY($y.leaves, $z, $z.size > 0).@count > 0).@count > 0).@count == 0"
    )
  }

  // MARK: Values stored as objects

  private func charts() throws -> Results<Chart> {
    let realm = try world.realm()
    let spots: [[Dot]] = [
      [], [Dot(1, 2)], [Dot(1, 3), Dot(2, 2)], [Dot(1, 2), Dot(9, 9)], [Dot(1, 2), Dot(1, 2)],
    ]
    try realm.write {
      for (number, spots) in spots.enumerated() {
        let chart = Chart()
        chart.number = number
        chart.spots.append(objectsIn: spots)
        for (index, spot) in spots.enumerated() {
          chart.named["\(index)"] = spot
          chart.perhaps["\(index)"] = spot
        }
        if number == 1 { chart.perhaps["none"] = .some(nil) }
        realm.add(chart)
      }
    }
    return realm.objects(Chart.self)
  }

  @Test func membersOfOneElement() throws {
    let charts = try charts()
    let wanted = Dot(1, 2)
    // Matching members spread over two elements do not match.
    #expect(charts.where { $0.spots.contains(wanted) }.map(\.number) == [1, 3, 4])
    #expect(charts.where { $0.named.values == wanted }.map(\.number) == [1, 3, 4])
    // An empty collection has no differing element.
    #expect(charts.where { $0.named.values != wanted }.map(\.number) == [2, 3])
    #expect(charts.where { $0.perhaps.values != wanted }.map(\.number) == [1, 2, 3])
    #expect(charts.where { !($0.named.values == wanted) }.map(\.number) == [0, 2])
    #expect(charts.where { $0.named["0"] == wanted }.map(\.number) == [1, 3, 4])
    #expect(charts.where { $0.named["0"] != wanted }.map(\.number) == [0, 2])
    #expect(charts.where { $0.spots.containsAny(in: [wanted, Dot(2, 2)]) }.count == 4)
  }
}
