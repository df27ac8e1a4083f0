#if Server
import CairnSystem

/// The header `Date` of responses, whose text is made once in a second.
final class DateHeader: Sendable {
  private let last = Mutex((second: time_t.min, text: ""))

  /// The text for the present second.
  var text: String {
    let now = time(nil)
    return last.withLock { last in
      if last.second != now { last = (now, Self.text(now)) }
      return last.text
    }
  }

  private static let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// The text for a time in seconds since 1970, as in `Sun, 06 Nov 1994 08:49:37 GMT`.
  static func text(_ seconds: time_t) -> String {
    var (seconds, parts) = (seconds, tm())
    gmtime_r(&seconds, &parts)
    func pair(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(pair(parts.tm_mday)) \(months[Int(parts.tm_mon)]) \(parts.tm_year + 1900)"
    let time = "\(pair(parts.tm_hour)):\(pair(parts.tm_min)):\(pair(parts.tm_sec))"
    return "\(days[Int(parts.tm_wday)]), \(date) \(time) GMT"
  }
}
#endif
