package rpf

import (
	"encoding/binary"
	"math"
	"testing"

	"tileserver/source"
)

// locations returns the content of RPFIMG: where some components are.
func locations(order binary.AppendByteOrder, at map[Component]source.Range) []byte {
	data := order.AppendUint16(nil, 0)
	data = order.AppendUint32(data, 14)
	data = order.AppendUint16(data, uint16(len(at)))
	data = order.AppendUint16(data, 10)
	data = order.AppendUint32(data, 0)
	for c, r := range at {
		data = order.AppendUint16(data, uint16(c))
		data = order.AppendUint32(data, uint32(r.Length))
		data = order.AppendUint32(data, uint32(r.Offset))
	}
	return data
}

func TestFrames(t *testing.T) {
	at := map[Component]source.Range{Coverage: {Offset: 100, Length: 96}, SpatialData: {Offset: 900, Length: 500}, Mask: {Offset: 5000, Length: 9}}
	for mark, order := range map[byte]binary.AppendByteOrder{0: binary.BigEndian, 0xFF: binary.LittleEndian} {
		f, err := ParseFrame([]byte{mark}, locations(order, at), 1000)
		if err != nil {
			t.Fatal(err)
		}
		if f.At[Coverage] != at[Coverage] || f.At[SpatialData] != (source.Range{Offset: 900, Length: 100}) {
			t.Errorf("%v", f.At)
		}
		if _, ok := f.At[Mask]; ok {
			t.Error("a component lies beyond the end of the file")
		}
		var content []byte
		for i := range 8 {
			content = order.AppendUint64(content, math.Float64bits(float64(i)))
		}
		for _, rest := range []int{32, 15, 0} {
			corners, err := f.ParseCoverage(append(content, make([]byte, rest)...))
			if want := [4][2]float64{{0, 1}, {4, 5}, {6, 7}, {2, 3}}; err != nil || corners != want {
				t.Errorf("with %d bytes behind them: got %v, %v, want %v", rest, corners, err, want)
			}
		}
		if _, err := f.ParseCoverage(content[:len(content)-1]); err == nil {
			t.Error("cut off corners are no error")
		}
	}
}

func TestPolarZones(t *testing.T) {
	for name, want := range map[string][2]bool{
		"0000M033.GN3": {}, "00000023.GN9": {true, true}, "00000023.gnj": {true, false}, "": {}, "a.9": {},
	} {
		isPolar, isNorth := IsPolar(name)
		if isPolar != want[0] || isNorth != want[1] {
			t.Errorf("%q: %t, %t", name, isPolar, isNorth)
		}
	}
}

// FuzzParseFrame parses damaged extensions.
func FuzzParseFrame(f *testing.F) {
	f.Add([]byte{0}, locations(binary.BigEndian, map[Component]source.Range{Coverage: {Offset: 1, Length: 2}}))
	f.Fuzz(func(t *testing.T, header, image []byte) {
		frame, err := ParseFrame(header, image, 1000)
		if err != nil {
			return
		}
		for c, r := range frame.At {
			if r.Offset < 0 || r.End() > 1000 {
				t.Errorf("%d at %v", c, r)
			}
		}
		_, _ = frame.ParseCoverage(image)
	})
}
