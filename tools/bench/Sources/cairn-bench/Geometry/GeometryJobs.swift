import Cairn
import Foundation

/// The jobs over lines and polygons, through the public library.
struct GeometryJobs {
  /// A query for each parameter.
  struct Task {
    let parameters: Int
    let ask: (Int) throws -> Answer

    init(parameters: Int, ask: @escaping (Int) throws -> Answer) {
      self.parameters = parameters
      self.ask = ask
    }

    /// A query without parameters.
    init(_ ask: @escaping () throws -> Answer) { self.init(parameters: 1) { _ in try ask() } }
  }

  let realm: Realm
  let list: GeometryJobList

  init(store: String, jobs list: GeometryJobList) throws {
    realm = try Realm(
      configuration: Realm.Configuration(
        fileURL: URL(fileURLWithPath: store), readOnly: true,
        objectTypes: [
          Cell.self, Track.self, Country.self, Building.self, Point.self, Trip.self,
        ]))
    self.list = list
  }

  func run() {
    for job in list.jobs {
      print(line(job))
      fflush(nil)
    }
  }

  private func line(_ job: GeometryJob) -> String {
    let stopwatch = Stopwatch(fewestRounds: job.label.hasPrefix("J") ? 3 : 5)
    do {
      let task = try task(job)
      return try stopwatch.line(
        job.label, parameters: task.parameters, limit: list.limit, ask: task.ask)
    } catch let error as NotApplicable {
      return "{\"job\": \"\(job.label)\", \"na\": \"\(error.reason)\"}"
    } catch is Stopwatch.Timeout {
      return "{\"job\": \"\(job.label)\", \"timeout\": \"over \(Int(list.limit)) s\"}"
    } catch {
      let text = "\(error)".replacingOccurrences(of: "\"", with: "'")
      return "{\"job\": \"\(job.label)\", \"error\": \"\(text)\"}"
    }
  }

  private func task(_ job: GeometryJob) throws -> Task {
    switch job.op {
    case "count_intersects": try countIntersects(job)
    case "ids_at_point": try idsAtPoint()
    case "count_within": try countWithin(job)
    case "nearest": try nearest(job)
    case "points_by_country": Task(pointsByCountry)
    case "points_by_cell": Task(pointsByCell)
    case "trips_near_buildings": try tripsNearBuildings(job)
    case "building_overlaps": Task(buildingOverlaps)
    case "trips_between": try tripsBetween(job)
    case "nearest_buildings": try nearestBuildings(job)
    case "count_pairs": try countPairs(job)
    case "trips_near_point": try tripsNearPoint(job)
    case "monthly_statistics": try monthlyStatistics(job)
    default: throw Mistake(description: "no operation '\(job.op)'")
    }
  }
}
