import ArgumentParser
import CairnIO
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
      "A format of dates, such as %d.%m.%Y or %m/%d/%Y %H:%M, in addition to ISO 8601. May be "
        + "repeated: the first one that fits is taken.",
      valueName: "format"
    ),
    transform: DateFormatOption.init(text:))
  var dateFormat: [DateFormatOption] = []

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
    options.nulls = words
    options.dateFormats = dateFormat.map(\.format.text)
    options.timeZone = timezone?.text
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
  let text: String
  let rules: TimeZoneRules

  /// Parses a name of the time zone database, or an offset from UTC.
  init(text: String) throws {
    do throws(ImportError) {
      self.text = text
      rules = try TimeZoneNames.rules(of: text)
    } catch { throw OptionError(error.message) }
  }
}
