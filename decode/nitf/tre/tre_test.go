package tre

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"tileserver/decode/nitf/nitftest"
)

func TestFixedFields(t *testing.T) {
	fields, err := Fields("GEOLOB", []byte("000605184000800256-085.4314720812+033.1669865643"))
	want := []Field{{"ARV", "000605184"}, {"BRV", "000800256"}, {"LSO", "-085.4314720812"}, {"PSO", "+033.1669865643"}}
	if err != nil || len(fields) != len(want) {
		t.Fatalf("got %v, %v", fields, err)
	}
	for i, f := range fields {
		if f != want[i] {
			t.Errorf("got %v, want %v", f, want[i])
		}
	}
}

func TestLayoutsHaveTheLengthsOfTheStandard(t *testing.T) {
	for tag, want := range map[string]int{
		"ACFTB": 207, "AIMIDB": 89, "BLOCKA": 123, "CSCRNA": 109, "CSDIDA": 70, "CSEXRA": 132, "EXPLTB": 101, "GEOLOB": 48, "GEOPSB": 443,
		"ICHIPB": 224, "MENSRB": 205, "PATCHB": 121, "PIAIMC": 362, "RSMIDA": 1628, "STDIDC": 89, "USE00A": 107,
	} {
		if _, err := Fields(tag, make([]byte, want)); err != nil {
			t.Errorf("%s: %v", tag, err)
		}
		if _, err := Fields(tag, make([]byte, want-1)); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s of a byte less: %v", tag, err)
		}
	}
}

func TestUnknownExtensions(t *testing.T) {
	if fields, err := Fields("ZZZZZZ", []byte("abc")); !errors.Is(err, ErrUnknown) || IsDamaged(err) || fields != nil {
		t.Errorf("got %v, %v", fields, err)
	}
}

func TestBands(t *testing.T) {
	data := nitftest.SpectralBands{Count: 2, Names: []string{"blue", "red"}, Bad: []bool{false, true}, Wavelengths: []float64{0.48, 0.655}}.TRE().Data
	bands, err := Bands(data)
	if err != nil || len(bands) != 2 {
		t.Fatalf("got %v, %v", bands, err)
	}
	for i, want := range []BandWavelength{{"blue", 480}, {"red", 655}} {
		if bands[i].Name != want.Name || math.Abs(bands[i].Nanometers-want.Nanometers) > 0.01 {
			t.Errorf("band %d is %v, want %v", i+1, bands[i], want)
		}
	}
}

func TestSensors(t *testing.T) {
	sensrb := "N" + "N" + "N" + "Y" + strings.Repeat("1", 15+3+8+8+8+8+10+10+8+8) + "2" + strings.Repeat("7", 24) + strings.Repeat("5", 12+8+8+11+12+11+8+8+8) + "NNNY" + strings.Repeat("3", 27)
	fields, err := Fields("SENSRB", []byte(sensrb))
	if last := fields[len(fields)-1]; err != nil || last != (Field{"VELOCITY_DOWN_OR_Z", "333333333"}) {
		t.Errorf("%v, %v", last, err)
	}
	polynomial := "111" + "002" + strings.Repeat("1", 42)
	fields, err = Fields("RSMPCA", []byte(strings.Repeat("0", 80+40+3+3+13*21-21)+strings.Repeat(polynomial, 4)))
	if last := fields[len(fields)-1]; err != nil || last.Name != "CDPCF_2" {
		t.Errorf("%v, %v", last, err)
	}
}

// FuzzFields reads damaged extensions of all known tags, chosen by number: a fuzzer finds no names.
func FuzzFields(f *testing.F) {
	tags := append(slices.Sorted(maps.Keys(layouts)), "BANDSB", "ENGRDA", "J2KLRA", "RSMPCA", "SENSRB", "UNKNOWN")
	add := func(tag string, data []byte) { f.Add(uint8(slices.Index(tags, tag)), data) }
	add("BANDSB", nitftest.SpectralBands{Count: 2, Names: []string{"a", "b"}, Wavelengths: []float64{1, 2}}.TRE().Data)
	add("RPC00A", nitftest.RPC{}.TRE().Data)
	add("RPC00B", nitftest.RPC{}.TRE().Data)
	add("ICHIPB", nitftest.Chip{}.TRE().Data)
	add("ENGRDA", []byte("SENSOR              00104NAME00010001A1tx00000003abc"))
	add("SENSRB", []byte("NNNN"+strings.Repeat("1", 90)+"NNNN"))
	add("RSMPCA", []byte(strings.Repeat("1", 500)))
	add("J2KLRA", []byte("00500001002000012.500000"))
	f.Fuzz(func(t *testing.T, number uint8, data []byte) {
		tag := tags[int(number)%len(tags)]
		fields, err := Fields(tag, data)
		if len(fields) > maxFields {
			t.Errorf("%s: %d fields", tag, len(fields))
		}
		switch tag {
		case "BANDSB":
			if _, bandsErr := Bands(data); err == nil && bandsErr != nil {
				t.Error(bandsErr)
			}
		case "RPC00A", "RPC00B":
			_, _ = RPC(tag, data)
		case "ICHIPB":
			_, _ = ParseChip(data)
		}
	})
}
