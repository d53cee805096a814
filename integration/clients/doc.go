// Package clients tests the whole program with real map clients. The pixels of the test layers are
// functions of their position, so each test can compare what a client shows with the expected
// pixels. The package contains only tests, and the pages and scripts that they run. A test is
// skipped with a message if its client is not installed.
package clients
