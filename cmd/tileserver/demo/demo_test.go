package demo_test

import (
	"encoding/binary"
	"testing"

	"tileserver/cmd/tileserver/demo"
)

// directories are the tags of all images of a little-endian TIFF, those of one number each.
func directories(t *testing.T, data []byte) []map[uint16]uint32 {
	t.Helper()
	order := binary.LittleEndian
	if string(data[:4]) != "II*\x00" {
		t.Fatalf("the file begins with %q, which is no TIFF", data[:4])
	}
	var found []map[uint16]uint32
	for at := order.Uint32(data[4:]); at != 0 && len(found) < 20; {
		tags := make(map[uint16]uint32)
		count := uint32(order.Uint16(data[at:]))
		for entry := range count {
			tag := data[at+2+12*entry:]
			switch order.Uint16(tag[2:]) {
			case 3:
				tags[order.Uint16(tag)] = uint32(order.Uint16(tag[8:]))
			default:
				tags[order.Uint16(tag)] = order.Uint32(tag[8:])
			}
		}
		found = append(found, tags)
		at = order.Uint32(data[at+2+12*count:])
	}
	return found
}

func TestFileIsSmall(t *testing.T) {
	const most = 2 << 20
	if _, data := demo.File(); len(data) > most {
		t.Errorf("the file has %d bytes, want at most %d", len(data), most)
	}
}

func TestFileIsACloudOptimizedGeoTIFF(t *testing.T) {
	const width, height, tileWidth, tileOffsets, geoKeys = 256, 257, 322, 324, 34735
	name, data := demo.File()
	if name != "demo.tif" {
		t.Errorf("its name is %q", name)
	}
	images := directories(t, data)
	if len(images) < 4 {
		t.Fatalf("it has %d images, want one and its overviews", len(images))
	}
	if images[0][width] < 4096 || images[0][width] == images[0][height] {
		t.Errorf("it is %d × %d, want something wide and not square", images[0][width], images[0][height])
	}
	if _, isThere := images[0][geoKeys]; !isThere {
		t.Error("it is nowhere on earth")
	}
	for i, tags := range images {
		if tags[tileWidth] != 512 {
			t.Errorf("image %d has tiles of %d pixels, want 512", i, tags[tileWidth])
		}
		if i > 0 && tags[width] != (images[i-1][width]+1)/2 {
			t.Errorf("image %d is %d wide, after one of %d", i, tags[width], images[i-1][width])
		}
	}
	if last := images[len(images)-1]; last[width] > 512 || last[tileOffsets] == 0 {
		t.Errorf("the last overview is %d wide, want it to be one tile", last[width])
	}
}
