package encoder

// table finds the code of a string that is a known string and one byte more. It is a hash table whose
// entries lie at the next free place after that of their hash.
type table struct {
	entries [tableSize]entry
	age     uint32
}

const (
	tableBits = 13 // at most half of the table is in use
	tableSize = 1 << tableBits

	codeBits = 12
	keyBits  = codeBits + 8 // a code and a byte
)

// entry holds a code in its lowest bits, above it the key, and above that the age of the table when it
// was added. Entries of another age are free.
type entry uint64

// clear drops all strings. The table of the age 0 is the zero value, so that age is never used.
func (t *table) clear() {
	t.age++
	if t.age == 0 {
		clear(t.entries[:])
		t.age = 1
	}
}

// find returns the code of a string. If the string is unknown, it is added with the code next.
func (t *table) find(code int, b byte, next int) (found int, known bool) {
	const fibonacci = 0x9E3779B1
	key := uint32(code)<<8 | uint32(b)
	want := uint64(t.age)<<keyBits | uint64(key)
	for at := key * fibonacci >> (32 - tableBits); ; at = (at + 1) % tableSize {
		switch e := t.entries[at]; {
		case uint64(e)>>codeBits == want:
			return int(e & (1<<codeBits - 1)), true
		case uint64(e)>>(codeBits+keyBits) != uint64(t.age):
			t.entries[at] = entry(want<<codeBits | uint64(next))
			return 0, false
		}
	}
}
