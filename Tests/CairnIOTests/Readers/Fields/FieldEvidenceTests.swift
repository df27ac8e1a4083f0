import CairnTestSupport
import Testing

@testable import CairnIO

@Suite(.tags(.untrusted)) struct FieldEvidenceTests {
  private func type(_ fields: [String]) -> FieldType {
    fields.reduce(into: FieldEvidence()) {
      $0.formUnion(withPadded($1) { FieldEvidence.of($0, count: $1, reading: FieldReading()) })
    }.type
  }

  @Test func aColumnGetsTheOneTypeThatLosesNothing() {
    let table: [([String], FieldType)] = [
      ([], .text),
      (["1", "-2", "0"], .int),
      (["1", "2.5"], .double),
      (["1", "1e3"], .double),
      (["9007199254740993", "2.5"], .text),
      (["9007199254740992", "2.5"], .double),
      (["9223372036854775807"], .int),
      (["9223372036854775808"], .text),
      (["1", "x"], .text),
      (["007"], .text), (["007.5"], .text), (["1.5", "007"], .text),
      (["NA"], .text), (["NaN"], .text), (["inf"], .text), (["1", "NA"], .text),
      (["true", "False", "TRUE"], .bool), (["true", "1"], .text), (["tRue"], .text),
      (["yes"], .text),
      (["2024-02-29"], .date), (["2023-02-29"], .text), (["2024-13-01"], .text),
      (["2024-05-01T12:00:00Z", "2024-05-01"], .date),
      (["2024-05-01T12:00:00.123+05:30"], .date),
      (["2024-05-01T12:00:00"], .date), (["2024-05-01 12:00:00Z"], .date),
      (["2024/05/01 12:00:00", "2024-05-01 12:30"], .date), (["2024-05-01 12:30:00+00"], .date),
      (["2024-05/01"], .text), (["01.05.2024"], .text), (["2024-05-01 12"], .text),
      (["+5", "-0", "7"], .int), (["5.", "1"], .double), (["+.5", "-5."], .double),
      (["+1234567"], .text), (["+41791234567"], .text), (["+-5"], .text), (["++5"], .text),
      (["+"], .text), (["."], .text), (["-."], .text), (["+05"], .text), (["5.."], .text),
      (["2024-05-01", "1"], .text),
      ([""], .text), ([" 1"], .text), (["0.123456789012345678"], .text),
    ]
    for (fields, expected) in table { #expect(type(fields) == expected, "\(fields)") }
  }

  @Test func anExistingTypeFitsValuesThatItHoldsExactly() {
    #expect(FieldEvidence.int.fits(.double))
    #expect(!FieldEvidence.largeInt.fits(.double))
    #expect(FieldEvidence([.int, .date, .bool]).fits(.text))
    #expect(!FieldEvidence.double.fits(.int))
    #expect(FieldEvidence([]).fits(.date))
  }
}
