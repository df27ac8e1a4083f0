import CairnValues

extension Cut<Int64> {
  /// nil: the value is no number, or NaN.
  init?(_ value: Value) {
    switch value {
    case .int(let number): self.init(number)
    case .float(let number) where !number.isNaN: self.init(Double(number))
    case .double(let number) where !number.isNaN: self.init(number)
    case .decimal(let number) where !number.isNaN:
      self.init(searchingFor: value, lowest: .min, highest: .max) { ($0, .int($0)) }
    default: return nil
    }
  }
}

extension Cut<Double> {
  /// nil: the value is no number, or NaN.
  init?(_ value: Value) {
    switch value {
    case .int(let number): self.init(number)
    case .float(let number) where !number.isNaN: self.init(Double(number))
    case .double(let number) where !number.isNaN: self.init(number)
    case .decimal(let number) where !number.isNaN:
      // Doubles in their order, as integers.
      self.init(
        searchingFor: value, lowest: Cut.place(of: -.infinity), highest: Cut.place(of: .infinity)
      ) { place in
        let number = Cut.double(at: place)
        return (number, .double(number))
      }
    default: return nil
    }
  }

  private static func place(of number: Double) -> Int64 {
    let bits = Int64(bitPattern: number.bitPattern)
    return bits < 0 ? Int64.min &- bits : bits
  }

  private static func double(at place: Int64) -> Double {
    Double(bitPattern: UInt64(bitPattern: place < 0 ? Int64.min &- place : place))
  }
}

extension Cut {
  /// Finds the constant among rising places by halving: for constants whose comparison with the
  /// column's numbers only `Value` knows.
  fileprivate init(
    searchingFor constant: Value, lowest: Int64, highest: Int64,
    _ number: (Int64) -> (Number, Value)
  ) {
    var low = lowest
    var high = highest
    // The least place whose number is not below the constant, if any.
    while low < high {
      let middle = low &+ Int64(bitPattern: UInt64(bitPattern: high &- low) >> 1)
      if number(middle).1.order(to: constant) == .less { low = middle + 1 } else { high = middle }
    }
    let found = number(low)
    switch found.1.order(to: constant) {
    case .equal: self.init(below: found.0, above: found.0)
    case .less: self.init(below: found.0, above: nil)
    default: self.init(below: low == lowest ? nil : number(low - 1).0, above: found.0)
    }
  }
}
