#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Steps from few to many, each as many times the one before: what lies thick is a thousand times what lies thin.
struct DensityScale {
  /// The greatest count of each step.
  let bounds: [Int]

  init(most: Int, steps: Int) {
    var bounds: [Int] = []
    for step in 1...steps {
      let bound = Int(pow(Double(max(1, most)), Double(step) / Double(steps)).rounded())
      if bound > bounds.last ?? 0 { bounds.append(bound) }
    }
    self.bounds = bounds
  }

  /// The step of a count above 0.
  func step(of count: Int) -> Int { bounds.firstIndex { count <= $0 } ?? bounds.count - 1 }

  /// `1`, `2–5`, `6–40`: what each step stands for.
  var labels: [String] {
    bounds.enumerated().map { index, bound in
      let least = index == 0 ? 1 : bounds[index - 1] + 1
      return least == bound ? "\(bound)" : "\(least)–\(bound)"
    }
  }
}
