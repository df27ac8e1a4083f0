import Foundation
import Measuring

/// Generated places, the same at every run: four of five around one of 5 000 towns, the others
/// anywhere between 60° S and 70° N.
struct Places {
  static let categories = [
    "restaurant", "shop", "hotel", "school", "park", "bank", "cafe", "hospital", "museum",
    "station",
    "airport", "castle",
  ]

  let count: Int

  static let towns: [(longitude: Double, latitude: Double)] = {
    var random = Random(seed: 42)
    return (0..<5000).map { _ in (random.uniform(-180, 180), random.uniform(-60, 70)) }
  }()

  /// Writes the places to standard output as CSV.
  func write() {
    var random = Random(seed: 43)
    var text = "id,name,category,population,score,lon,lat\n"
    for id in 1...count {
      text += "\(id),place-\(Int(random.uniform(0, Double(count) * 10))),\(category(&random)),"
      text += "\(population(&random)),\(rounded(50 + 15 * random.normal(), 6)),"
      let (longitude, latitude) = position(&random)
      text += "\(longitude),\(latitude)\n"
      if text.utf8.count > 1 << 20 {
        FileHandle.standardOutput.write(Data(text.utf8))
        text = ""
      }
    }
    FileHandle.standardOutput.write(Data(text.utf8))
  }

  private func position(_ random: inout Random) -> (longitude: Double, latitude: Double) {
    guard random.uniform(0, 1) < 0.8 else {
      return (rounded(random.uniform(-180, 180), 7), rounded(random.uniform(-60, 70), 7))
    }
    let town = Self.towns[Int(random.uniform(0, 5000))]
    let longitude = town.longitude + 0.3 * random.normal()
    let latitude = min(max(town.latitude + 0.3 * random.normal(), -60), 70)
    return (rounded(longitude - 360 * (longitude / 360).rounded(), 7), rounded(latitude, 7))
  }

  /// A random category; the first is twice as frequent as the second, and so on.
  private func category(_ random: inout Random) -> String {
    let weights = (1...Self.categories.count).map { 1 / Double($0) }
    var left = random.uniform(0, weights.reduce(0, +))
    for (category, weight) in zip(Self.categories, weights) {
      left -= weight
      if left < 0 { return category }
    }
    return "castle"
  }

  private func population(_ random: inout Random) -> Int {
    while true {
      let population = 20000 * exp(1.5 * random.normal())
      if population <= 1e6 { return Int(population) }
    }
  }
}

/// The value rounded to a number of decimal places.
func rounded(_ value: Double, _ places: Int) -> Double {
  let power = pow(10, Double(places))
  return (value * power).rounded() / power
}
