package pixel

// Format is the value of the tag SampleFormat.
type Format uint64

// The formats.
const (
	Unsigned       Format = 1
	Signed         Format = 2
	Float          Format = 3
	Undefined      Format = 4
	ComplexInteger Format = 5
	ComplexFloat   Format = 6
)

// String returns the name of f for people.
func (f Format) String() string {
	switch f {
	case Unsigned, Undefined:
		return "unsigned"
	case Signed:
		return "signed"
	case Float:
		return "float"
	case ComplexInteger:
		return "complex integer"
	case ComplexFloat:
		return "complex float"
	}
	return "unknown"
}
