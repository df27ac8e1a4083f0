package import CairnGeometry

/// A packed tree over boxes in space or in the plane, in memory, that finds the items nearest to
/// another box.
///
/// Items that are near each other should follow one another. Each block of eight items or nodes is
/// compared at once.
package final class SpaceTree: @unchecked Sendable {
  // Sendable: the memory is written before init ends, and only read afterwards.

  /// Eight boxes, by their coordinates.
  fileprivate struct Block {
    var low = Corner()
    var high = Corner()

    /// Lower bounds of the squared distances to another box, infinite for unused slots.
    @inline(__always)
    func distancesSquared(to box: SpaceBox) -> SIMD8<Float> {
      let x = Self.gap(low.x - box.high.x, box.low.x - high.x)
      let y = Self.gap(low.y - box.high.y, box.low.y - high.y)
      let z = Self.gap(low.z - box.high.z, box.low.z - high.z)
      return (x * x + y * y + z * z) * (1 - 1e-5)
    }

    @inline(__always)
    private static func gap(_ one: SIMD8<Float>, _ other: SIMD8<Float>) -> SIMD8<Float> {
      let greater = one.replacing(with: other, where: one .< other)
      return greater.replacing(with: 0, where: greater .< 0)
    }

    /// The box around all eight.
    var box: SpaceBox {
      (0..<SpaceTree.fanOut).reduce(SpaceBox.empty) { $0.union(self[$1]) }
    }

    subscript(index: Int) -> SpaceBox {
      get {
        SpaceBox(
          low: SIMD4(low.x[index], low.y[index], low.z[index], 0),
          high: SIMD4(high.x[index], high.y[index], high.z[index], 0))
      }
      set {
        let (one, other) = (newValue.low, newValue.high)
        (low.x[index], low.y[index], low.z[index]) = (one.x, one.y, one.z)
        (high.x[index], high.y[index], high.z[index]) = (other.x, other.y, other.z)
      }
    }
  }

  /// A corner of each of eight boxes. Without a box, it is infinitely far away.
  fileprivate struct Corner {
    var x = SIMD8<Float>(repeating: .infinity)
    var y = SIMD8<Float>(repeating: .infinity)
    var z = SIMD8<Float>(repeating: .infinity)
  }

  fileprivate static let fanOut = 8

  /// The number of items.
  package let count: Int
  /// The blocks of the items, of the nodes above them, and so on up to a single one.
  fileprivate let blocks: UnsafeMutablePointer<Block>
  /// The index of the first block of each level.
  fileprivate let starts: [Int]

  /// Builds a tree over the boxes of items.
  package init(count: Int, box: (Int) -> SpaceBox) {
    self.count = count
    var (starts, total, size) = ([Int](), 0, count)
    repeat {
      size = (size + Self.fanOut - 1) / Self.fanOut
      starts.append(total)
      total += size
    } while size > 1
    self.starts = starts
    blocks = .allocate(capacity: max(1, total))
    blocks.initialize(repeating: Block(), count: max(1, total))
    for item in 0..<count { blocks[item / Self.fanOut][item % Self.fanOut] = box(item) }
    for level in 1..<max(1, starts.count) {
      for node in 0..<starts[level] - starts[level - 1] {
        blocks[starts[level] + node / Self.fanOut][node % Self.fanOut] =
          blocks[starts[level - 1] + node].box
      }
    }
  }

  deinit { blocks.deallocate() }

  /// Whether a level has a block, for an assert.
  fileprivate func hasBlock(_ level: Int, at index: Int) -> Bool {
    // A level ends where the next one begins; the last one has a single block.
    let end = level + 1 < starts.count ? starts[level + 1] : starts[level] + 1
    return index >= 0 && starts[level] + index < end
  }
}

/// One thread's searches for the nearest items of a tree.
package final class SpaceSearch {
  private struct Entry {
    let square: Float
    let level: Int32
    let index: Int32
  }

  private let tree: SpaceTree
  private let stack: UnsafeMutablePointer<Entry>

  /// The most entries of a stack for a tree: a search opens a block of each level at most.
  private static func capacity(for tree: SpaceTree) -> Int {
    SpaceTree.fanOut * (tree.starts.count + 1)
  }

  /// Prepares searches in a tree.
  package init(_ tree: SpaceTree) {
    self.tree = tree
    stack = .allocate(capacity: Self.capacity(for: tree))
  }

  deinit { stack.deallocate() }

  /// Calls `measure` with the items whose boxes are not too far from another box, in no exact order,
  /// but near ones early.
  ///
  /// - Parameters:
  ///   - limit: The squared distance up to which boxes matter.
  ///   - measure: Receives an item, and returns the new limit.
  package func run(near box: SpaceBox, upTo limit: Float, _ measure: (Int) -> Float) {
    guard tree.count > 0 else { return }
    var limit = limit
    var end = open(0, level: tree.starts.count - 1, box: box, limit: limit, from: 0)
    while end > 0 {
      end -= 1
      let entry = stack[end]
      guard entry.square <= limit else { continue }
      if entry.level < 0 {
        limit = measure(Int(entry.index))
      } else {
        end = open(Int(entry.index), level: Int(entry.level), box: box, limit: limit, from: end)
      }
    }
  }

  /// Pushes the boxes of a block that are not beyond the limit, the nearest one last. Returns the end
  /// of the stack.
  @inline(__always)
  private func open(
    _ index: Int, level: Int, box: SpaceBox, limit: Float, from start: Int
  ) -> Int {
    assert(start + SpaceTree.fanOut <= Self.capacity(for: tree), "the stack is too small")
    assert(tree.hasBlock(level, at: index), "the level does not have the block")
    let squares = tree.blocks[tree.starts[level] + index].distancesSquared(to: box)
    var end = start
    for lane in 0..<SpaceTree.fanOut where squares[lane] <= limit {
      let entry = Entry(
        square: squares[lane], level: Int32(level - 1),
        index: Int32(index * SpaceTree.fanOut + lane))
      var position = end
      while position > start, stack[position - 1].square < entry.square {
        stack[position] = stack[position - 1]
        position -= 1
      }
      stack[position] = entry
      end += 1
    }
    return end
  }
}
