import CairnTestSupport
import Foundation
import Testing

@testable import CairnCommand

/// The bins of histograms, and their output.
@Suite struct HistogramTests {
  @Test func everyValueLiesInItsBin() {
    let seed = Soak.seed(101)
    var random = SplitMix64(seed: seed)
    for round in 0..<2000 {
      let size = pow(10, Double.random(in: -8...12, using: &random))
      let offset = round % 3 == 0 ? 0 : Double.random(in: -2...2, using: &random) * size
      let areIntegers = round % 2 == 0
      let values = (0..<20).map { _ -> Double in
        let value = offset + pow(Double.random(in: 0...1, using: &random), 6) * size
        return areIntegers ? value.rounded() : value
      }
      let (minimum, maximum) = (values.min() ?? 0, values.max() ?? 0)
      let binCount = Int.random(in: 1...40, using: &random)
      let kind = [HistogramScaleKind.linear, .log, nil].randomElement(using: &random) ?? nil
      let scale = HistogramScale(
        minimum: minimum, maximum: maximum, average: values.reduce(0, +) / 20, binCount: binCount,
        kind: kind, areIntegers: areIntegers)
      #expect(scale.edges == scale.edges.sorted() && scale.count >= 1, "seed \(seed)")
      // At least one bin for each power of ten: whole numbers go up to 10^13 here.
      #expect(scale.count <= max(15, binCount * 3), "seed \(seed): \(scale.edges)")
      for value in values {
        let bin = scale.bin(of: value)
        #expect(scale.edges[bin] <= value, "seed \(seed), \(round): \(value) \(scale.edges)")
        #expect(
          value < scale.edges[bin + 1] || bin == scale.count - 1 && value == scale.edges[bin + 1],
          "seed \(seed), \(round): \(value) \(scale.edges)")
      }
    }
  }

  @Test func numbersOfAnySizeHaveBins() {
    let seed = Soak.seed(102)
    var random = SplitMix64(seed: seed)
    let least = Double.leastNonzeroMagnitude
    var pairs: [(Double, Double)] = [
      (-1e308, 1e308), (-.greatestFiniteMagnitude, .greatestFiniteMagnitude), (1e308, 1e308),
      (0, least), (-least, least), (0x1p60, 0x1p60), (0x1p60, 0x1p60 + 1024), (1e17, 1e17 + 16),
      (.greatestFiniteMagnitude, .greatestFiniteMagnitude), (0, 0),
      (least * 0x1p10, least * 0x1p44),
    ]
    for _ in 0..<300 {
      let values = (0..<2).map { _ -> Double in
        let value = Double(bitPattern: random.next())
        return value.isFinite ? value : 0
      }
      pairs.append((values.min() ?? 0, values.max() ?? 0))
    }
    for (minimum, maximum) in pairs {
      for binCount in [1, 2, 12, 1000] {
        for kind in [HistogramScaleKind.linear, .log, nil] {
          for areIntegers in [false, true] {
            let scale = HistogramScale(
              minimum: areIntegers ? minimum.rounded() : minimum,
              maximum: areIntegers ? maximum.rounded() : maximum,
              average: minimum / 2 + maximum / 2,
              binCount: binCount, kind: kind, areIntegers: areIntegers)
            check(scale, binCount, "\(minimum)...\(maximum), \(binCount), seed \(seed)")
            #expect((0..<scale.count).contains(scale.bin(of: minimum)))
            #expect((0..<scale.count).contains(scale.bin(of: maximum)))
          }
        }
        check(
          HistogramScale(from: minimum, to: maximum, binCount: binCount), binCount,
          "dates \(minimum)...\(maximum), seed \(seed)")
      }
    }
  }

  private func check(_ scale: HistogramScale, _ binCount: Int, _ what: String) {
    #expect(scale.count >= 1 && scale.count <= max(1200, binCount * 3), "\(what): \(scale.count)")
    #expect(scale.edges.allSatisfy { $0.isFinite }, "\(what)")
    #expect(zip(scale.edges, scale.edges.dropFirst()).allSatisfy { $0 < $1 }, "\(what)")
  }

  @Test func binsOfDatesBeginAtRoundMoments() {
    let seed = Soak.seed(103)
    var random = SplitMix64(seed: seed)
    for _ in 0..<500 {
      let minimum = Double.random(in: -6e10...6e10, using: &random)
      let maximum = minimum + pow(10, Double.random(in: 0...13, using: &random))
      let binCount = Int.random(in: 1...30, using: &random)
      let scale = HistogramScale(from: minimum, to: maximum, binCount: binCount)
      #expect(scale.edges[0] <= minimum && scale.edges[scale.count] >= maximum)
      #expect(scale.count <= binCount + 2, "seed \(seed): \(scale.edges)")
      #expect(zip(scale.edges, scale.edges.dropFirst()).allSatisfy { $0 < $1 })
    }
    let years = HistogramScale(from: 0, to: 20 * 365.25 * 86_400, binCount: 10)
    #expect((0..<3).map(years.label) == ["2000-01-01", "2002-01-01", "2004-01-01"])
  }

  @Test func roundNumbersStayRound() {
    let scale = HistogramScale(
      minimum: 0.05, maximum: 0.95, average: 0.5, binCount: 10, kind: nil, areIntegers: false)
    #expect((0...3).map(scale.label) == ["0", "0.1", "0.2", "0.3"])
    let powers = HistogramScale(
      minimum: 0.02, maximum: 900, average: 2, binCount: 20, kind: .log, areIntegers: false)
    #expect((0...4).map(powers.label) == ["0.02", "0.05", "0.1", "0.2", "0.5"])
  }

  @Test func barsForPeople() throws {
    let lines = try Command.lines(
      "stats", SampleStores.placesStore(), "places", "--of", "id,kind,open", "--histogram",
      "--bins", "4")
    #expect(lines[0] == "id: 8 values")
    let bar = String(repeating: "█", count: 57)
    let first: [Substring] = lines[1].split(separator: #/  +/#)
    #expect(first == ["0 to 2", "1", String(repeating: "█", count: 20)[...]])
    #expect(lines.contains { $0.hasPrefix("city     5  ") })
    #expect(lines.contains { $0.hasPrefix("station  1  ") })
    #expect(lines.contains { $0.hasPrefix("true   5  ") })
    #expect(lines.allSatisfy { $0.count <= 80 && !$0.hasSuffix(" ") && !$0.contains(bar + bar) })
  }

  @Test func rowsForPrograms() throws {
    let outcome = try Command.run(
      "stats", SampleStores.citiesStore(), "cities", "--of", "population", "--histogram",
      "--format",
      "json")
    let bins = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [[String: Any]])
    #expect(bins.compactMap { $0["count"] as? Int }.reduce(0, +) == 34024)
    for bin in bins.prefix(3) {
      let (from, to) = (bin["from"] as? Double ?? 0, bin["to"] as? Double ?? 0)
      let count = try Command.lines(
        "count", SampleStores.citiesStore(), "cities",
        "population >= \(from) AND population < \(to)")
      #expect(count == ["\(bin["count"] as? Int ?? -1)"])
    }
    let texts = try Command.lines(
      "stats", SampleStores.placesStore(), "places", "--of", "kind", "--histogram", "--format",
      "csv")
    #expect(
      texts == [
        "column,from,to,count", "kind,city,city,5", "kind,town,town,2", "kind,station,station,1",
      ])
  }

  @Test func groupsHaveSparklines() throws {
    let lines = try Command.lines(
      "stats", SampleStores.placesStore(), "places", "--of", "id", "--by", "kind", "--histogram",
      "--bins",
      "8")
    #expect(lines[0].hasSuffix("  spread"))
    #expect(lines[2].hasSuffix("  ██ █ ██"), "\(lines[2])")
    #expect(lines.last == "id from 1 to 9")
    let rows = try Command.lines(
      "stats", SampleStores.placesStore(), "places", "--of", "id", "--by", "kind", "--histogram",
      "--bins",
      "4", "--format", "csv")
    #expect(rows[0] == "kind,column,from,to,count")
    #expect(rows[1] == "city,id,0.0,2.0,1" && rows.count == 1 + 3 * 4, "\(rows)")
  }

  @Test func emptyResultsHaveNoBins() throws {
    let lines = try Command.lines(
      "stats", SampleStores.placesStore(), "places", "FALSEPREDICATE", "--of", "id,kind",
      "--histogram")
    #expect(lines == ["id: 0 values", "", "kind: 0 values"])
  }
}
