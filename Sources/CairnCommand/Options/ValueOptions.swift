import ArgumentParser
import CairnFormats
import CairnValues

/// How the values of an import are written.
struct ValueOptions: ParsableArguments {
  @Option(
    name: .customLong("null"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Texts that mean null, as NaN or NA,N/A; besides empty fields.", valueName: "text,..."))
  var nulls: [String] = []

  @Option(
    help: ArgumentHelp(
      "How dates are written, as %d.%m.%Y or %m/%d/%Y %H:%M; besides ISO 8601.", valueName: "format"
    ),
    transform: DateFormatOption.init(text:))
  var dateFormat: DateFormatOption?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time zone of dates that say none, as Europe/Zurich or +02:00; else UTC.",
      valueName: "zone"),
    transform: TimeZoneOption.init(text:))
  var timezone: TimeZoneOption?

  func apply(to options: inout ImportOptions) {
    let words = nulls.flatMap {
      $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
    options.reading.nulls = NullWords(words)
    options.reading.dateFormat = dateFormat?.format
    options.reading.timeZone = timezone?.rules ?? .utc
    options.hasTimeZone = timezone != nil
  }
}

/// `--date-format FORMAT`
struct DateFormatOption {
  let format: DateFormat

  init(text: String) throws {
    do throws(DateFormat.FormatError) {
      format = try DateFormat(text)
    } catch {
      throw OptionError(error.description)
    }
  }
}

/// `--timezone ZONE`
struct TimeZoneOption {
  let rules: TimeZoneRules

  /// A name of the time zone database, or an offset from UTC.
  init(text: String) throws {
    if let fixed = TimeZoneRules(offset: text) {
      rules = fixed
      return
    }
    let advice =
      "a zone is named as in Europe/Zurich, or says how far it is ahead of UTC, as +02:00"
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      part.first.map { $0.isLetter } ?? false
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-_".contains($0)) }
    }
    guard isName else { throw OptionError("'\(text)' is not a time zone: \(advice)") }
    let folders = [System.environment("TZDIR")].compactMap(\.self) + Self.folders
    guard let folder = folders.first(where: System.exists) else {
      throw OptionError(
        "this system has no time zone database in \(Self.folders[0]); an offset such as +02:00 needs none"
      )
    }
    guard let bytes = try? FileBytes.read("\(folder)/\(text)"),
      let rules = TimeZoneRules(database: bytes)
    else { throw OptionError("'\(text)' is not a time zone of \(folder): \(advice)") }
    self.rules = rules
  }

  private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
}
