/// Where the coordinates stand in the rows of a CSV file.
enum CSVLocation: Sendable, Equatable {
  /// In two columns: latitude and longitude, or y and x of a system.
  case columns(latitude: Int, longitude: Int)
  /// As WKT, or as WKB in hexadecimal digits.
  case geometry(column: Int)
  /// Both in one column.
  case pair(column: Int, PairOrder)

  /// The columns that do not become properties of their own.
  var places: [Int] {
    switch self {
    case .columns(let latitude, let longitude): [latitude, longitude]
    case .geometry(let column), .pair(let column, _): [column]
    }
  }
}

/// Which coordinate of two stands first.
enum PairOrder: Sendable, Equatable {
  case latitudeFirst
  case longitudeFirst
  /// As the letters N, S, E and W say with each pair.
  case marked
}
