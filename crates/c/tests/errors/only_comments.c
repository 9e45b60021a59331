/* nothing here */
// nor here
