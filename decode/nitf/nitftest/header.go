package nitftest

import "fmt"

// Fields replaces fields of a header by their names in the standard, such as "NBPR". Names of
// fields that are repeated have a number: "LISH001", "IREPBAND2". The value is written as it is,
// whatever its length.
type Fields map[string]string

// header is a header that is being written, field after field.
type header struct {
	bytes  []byte
	fields Fields
}

func newHeader(fields Fields) *header { return &header{fields: fields} }

// raw writes a field of any content.
func (h *header) raw(name string, value []byte) {
	if replaced, ok := h.fields[name]; ok {
		value = []byte(replaced)
	}
	h.bytes = append(h.bytes, value...)
}

// text writes a text, padded with spaces.
func (h *header) text(name string, width int, value string) {
	value = fmt.Sprintf("%-*s", width, value)
	if len(value) > width {
		panic(fmt.Sprintf("%s: %q has more than %d characters", name, value, width))
	}
	h.raw(name, []byte(value))
}

// number writes a number, padded with zeros.
func (h *header) number(name string, width, value int) {
	digits := fmt.Sprintf("%0*d", width, value)
	if len(digits) > width {
		panic(fmt.Sprintf("%s: %d has more than %d digits", name, value, width))
	}
	h.raw(name, []byte(digits))
}

// extensions writes a field of tagged record extensions with its length, and the number of the
// extension segment that holds more of them.
func (h *header) extensions(lengthName, overflowName, name string, list []TRE, overflow int) {
	if len(list) == 0 && overflow == 0 {
		h.number(lengthName, 5, 0)
		return
	}
	data := bytesOf(list)
	h.number(lengthName, 5, len(data)+3)
	h.number(overflowName, 3, overflow)
	h.raw(name, data)
}
