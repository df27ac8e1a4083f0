import CairnSystem
import CairnTestSupport
import Testing

@Suite(.tags(.threads)) struct OrderedPipelineTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  private typealias Pipeline = OrderedPipeline<Int, Int, Failure>

  private func pipeline(threads: Int, failingAt bad: Int? = nil) -> Pipeline {
    Pipeline(ahead: 5, makers: (0..<threads).map { _ in maker(failingAt: bad) })
  }

  /// Each thread has a state of its own.
  private func maker(failingAt bad: Int?) -> Pipeline.Maker {
    var made: Set<Int> = []
    func square(_ number: Int) throws(Failure) -> Int {
      #expect(made.insert(number).inserted || number < 10)
      if number == bad { throw Failure(number: number) }
      return number * number
    }
    return square
  }

  private func run(_ pipeline: Pipeline, count: Int) throws(Failure) -> [Int] {
    defer { pipeline.stop() }
    var items: [Int] = []
    for number in 0..<count {
      try pipeline.add(number) { (item) throws(Failure) in items.append(item) }
      // No more wait than were asked for.
      #expect(number + 1 - items.count <= 5)
    }
    try pipeline.drain { (item) throws(Failure) in items.append(item) }
    return items
  }

  @Test(arguments: [1, 2, 4], [0, 1, 3, 1000])
  func itemsComeInTheOrderOfTheWorks(threads: Int, count: Int) throws {
    let items = try run(pipeline(threads: threads), count: count)
    #expect(items == (0..<count).map { $0 * $0 })
  }

  @Test(arguments: [1, 2, 4], [3, 70, 99])
  func theErrorOfAWorkIsThatOfItsItem(threads: Int, bad: Int) {
    var count = 0
    #expect(throws: Failure(number: bad)) {
      let pipeline = pipeline(threads: threads, failingAt: bad)
      defer { pipeline.stop() }
      for number in 0..<100 {
        try pipeline.add(number) { (_) throws(Failure) in count += 1 }
      }
      try pipeline.drain { (_) throws(Failure) in count += 1 }
    }
    #expect(count == bad)
  }

  /// A pipeline may end before all items are consumed, and more may be added after the others.
  @Test(arguments: [1, 3])
  func itemsThatWaitAreLostAndWorksMayFollow(threads: Int) throws {
    let pipeline = pipeline(threads: threads)
    var sum = 0
    for round in 1...3 {
      for number in 0..<10 {
        try pipeline.add(number) { (item) throws(Failure) in sum += item }
      }
      try pipeline.drain { (item) throws(Failure) in sum += item }
      #expect(sum == round * 285)
    }
    try pipeline.add(7) { (_) throws(Failure) in }
    pipeline.stop()
  }
}
