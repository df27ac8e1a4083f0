// The library as users import it: the objects, and what takes Foundation to offer.
@_exported import CairnObjects
import FoundationEssentials

// Foundation has types of these names too. Named again here, ours are meant in files that import both.

/// A condition on the objects of a class.
public typealias Predicate = CairnObjects.Predicate

/// A property to sort by, and the direction.
public typealias SortDescriptor = CairnObjects.SortDescriptor
