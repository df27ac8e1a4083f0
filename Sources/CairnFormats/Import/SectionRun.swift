internal import CairnValues

/// What a thread does with each section it is given.
typealias SectionHandler<Product> = (InputSection) throws(ParseStop) -> Product

/// Runs every section of some files through workers on several threads.
struct SectionRun: Sendable {
  let sources: [ImportSource]
  let threads: Int
  let sectionSize: Int
  /// Sections of every file; the rest is left alone.
  var limit = Int.max

  private struct Outcome<Product: Sendable>: Sendable {
    var products: [(number: Int, product: Product)] = []
    /// The earliest section that ended badly, as far as is known.
    var stop: (number: Int, reason: ParseStop)?
  }

  /// The products in the order of the sections, and whether these were all.
  ///
  /// - Throws: what ended the first section that did not end well, whichever thread had it:
  ///   sections are handed out in order, so that those before it are awaited.
  func run<Product: Sendable>(
    _ makeHandler: @escaping @Sendable () throws(ImportError) -> SectionHandler<Product>,
    progress: (Int64) -> Void
  ) throws(ParseStop) -> (products: [Product], isComplete: Bool) {
    let queue = SectionQueue(sources, limit: limit)
    let outcome = Mutex(Outcome<Product>())
    let total = sources.reduce(0) { $0 + $1.input.size }
    let size = size(for: total)
    let others = min(threads - 1, Int(clamping: total / Int64(size)))
    Workers.run(others: max(0, others)) {
      Self.work(queue, outcome, size, makeHandler) { _ in }
    } own: {
      Self.work(queue, outcome, size, makeHandler, progress)
    }
    let (products, stop) = outcome.withLock { ($0.products, $0.stop) }
    if let stop { throw stop.reason }
    return (products.sorted { $0.number < $1.number }.map(\.product), queue.isComplete)
  }

  /// Sections that stay in the processor's cache are quickest, but not more of them than can be
  /// merged at once; small inputs are cut smaller still, so that every thread gets its share.
  private func size(for total: Int64) -> Int {
    let quickest = max(Self.quickestSize, Int(clamping: total / Self.mostSections))
    let share = max(1 << 20, Int(clamping: total / Int64(max(1, threads) * 4)))
    return min(sectionSize, quickest, share)
  }

  private static let quickestSize = 8 << 20
  private static let mostSections: Int64 = 128

  private static func work<Product: Sendable>(
    _ queue: SectionQueue, _ outcome: Mutex<Outcome<Product>>, _ size: Int,
    _ makeHandler: () throws(ImportError) -> SectionHandler<Product>, _ progress: (Int64) -> Void
  ) {
    let section = InputSection(capacity: size)
    do throws(ParseStop) {
      let handle = try ParseStop.on(makeHandler)
      while try ParseStop.on({ () throws(ImportError) in try queue.next(section) }) {
        let product = try handle(section)
        let number = section.number
        outcome.withLock { $0.products.append((number, product)) }
        progress(queue.bytesRead)
      }
    } catch {
      queue.stop()
      let number = section.number
      outcome.withLock {
        if number < $0.stop?.number ?? .max { $0.stop = (number, error) }
      }
    }
  }
}
