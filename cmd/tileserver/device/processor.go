package device

import (
	"cmp"
	"os"
	"runtime"
	"strings"
)

// Processor returns the name of the processor, as far as the system tells it.
func Processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo") // Linux alone has it
	return cmp.Or(nameIn(string(text)), os.Getenv("PROCESSOR_IDENTIFIER"), runtime.GOARCH)
}

// nameIn returns the name of the first processor in the format of /proc/cpuinfo. That of ARM has numbers
// instead, of the maker and of the core.
func nameIn(cpuinfo string) string {
	var name []string
	for line := range strings.Lines(cpuinfo) {
		key, value, isField := strings.Cut(line, ":")
		if !isField {
			break
		}
		switch strings.TrimSpace(key) {
		case "model name", "CPU implementer", "CPU part":
			name = append(name, strings.TrimSpace(value))
		}
	}
	return strings.Join(name, " ")
}
