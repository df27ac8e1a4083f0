import CairnGeometry
import CairnIndex
import CairnStorage
import CairnValues

/// The nearest right rows of each left row.
///
/// Left rows are visited along the Hilbert curve, so that the search for one begins with an upper
/// bound: the distance to the last one's farthest partner, and the way from there.
struct NearestJoin {
  private let left: JoinSide
  private let right: JoinSide
  private let count: Int
  private let edges: GeoPolygon.Edges

  init(_ left: JoinSide, right: JoinSide, count: Int, edges: GeoPolygon.Edges) {
    self.left = left
    self.right = right
    self.count = count
    self.edges = edges
  }

  /// The pairs in order of the left key, then by distance, then of the right key. Ties go to the
  /// smaller primary key, or without one to the smaller key.
  func pairs() throws -> [JoinPair] {
    guard left.count > 0, right.count > 0 else { return [] }
    left.prepare()
    right.prepare()
    let candidates = JoinCandidates(right) { $0 }
    let test = JoinTest(
      .distance(radians: .infinity, edges: edges), driver: left, candidates: candidates)
    try test.prepare()
    let tree = SpaceTree(count: candidates.keys.count) {
      SpaceBox(candidates.envelopes[$0], edges: edges)
    }
    let keys = left.rows.keys
    let order = left.hilbertOrder(of: keys)
    let width = min(count, candidates.keys.count)
    let parts = min(WorkerPool.shared.width * 16, (keys.count + 255) / 256)
    var ties = [[NearestTie]](repeating: [], count: parts)
    let failure = FirstError()
    var pairs = [JoinPair](unsafeUninitializedCapacity: keys.count * width) { pairs, written in
      ties.withUnsafeMutableBufferPointer { ties in
        // Each call writes its own elements.
        let (pairs, ties) = (pairs, ties)
        WorkerPool.shared.run(parts) { part in
          let search = PartnerSearch(
            left, candidates: candidates, test: test, tree: tree, count: width, edges: edges)
          for position in keys.count * part / parts..<keys.count * (part + 1) / parts {
            let index = order.isEmpty ? position : Int(order[position])
            let row = UnsafeMutableBufferPointer(
              rebasing: pairs[index * width..<(index + 1) * width])
            do throws(GeometryError) {
              if let tie = try search.find(keys[index], row: row, index: index) {
                ties[part].append(tie)
              }
            } catch { failure.note(error) }
          }
        }
      }
      written = failure.error == nil ? keys.count * width : 0
    }
    if let error = failure.error { throw error }
    for tie in ties.joined() { settle(tie, in: &pairs, width: width) }
    return pairs
  }

  /// Replaces the pairs of a row among whose partners some are equally far away.
  private func settle(_ tie: NearestTie, in pairs: inout [JoinPair], width: Int) {
    let start = tie.index * width
    for (index, partner) in tie.partners.sorted(by: precedes).prefix(width).enumerated() {
      pairs[start + index] = JoinPair(
        left: pairs[start].left, right: partner.key, radians: partner.radians)
    }
  }

  private func precedes(_ one: NearestPartner, _ other: NearestPartner) -> Bool {
    guard one.radians == other.radians else { return one.radians < other.radians }
    guard let primary = right.table.schema.primaryKey else { return one.key < other.key }
    return
      switch (
        right.table.value(primary, at: one.key), right.table.value(primary, at: other.key)
      )
    {
    case (.int(let a), .int(let b)): a < b
    case (.string(let a), .string(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    default: one.key < other.key
    }
  }
}

/// A row on the right, and its distance.
private struct NearestPartner {
  let radians: Double
  let key: Int
}

/// The partners of a left row among which some are equally far away. There may be more than needed.
private struct NearestTie {
  /// The index of the left row.
  let index: Int
  let partners: [NearestPartner]
}

/// One thread's search for the nearest candidates of rows.
private final class PartnerSearch {
  private let left: JoinSide
  private let candidates: JoinCandidates
  private let test: JoinTest
  private let search: SpaceSearch
  private let count: Int
  private let edges: GeoPolygon.Edges
  /// The nearest candidates by distance and key; all that are as far away as the last one that is
  /// needed.
  private var found: [NearestPartner] = []
  private var threshold: TopKThreshold
  /// The last row with a location, and the distance of its last partner.
  private var last: (longitude: Double, latitude: Double, radians: Double)?

  init(
    _ left: JoinSide, candidates: JoinCandidates, test: JoinTest, tree: SpaceTree, count: Int,
    edges: GeoPolygon.Edges
  ) {
    self.left = left
    self.candidates = candidates
    self.test = test
    self.count = count
    self.edges = edges
    search = SpaceSearch(tree)
    threshold = TopKThreshold(capacity: count)
  }

  /// Writes the pairs of a row. Returns its partners if some of them are equally far away.
  func find(
    _ key: Int, row: UnsafeMutableBufferPointer<JoinPair>, index: Int
  ) throws(GeometryError) -> NearestTie? {
    let place = left.place(of: key)
    let origin = try PlaceOrigin(place, edges: edges)
    switch place {
    case .point(let x, let y):
      let box = SpaceBox(longitude: x, latitude: y, edges: edges)
      run(near: box, place, origin, upTo: bound(longitude: x, latitude: y))
      last = (x, y, found[count - 1].radians)
    case .geometry:
      run(near: SpaceBox(left.envelope(of: key), edges: edges), place, origin, upTo: .infinity)
    }
    var hasTies = found.count > count
    for partner in 0..<count {
      row.initializeElement(
        at: partner,
        to: JoinPair(left: key, right: found[partner].key, radians: found[partner].radians))
      if partner > 0, found[partner].radians == found[partner - 1].radians { hasTies = true }
    }
    return hasTies ? NearestTie(index: index, partners: found) : nil
  }

  /// The distance up to which a location has all of its partners for certain.
  private func bound(longitude: Double, latitude: Double) -> Double {
    guard let last else { return .infinity }
    let way = edges.distance(
      longitude: last.longitude, latitude: last.latitude, otherLongitude: longitude,
      otherLatitude: latitude)
    // Damaged coordinates, which are not numbers, bound nothing.
    let bound = (last.radians + way) * (1 + 1e-9) + 1e-12
    return bound < .infinity ? bound : .infinity
  }

  /// Finds the nearest candidates.
  ///
  /// - Parameter most: The distance up to which there are enough.
  private func run(
    near box: SpaceBox, _ place: JoinPlace, _ origin: PlaceOrigin, upTo most: Double
  ) {
    found.removeAll(keepingCapacity: true)
    threshold.removeAll()
    var limit = most
    search.run(near: box, upTo: SpaceBox.square(ofRadians: limit, edges: edges)) { candidate in
      let measured = test.distance(from: place, origin, to: candidate, upTo: limit)
      // Damaged coordinates have no distance, and are the farthest.
      let radians = measured.isNaN ? .infinity : measured
      if radians <= limit {
        found.append(NearestPartner(radians: radians, key: candidates.keys[candidate]))
        threshold.offer(radians)
        limit = min(limit, threshold.key)
      }
      return SpaceBox.square(ofRadians: limit, edges: edges)
    }
    if found.count < count {
      if most < .infinity { return run(near: box, place, origin, upTo: .infinity) }
      addUnreachable()
    }
    found.sort { $0.radians != $1.radians ? $0.radians < $1.radians : $0.key < $1.key }
    while found.count > count, let last = found.last, last.radians > found[count - 1].radians {
      found.removeLast()
    }
  }

  /// Adds the candidates that the search did not reach, because their coordinates are damaged, as
  /// the farthest.
  private func addUnreachable() {
    let reached = Set(found.map(\.key))
    for key in candidates.keys where !reached.contains(key) {
      found.append(NearestPartner(radians: .infinity, key: key))
    }
  }
}

extension JoinSide {
  /// The order of rows along the Hilbert curve; empty if they are stored in this order.
  fileprivate func hilbertOrder(of keys: [Int]) -> [UInt32] {
    guard rows.copy(without: runs.map(\.covered)).count > 0 else { return [] }
    return keys.map { Hilbert.key(of: envelope(of: $0)) }
      .withUnsafeBufferPointer { RadixSort.order($0) }
  }
}
