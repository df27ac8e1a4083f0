import ArgumentParser
import CairnFormats
import CairnValues

/// The options for the values of an import.
struct ValueOptions: ParsableArguments {
  @Option(
    name: .customLong("null"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Texts that mean null, in addition to empty fields, such as NaN or NA,N/A.",
      valueName: "text,..."))
  var nulls: [String] = []

  @Option(
    help: ArgumentHelp(
      "The format of dates, such as %d.%m.%Y or %m/%d/%Y %H:%M, in addition to ISO 8601.",
      valueName: "format"
    ),
    transform: DateFormatOption.init(text:))
  var dateFormat: DateFormatOption?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "The time zone of dates without one: Europe/Zurich or +02:00 (default: UTC).",
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

/// The value of `--date-format FORMAT`.
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

/// The value of `--timezone ZONE`.
struct TimeZoneOption {
  let rules: TimeZoneRules

  /// Parses a name of the time zone database, or an offset from UTC.
  init(text: String) throws {
    if let fixed = TimeZoneRules(offset: text) {
      rules = fixed
      return
    }
    let advice =
      "expected a name such as Europe/Zurich, or an offset from UTC such as +02:00"
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      part.first.map { $0.isLetter } ?? false
        && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-_".contains($0)) }
    }
    guard isName else { throw OptionError("'\(text)' is not a time zone: \(advice)") }
    let folders = [System.environment("TZDIR")].compactMap(\.self) + Self.folders
    guard let folder = folders.first(where: System.exists) else {
      throw OptionError(
        "this system has no time zone database in \(Self.folders[0]); use an offset such as +02:00"
      )
    }
    guard let bytes = try? FileContents.read("\(folder)/\(text)"),
      let rules = TimeZoneRules(database: bytes)
    else { throw OptionError("'\(text)' is not a time zone of \(folder): \(advice)") }
    self.rules = rules
  }

  private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/etc/zoneinfo"]
}
