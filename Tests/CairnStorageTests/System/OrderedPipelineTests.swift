import CairnSystem
import CairnTestSupport
import Testing

@Suite(.tags(.threads)) struct OrderedPipelineTests {
  private struct Failure: Error, Equatable {
    let number: Int
  }

  private func pipeline(
    failingAt bad: Int? = nil
  ) -> OrderedPipeline<Int, Int, Failure> {
    OrderedPipeline(ahead: 5) { () throws(Failure) in
      // Each thread has a state of its own.
      var made = 0
      return { (number) throws(Failure) in
        made += 1
        if number == bad { throw Failure(number: number) }
        return number * number
      }
    }
  }

  private func run(
    _ pipeline: OrderedPipeline<Int, Int, Failure>, count: Int, threads: Int
  ) throws(Failure) -> [Int] {
    var numbers = (0..<count).makeIterator()
    var items: [Int] = []
    var given = 0
    try pipeline.run(threads: threads) { () throws(Failure) in
      let next = numbers.next()
      if next != nil { given += 1 }
      return next
    } consume: { (item) throws(Failure) in
      items.append(item)
      // A few more than those that were consumed.
      #expect(given - items.count <= 5)
    }
    return items
  }

  @Test(arguments: [0, 1, 4], [0, 1, 3, 1000])
  func itemsComeInTheOrderOfTheWorks(threads: Int, count: Int) throws {
    let items = try run(pipeline(), count: count, threads: threads)
    #expect(items == (0..<count).map { $0 * $0 })
  }

  @Test(arguments: [0, 1, 4])
  func theFirstErrorEndsTheWork(threads: Int) {
    #expect(throws: Failure(number: 70)) {
      try run(pipeline(failingAt: 70), count: 100, threads: threads)
    }
  }

  @Test(arguments: [0, 3])
  func errorsOfTheCallerAndOfAThreadThatCannotBeginArePassedOn(threads: Int) {
    let none = OrderedPipeline<Int, Int, Failure>(ahead: 2) { () throws(Failure) in
      throw Failure(number: -1)
    }
    #expect(throws: Failure(number: -1)) {
      try run(none, count: 4, threads: threads)
    }
    #expect(throws: Failure(number: -2)) {
      try pipeline().run(threads: threads) { () throws(Failure) in
        throw Failure(number: -2)
      } consume: { (_) throws(Failure) in
      }
    }
    #expect(throws: Failure(number: -3)) {
      try pipeline().run(threads: threads) { () throws(Failure) in
        1
      } consume: {
        (_) throws(Failure) in
        throw Failure(number: -3)
      }
    }
  }
}
