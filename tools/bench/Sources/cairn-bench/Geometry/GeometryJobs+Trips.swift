import Cairn
import Foundation

/// Pickups near a place.
extension GeometryJobs {
  func tripsNearPoint(_ job: GeometryJob) throws -> Task {
    let place = try Queries.point(job.need(\.centre, named: "centre"))
    let limit = try job.need(\.limit, named: "limit")
    guard let radius = job.radius else {
      let radius = try job.need(\.degrees, named: "degrees")
      return Task { Self.nearest(try trips(within: radius, of: Rectangle(place)), limit: limit) }
    }
    return Task {
      let trips = realm.objects(Trip.self).where { $0.pickup.geoDistance(to: place) <= radius }
      var keys: [Int] = []
      var last: GeoPoint?
      for trip in trips.sorted(by: \.pickup, distanceTo: place).limit(limit) {
        keys.append(trip.t_tripkey ?? 0)
        last = trip.pickup
      }
      let distance = last.map { $0.distance(to: place).asMeters() }
      return .list([.count(trips.count), .keys(keys), .number(distance)])
    }
  }

  private static func nearest(
    _ trips: [(trip: Trip, degrees: Double)], limit: Int
  ) -> Answer {
    let found = trips.map { ($0.degrees, $0.trip.t_tripkey ?? 0) }.sorted { $0 < $1 }.prefix(limit)
    return .list([.count(trips.count), .keys(found.map(\.1)), .number(found.last?.0)])
  }

  func monthlyStatistics(_ job: GeometryJob) throws -> Task {
    let box = try Rectangle(job.need(\.box, named: "box"))
    guard let radius = job.radius else {
      let radius = try job.need(\.degrees, named: "degrees")
      return Task { Month.statistics(try trips(within: radius, of: box).lazy.map(\.trip)) }
    }
    let shape = try box.shape(grownBy: 0)
    return Task {
      Month.statistics(
        realm.objects(Trip.self).where { $0.pickup.geoDistance(to: shape) <= radius })
    }
  }

  /// The trips with a pickup at most some degrees of longitude and latitude from a rectangle, and
  /// how many: a box finds the candidates.
  private func trips(
    within radius: Double, of rectangle: Rectangle
  ) throws -> [(trip: Trip, degrees: Double)] {
    let box = try rectangle.shape(grownBy: radius)
    var found: [(trip: Trip, degrees: Double)] = []
    for trip in realm.objects(Trip.self).where({ $0.pickup.geoWithin(box) }) {
      guard let pickup = trip.pickup else { continue }
      let degrees = rectangle.degrees(to: pickup)
      if degrees <= radius { found.append((trip, degrees)) }
    }
    return found
  }
}

/// A rectangle in longitude and latitude.
private struct Rectangle {
  let (west, south, east, north): (Double, Double, Double, Double)

  init(_ place: GeoPoint) {
    (west, south) = (place.longitude, place.latitude)
    (east, north) = (place.longitude, place.latitude)
  }

  init(_ sides: [Double]) throws {
    guard sides.count == 4 else { throw Mistake(description: "not a box: \(sides)") }
    (west, south, east, north) = (sides[0], sides[1], sides[2], sides[3])
  }

  func shape(grownBy margin: Double) throws -> GeoBox {
    GeoBox(
      bottomLeft: try Queries.point([west - margin, south - margin]),
      topRight: try Queries.point([east + margin, north + margin]))
  }

  /// The distance to a place in degrees, as if these were lengths in a plane; 0 inside.
  func degrees(to place: GeoPoint) -> Double {
    let across = max(west - place.longitude, 0, place.longitude - east)
    let along = max(south - place.latitude, 0, place.latitude - north)
    return (across * across + along * along).squareRoot()
  }
}

/// What the trips of a month add up to.
private struct Month {
  private var count = 0
  private var distance = 0.0
  private var seconds = 0.0
  private var fare = 0.0

  private mutating func add(_ trip: Trip, from pickup: Date) {
    count += 1
    distance += trip.t_distance ?? 0
    seconds += trip.t_dropofftime?.timeIntervalSince(pickup) ?? 0
    fare += trip.t_fare ?? 0
  }

  private func answer(_ name: String) -> Answer {
    let mean = { (sum: Double) in Answer.number(sum / Double(count)) }
    return .list([.text(name), .count(count), mean(distance), mean(seconds), mean(fare)])
  }

  /// The number of trips and the means of their values for each month of the pickup.
  static func statistics(_ trips: some Sequence<Trip>) -> Answer {
    var days: [Int: Month] = [:]
    for trip in trips {
      guard let pickup = trip.t_pickuptime else { continue }
      days[number(of: pickup), default: Month()].add(trip, from: pickup)
    }
    return .list(
      days.sorted { $0.key < $1.key }.map { number, month in
        let text = "\(number % 12 + 1)"
        return month.answer("\(number / 12)-" + (text.count < 2 ? "0" : "") + text)
      })
  }

  /// The months since year 0 of the Gregorian calendar, in UTC.
  private static func number(of date: Date) -> Int {
    // Years that begin in March have their leap day at the end.
    let day = Int((date.timeIntervalSince1970 / 86400).rounded(.down)) + 719_468
    let era = day / 146_097
    let dayOfEra = day % 146_097
    let year = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * year + year / 4 - year / 100)
    let month = (5 * dayOfYear + 2) / 153
    return (era * 400 + year) * 12 + month + 2
  }
}
