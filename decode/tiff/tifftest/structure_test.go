package tifftest

import (
	"encoding/binary"
	"math"
	"testing"
)

// parsed is a directory read back by a minimal reader.
type parsed struct {
	data   []byte
	order  binary.ByteOrder
	big    bool
	at     uint64
	next   uint64
	values map[uint16][]uint64
	places map[uint16]uint64 // offsets of the values
	ids    []uint16
}

func directoryOf(t *testing.T, data []byte) parsed {
	t.Helper()
	p := parsed{data: data, order: binary.LittleEndian}
	if data[0] == 'M' {
		p.order = binary.BigEndian
	}
	switch version := p.order.Uint16(data[2:]); version {
	case 42:
		p.next = uint64(p.order.Uint32(data[4:]))
	case 43:
		p.big, p.next = true, p.order.Uint64(data[8:])
	default:
		t.Fatalf("version %d", version)
	}
	return p.following(t)
}

// following returns the next directory of the chain.
func (p parsed) following(t *testing.T) parsed { return p.directoryAt(t, p.next) }

func (p parsed) directoryAt(t *testing.T, at uint64) parsed {
	t.Helper()
	if at == 0 || at%2 != 0 {
		t.Fatalf("a directory at %d", at)
	}
	p.at, p.ids, p.values, p.places = at, nil, map[uint16][]uint64{}, map[uint16]uint64{}
	word, count := uint64(4), uint64(p.order.Uint16(p.data[at:]))
	at += 2
	if p.big {
		word, count = 8, p.order.Uint64(p.data[at-2:])
		at += 6
	}
	for range count {
		id, fieldType := p.order.Uint16(p.data[at:]), p.order.Uint16(p.data[at+2:])
		size := map[uint16]uint64{typeASCII: 1, typeShort: 2, typeLong: 4, typeUndefined: 1, typeDouble: 8, typeLong8: 8, typeIFD: 4, typeIFD8: 8}[fieldType]
		length := p.number(at+4, word)
		valuesAt := at + 4 + word
		if length*size > word {
			valuesAt = p.number(valuesAt, word)
		}
		p.ids, p.places[id] = append(p.ids, id), valuesAt
		for i := range length {
			p.values[id] = append(p.values[id], p.number(valuesAt+i*size, size))
		}
		at += 4 + 2*word
	}
	p.next = p.number(at, word)
	return p
}

func (p parsed) number(at, size uint64) uint64 {
	switch size {
	case 1:
		return uint64(p.data[at])
	case 2:
		return uint64(p.order.Uint16(p.data[at:]))
	case 4:
		return uint64(p.order.Uint32(p.data[at:]))
	}
	return p.order.Uint64(p.data[at:])
}

func (p parsed) bytes(id uint16) []byte {
	return p.data[p.places[id]:][:len(p.values[id])]
}

func (p parsed) block(index int) []byte {
	offsets, counts := p.values[tagStripOffsets], p.values[tagStripByteCounts]
	if offsets == nil {
		offsets, counts = p.values[tagTileOffsets], p.values[tagTileByteCounts]
	}
	return p.data[offsets[index]:][:counts[index]]
}

func TestStructure(t *testing.T) {
	full := Image{Width: 101, Height: 67, Samples: 3, Value: wave, Tiled: true, BlockWidth: 32, BlockHeight: 16, Compression: Deflate,
		Planar: true, NoData: "0", Sparse: func(column, row int) bool { return column == 1 && row == 2 },
		Tags: GeoTIFF(Georeference{EPSG: 32633, OriginX: 500_000, OriginY: 5_300_000, PixelX: 2, PixelY: 3})}
	for _, big := range []bool{false, true} {
		for _, bigEndian := range []bool{false, true} {
			for _, cog := range []bool{false, true} {
				images := append([]Image{full}, Overviews(full, 2)...)
				data := encode(t, File{BigTIFF: big, BigEndian: bigEndian, COG: cog, Images: images})
				first := directoryOf(t, data)
				second := first.following(t)
				third := second.following(t)
				if third.next != 0 {
					t.Error("the chain does not end")
				}
				checkFullImage(t, first)
				for i, want := range [][2]uint64{{101, 67}, {51, 34}, {26, 17}} {
					d := []parsed{first, second, third}[i]
					if d.values[tagImageWidth][0] != want[0] || d.values[tagImageLength][0] != want[1] {
						t.Errorf("image %d: %v × %v", i, d.values[tagImageWidth], d.values[tagImageLength])
					}
				}
				firstPixels, lastPixels := first.values[tagTileOffsets][0], third.values[tagTileOffsets][0]
				if cog && !(first.at < second.at && third.at < lastPixels && lastPixels < firstPixels) {
					t.Errorf("not in the order of a COG: directories at %d, %d, %d, pixels at %d and %d",
						first.at, second.at, third.at, firstPixels, lastPixels)
				}
			}
		}
	}
}

func checkFullImage(t *testing.T, d parsed) {
	t.Helper()
	for i, id := range d.ids[1:] {
		if id <= d.ids[i] {
			t.Errorf("tag %d after %d", id, d.ids[i])
		}
	}
	const across, down = 4, 5
	offsets, counts := d.values[tagTileOffsets], d.values[tagTileByteCounts]
	if len(offsets) != across*down*3 || len(counts) != len(offsets) {
		t.Fatalf("%d offsets and %d counts", len(offsets), len(counts))
	}
	for i := range offsets {
		left := i%(across*down) == 2*across+1
		if (offsets[i] == 0) != left || (counts[i] == 0) != left {
			t.Errorf("block %d: at %d, %d bytes", i, offsets[i], counts[i])
		}
	}
	if got := string(d.bytes(tagGDALNoData)); got != "0\x00" {
		t.Errorf("nodata %q", got)
	}
	if got := math.Float64frombits(d.values[tagModelTiepoint][4]); got != 5_300_000 {
		t.Errorf("origin %v", got)
	}
	if keys := d.values[tagGeoKeyDirectory]; keys[len(keys)-1] != 32633 {
		t.Errorf("keys %v", keys)
	}
}

func TestChildrenAreOutsideTheChain(t *testing.T) {
	img := Image{Width: 40, Height: 30, Value: wave}
	img.Children = Overviews(img, 2)
	for _, big := range []bool{false, true} {
		first := directoryOf(t, encode(t, File{BigTIFF: big, Images: []Image{img, {Width: 7, Height: 5, Value: wave}}}))
		if got := first.following(t).values[tagImageWidth][0]; got != 7 {
			t.Errorf("the second image is %d wide", got)
		}
		for i, want := range []uint64{20, 10} {
			child := first.directoryAt(t, first.values[tagSubIFDs][i])
			if got := child.values[tagImageWidth][0]; got != want {
				t.Errorf("child %d is %d wide, want %d", i, got, want)
			}
		}
	}
}

func TestOwnTagsReplaceAndRemove(t *testing.T) {
	img := Image{Width: 4, Height: 3, Value: wave, Tags: []Tag{
		{ID: tagCompression, Value: []uint16{999}}, {ID: tagRowsPerStrip}, {ID: 65000, Value: []byte{1, 2, 3}, Type: 1}}}
	data := encode(t, File{Images: []Image{img}})
	for _, test := range []struct {
		id   uint16
		want int
	}{{tagRowsPerStrip, 0}, {tagCompression, 1}} {
		if got := countEntries(data, test.id); got != test.want {
			t.Errorf("tag %d occurs %d times, want %d", test.id, got, test.want)
		}
	}
}

// countEntries returns how often the first directory has an entry.
func countEntries(data []byte, id uint16) (count int) {
	at := binary.LittleEndian.Uint32(data[4:])
	for i := range binary.LittleEndian.Uint16(data[at:]) {
		if binary.LittleEndian.Uint16(data[int(at)+2+12*int(i):]) == id {
			count++
		}
	}
	return count
}

func TestOverviewsSkipNoData(t *testing.T) {
	values := map[[2]int]float64{{0, 0}: 10, {1, 0}: -9, {0, 1}: 20, {1, 1}: 30, {2, 0}: -9, {2, 1}: -9}
	img := Image{Width: 3, Height: 2, NoData: "-9", Format: Signed, Value: func(x, y, _ int) float64 { return values[[2]int{x, y}] }}
	half := Overviews(img, 1)[0]
	if half.Width != 2 || half.Height != 1 || half.Subfile != Overview {
		t.Fatalf("%d × %d, subfile %d", half.Width, half.Height, half.Subfile)
	}
	for x, want := range []float64{20, -9} {
		if got := half.Value(x, 0, 0); got != want {
			t.Errorf("pixel %d: %v, want %v", x, got, want)
		}
	}
	img.Palette = make([][3]uint16, 256)
	if got := Overviews(img, 1)[0].Value(0, 0, 0); got != 10 {
		t.Errorf("of a palette: %v, want the upper left value", got)
	}
}

func TestOverviewOfMaskIsBoth(t *testing.T) {
	mask := Image{Width: 9, Height: 5, Bits: 1, Subfile: Mask, Value: func(x, _, _ int) float64 { return float64(x & 1) }}
	d := directoryOf(t, encode(t, File{Images: Overviews(mask, 1)}))
	if got := d.values[tagNewSubfileType][0]; got != uint64(Mask|Overview) {
		t.Errorf("subfile type %d", got)
	}
	if got := d.values[tagPhotometric][0]; got != 4 {
		t.Errorf("photometric %d", got)
	}
}
