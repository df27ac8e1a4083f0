import Foundation

/// Looks again and again until a condition holds.
///
/// - Returns: false if it does not hold after minutes, so that a test that fails also ends.
func eventually(_ condition: () throws -> Bool) rethrows -> Bool {
  let end = Date() + 300
  while Date() < end {
    if try condition() { return true }
    usleep(2000)
  }
  return false
}
