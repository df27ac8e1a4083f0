/// The notation of the numbers in a CSV file.
struct NumberNotation: Sendable, Equatable {
  /// Whether numbers have a decimal comma.
  var hasDecimalCommas = false
  /// The separator of thousands; nil if numbers have none.
  var thousands: ThousandsSeparator?
  /// Whether a currency sign or code and a percent sign beside a number are ignored.
  var ignoresSigns = false

  /// Whether numbers are written as in programs.
  var isPlain: Bool { self == NumberNotation() }

  /// Writes a number as programs do: without separators and signs, and with a decimal point.
  ///
  /// - Parameter target: Memory for as many bytes as the text has.
  /// - Returns: The number of bytes; nil for a text that is not in this notation, such as `1,23` with a
  ///   comma between thousands.
  func rewrite(
    _ text: UnsafeBufferPointer<UInt8>, to target: UnsafeMutablePointer<UInt8>
  ) -> Int? {
    var count = 0
    func append(_ byte: UInt8) {
      assert(count < text.count, "the number is larger than its memory")
      target[count] = byte
      count += 1
    }
    guard ignoresSigns else { return rewrite(text, append: append) ? count : nil }
    guard let bare = Self.withoutSigns(String(decoding: text, as: UTF8.self)) else { return nil }
    let isDone = Array(bare.utf8).withUnsafeBufferPointer { rewrite($0, append: append) }
    return isDone ? count : nil
  }

  private func rewrite(
    _ text: UnsafeBufferPointer<UInt8>, append: (UInt8) -> Void
  ) -> Bool {
    let decimal = UInt8(ascii: hasDecimalCommas ? "," : ".")
    var (digits, groups, isFraction) = (0, 0, false)
    var index = 0
    while index < text.count {
      let byte = text[index]
      if !isFraction, let size = thousands?.size(in: text, at: index) {
        guard groups == 0 ? 1...3 ~= digits : digits == 3 else { return false }
        (digits, groups) = (0, groups + 1)
        index += size
        continue
      }
      if Digits.isDigit(byte) { digits += 1 }
      if byte == decimal {
        if groups > 0, digits != 3 { return false }
        isFraction = true
        append(UInt8(ascii: "."))
      } else if byte == UInt8(ascii: ".") {
        // It could separate thousands.
        return false
      } else {
        append(byte)
      }
      index += 1
    }
    return groups == 0 || isFraction || digits == 3
  }

  /// Returns a number without the signs beside it: `-12.50` of `-$12.50` and of `-12.50 EUR`; nil if
  /// nothing else is left.
  private static func withoutSigns(_ text: String) -> String? {
    var rest = text.drop { $0 == " " || $0 == "\u{A0}" }
    var minus = ""
    func takeMinus() {
      guard let first = rest.first, "+-\u{2212}".contains(first) else { return }
      if first != "+" { minus = "-" }
      rest = rest.dropFirst().drop { $0 == " " }
    }
    takeMinus()
    if let first = rest.unicodeScalars.first, first.properties.generalCategory == .currencySymbol {
      rest = rest.dropFirst()
    } else if isCode(rest.prefix(3)) {
      rest = rest.dropFirst(3)
    }
    rest = rest.drop { $0 == " " || $0 == "\u{A0}" }
    if minus.isEmpty { takeMinus() }
    while let last = rest.last, last == " " || last == "\u{A0}" { rest = rest.dropLast() }
    if let last = rest.unicodeScalars.last,
      last == "%" || last.properties.generalCategory == .currencySymbol
    {
      rest = rest.dropLast()
    } else if isCode(rest.suffix(3)) {
      rest = rest.dropLast(3)
    }
    while let last = rest.last, last == " " || last == "\u{A0}" { rest = rest.dropLast() }
    return rest.isEmpty ? nil : minus + rest
  }

  /// Whether a text is the code of a currency, such as `EUR`.
  private static func isCode(_ text: Substring) -> Bool {
    text.utf8.count == 3 && codes.contains(String(text))
  }

  /// The codes of currencies in use (ISO 4217), without those of funds and metals.
  private static let codes = Set(
    """
    AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN \
    BZD CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS \
    GIP GMD GNF GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW \
    KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN \
    NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK \
    SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS \
    VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG ZWL
    """.split(separator: " ").map(String.init))
}

extension ImportOptions {
  /// The notation of numbers in CSV.
  var numbers: NumberNotation {
    NumberNotation(
      hasDecimalCommas: hasDecimalCommas, thousands: thousands, ignoresSigns: ignoresNumberSigns)
  }
}

extension ThousandsSeparator {
  private var spellings: [[UInt8]] {
    switch self {
    case .comma: Self.commas
    case .point: Self.points
    case .space: Self.spaces
    case .apostrophe: Self.apostrophes
    }
  }

  private static let commas = [Array(",".utf8)]
  private static let points = [Array(".".utf8)]
  private static let spaces = [" ", "\u{A0}", "\u{202F}", "\u{2009}"].map { Array($0.utf8) }
  private static let apostrophes = ["'", "\u{2019}"].map { Array($0.utf8) }

  /// Returns the number of bytes of the separator at an index; nil for any other byte.
  fileprivate func size(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int? {
    spellings.first { text[index...].starts(with: $0) }?.count
  }
}
