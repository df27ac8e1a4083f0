// The library as users import it: the objects, and what takes Foundation to offer.
@_exported import CairnObjects
import CairnQuery
import FoundationEssentials

// Foundation has types of these names too. Named again here, ours are meant in files that import both.

/// A condition on the objects of a class.
public typealias Predicate = CairnObjects.Predicate

/// A property to sort by, and the direction.
public typealias SortDescriptor = CairnObjects.SortDescriptor

/// What is wrong with a predicate, and where.
public typealias PredicateError = CairnQuery.PredicateError
