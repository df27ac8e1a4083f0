import CairnSystem

/// Clusters of locations by density. A location with enough others within a distance, itself included,
/// is a core; cores within the distance of each other are in one cluster, and so is any other location
/// within the distance of a core.
///
/// Locations in one cube are within the distance of each other. Therefore all of a cube with enough
/// locations are cores, without a search, and all cores of a cube are in one cluster, so that cubes are
/// joined instead of locations. Pairs are never listed, and a search ends with the first pair that
/// decides.
///
/// Sources: Martin Ester, Hans-Peter Kriegel, Jörg Sander, Xiaowei Xu, "A density-based algorithm for
/// discovering clusters in large spatial databases with noise" (1996); Ade Gunawan, "A faster algorithm
/// for DBSCAN" (2013), for the cells.
struct DensityClusters {
  private let cubes: LocationCubes
  private let atLeast: Int
  /// Whether each location, in order of the cubes, is a core.
  private var isCore: [Bool]

  /// - Parameter atLeast: The number of locations within the distance of a core, which counts itself.
  init(_ cubes: LocationCubes, atLeast: Int) {
    self.cubes = cubes
    self.atLeast = atLeast
    isCore = []
    isCore = cores()
  }

  /// A number for each location, the same for all of a cluster; -1 for a location in none. A location
  /// near cores of several clusters is in that of the first of these cores.
  ///
  /// - Parameter check: Called between its phases; its error ends the work.
  func numbers(check: () throws -> Void) rethrows -> [Int32] {
    try check()
    var sets = joinedCubes()
    try check()
    let cubeOfCore = borders()
    var numbers = [Int32](repeating: -1, count: cubes.order.count)
    for cube in 0..<cubes.count {
      for location in cubes.locations(of: cube) {
        let own = isCore[location] ? cube : Int(cubeOfCore[location])
        if own >= 0 {
          numbers[Int(cubes.order[location])] = Int32(truncatingIfNeeded: sets.first(own))
        }
      }
    }
    return numbers
  }

  /// The number of parts that the cubes are divided into.
  private var parts: Int { WorkerPool.shared.width * 16 }

  private func cores() -> [Bool] {
    var isCore = [Bool](repeating: false, count: cubes.order.count)
    isCore.withUnsafeMutableBufferPointer { isCore in
      // Each part writes the locations of its own cubes.
      let isCore = isCore
      cubes.forEachRange(parts) { _, range in
        var walk = CubeWalk(cubes, from: range.lowerBound)
        for cube in range {
          let own = cubes.locations(of: cube)
          guard own.count < atLeast else {
            for location in own { isCore[location] = true }
            continue
          }
          walk.visit(cube)
          for location in own {
            isCore[location] = hasEnough(near: location, count: own.count, in: walk.found, of: cube)
          }
        }
      }
    }
    return isCore
  }

  /// Whether there are enough locations near one. Its own cube has `count`.
  private func hasEnough(near location: Int, count: Int, in found: [Int], of own: Int) -> Bool {
    var count = count
    for cube in found where cube != own && cubes.mayBeNear(location, cube: cube) {
      for other in cubes.locations(of: cube) where cubes.areNear(location, other) {
        count += 1
        if count == atLeast { return true }
      }
    }
    return false
  }

  /// The cubes, joined if cores of theirs are within the distance of each other.
  private func joinedCubes() -> DisjointSets {
    let width = max(1, min(cubes.count, WorkerPool.shared.width))
    var sets = (0..<width).map { _ in DisjointSets(count: cubes.count) }
    sets.withUnsafeMutableBufferPointer { sets in
      // Each part has its own sets.
      let sets = sets
      cubes.forEachRange(width) { part, range in
        // Cubes that touch are mostly joined at once, and then the farther ones are, too.
        for isTouching in [true, false] {
          var walk = CubeWalk(cubes, from: range.lowerBound)
          for cube in range where hasCore(cube) {
            walk.visit(cube)
            for other in walk.found where other > cube && walk.touch(cube, other) == isTouching {
              guard hasCore(other), sets[part].first(cube) != sets[part].first(other) else {
                continue
              }
              if haveNearCores(cube, other) { sets[part].join(cube, other) }
            }
          }
        }
      }
    }
    for other in sets.dropFirst() { sets[0].merge(other) }
    return sets[0]
  }

  private func hasCore(_ cube: Int) -> Bool {
    let own = cubes.locations(of: cube)
    return own.count >= atLeast || own.contains { isCore[$0] }
  }

  private func haveNearCores(_ one: Int, _ other: Int) -> Bool {
    for location in cubes.locations(of: one)
    where isCore[location] && cubes.mayBeNear(location, cube: other) {
      for second in cubes.locations(of: other)
      where isCore[second] && cubes.areNear(location, second) {
        return true
      }
    }
    return false
  }

  /// For each location that is not a core, the cube of the first core near it, in the order of the
  /// locations; -1 without one.
  private func borders() -> [Int32] {
    var cubeOfCore = [Int32](repeating: -1, count: cubes.order.count)
    cubeOfCore.withUnsafeMutableBufferPointer { cubeOfCore in
      // Each part writes the locations of its own cubes.
      let cubeOfCore = cubeOfCore
      cubes.forEachRange(parts) { _, range in
        var walk = CubeWalk(cubes, from: range.lowerBound)
        for cube in range where cubes.locations(of: cube).contains(where: { !isCore[$0] }) {
          walk.visit(cube)
          for location in cubes.locations(of: cube) where !isCore[location] {
            cubeOfCore[location] = cubeOfFirstCore(near: location, in: walk.found)
          }
        }
      }
    }
    return cubeOfCore
  }

  private func cubeOfFirstCore(near location: Int, in found: [Int]) -> Int32 {
    var (first, cubeOfFirst): (UInt32, Int32) = (.max, -1)
    for cube in found where cubes.mayBeNear(location, cube: cube) {
      // Within a cube, locations are in their own order.
      let core = cubes.locations(of: cube).first {
        cubes.order[$0] >= first || (isCore[$0] && cubes.areNear(location, $0))
      }
      if let core, cubes.order[core] < first {
        (first, cubeOfFirst) = (cubes.order[core], Int32(truncatingIfNeeded: cube))
      }
    }
    return cubeOfFirst
  }
}
