/// Sets of whole numbers that are joined, each known by its least member.
///
/// Source: Robert Tarjan, "Efficiency of a good but not linear set union algorithm", Journal of the
/// ACM 22 (1975).
package struct DisjointSets: Sendable {
  @usableFromInline var parents: [Int32]

  /// Creates a set of each number below `count`, which fits in 31 bits.
  @inlinable
  package init(count: Int) {
    assert(count <= Int(Int32.max), "a number takes more than 31 bits")
    parents = (0..<Int32(count)).map { $0 }
  }

  /// Returns the least member of a number's set.
  @inlinable
  package mutating func first(_ member: Int) -> Int {
    var member = Int32(truncatingIfNeeded: member)
    while parents[Int(member)] != member {
      let next = parents[Int(parents[Int(member)])]
      parents[Int(member)] = next
      member = next
    }
    return Int(member)
  }

  /// Joins the sets of two numbers.
  @inlinable
  package mutating func join(_ one: Int, _ other: Int) {
    let (first, second) = (first(one), first(other))
    if first != second {
      parents[max(first, second)] = Int32(truncatingIfNeeded: min(first, second))
    }
  }

  /// Joins what is joined in other sets of the same numbers.
  package mutating func merge(_ other: DisjointSets) {
    for (member, parent) in other.parents.enumerated() where parent != member {
      join(member, Int(parent))
    }
  }
}
