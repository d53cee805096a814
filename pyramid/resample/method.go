package resample

import (
	"fmt"
	"strings"
)

// Method is the method of computing view pixels from level pixels.
type Method uint8

// The resampling methods.
const (
	Bilinear Method = iota
	Nearest
	Cubic
	Lanczos
	Average
)

var methodNames = [...]string{Bilinear: "bilinear", Nearest: "nearest", Cubic: "cubic", Lanczos: "lanczos", Average: "average"}

// String returns the name that ParseMethod accepts.
func (m Method) String() string { return methodNames[m] }

// ParseMethod returns the Method with this name.
func ParseMethod(name string) (Method, error) {
	for m, n := range methodNames {
		if n == name {
			return Method(m), nil
		}
	}
	return 0, fmt.Errorf("unknown method %q; use %s", name, strings.Join(methodNames[:], ", "))
}
