// Package archives tests archives of tiles with the software of others: what they read of ours, and what we read
// of theirs. It contains only tests. A test is skipped with a message if its program is not installed.
package archives
