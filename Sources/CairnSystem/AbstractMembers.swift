/// Ends the process, because a class lacks an override of a member that has no right default.
///
/// The base class calls this in place of doing nothing, which would be a wrong answer without a word.
package func requireOverride(_ member: StaticString = #function) -> Never {
  preconditionFailure("\(member) has no override")
}
