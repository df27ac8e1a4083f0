import ArgumentParser

/// The value of an option that is one of a few words, in any case: `--format CSV`.
package protocol WordArgument: ExpressibleByArgument, RawRepresentable, CaseIterable
where RawValue == String {}

extension WordArgument {
  package init?(argument: String) { self.init(rawValue: argument.lowercased()) }
}
