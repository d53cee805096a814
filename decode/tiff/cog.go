package tiff

import (
	"bytes"
	"strconv"
	"strings"
)

// A file that GDAL has laid out for reading from afar says so behind its header, in
// lines of NAME=VALUE. Two of them are of use: that all directories come before all
// blocks, so that reading on from one brings up the next ones; and that somebody has
// changed the file since, so that nothing of it can be relied on.
//
// The others are not used. That each block is preceded by its size saves no call: the
// arrays of offsets and sizes are read together, in pieces, and a guess of a size
// that is wrong would cost one more. That the blocks of a mask lie behind those of
// the image is made use of wherever it is so, since what is near is read in one go.
// And the arrays are what all other software believes.

const (
	ghostStart    = "GDAL_STRUCTURAL_METADATA_SIZE="
	ghostSizeEnd  = " bytes\n"
	mostGhostSize = 1 << 12
)

// ghost is what is said between the header and the first directory.
type ghost struct {
	directoriesFirst bool
	changed          bool // by software that does not keep to the layout
}

// parseGhost reads what follows the header. It is the zero ghost where there is none.
func parseGhost(b []byte) (g ghost) {
	size, lines, ok := bytes.Cut(b[:min(len(b), mostGhostSize)], []byte(ghostSizeEnd))
	digits, isGhost := bytes.CutPrefix(size, []byte(ghostStart))
	length, err := strconv.Atoi(string(digits))
	if !ok || !isGhost || err != nil || length < 0 || length > len(lines) {
		return ghost{}
	}
	for line := range strings.Lines(string(lines[:length])) {
		switch name, value, _ := strings.Cut(strings.TrimSpace(line), "="); name {
		case "LAYOUT":
			g.directoriesFirst = value == "IFDS_BEFORE_DATA"
		case "KNOWN_INCOMPATIBLE_EDITION":
			g.changed = value != "NO"
		}
	}
	return g
}

// readGhost looks behind the header, as far as that has been read, and tells the
// read-ahead what to expect.
func (w *walker) readGhost() {
	headerBytes := int64(8)
	if w.big {
		headerBytes = 16
	}
	w.ghost = parseGhost(w.in.keptFrom(headerBytes))
	w.in.directoriesFirst = w.ghost.directoriesFirst && !w.ghost.changed
}
