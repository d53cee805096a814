// Package remote tests the stores of objects on the web against real servers.
package remote
