package ifd

import (
	"bytes"
	"strconv"
	"strings"
)

// GDAL's COG driver writes a "ghost area" after the header: lines of NAME=VALUE that describe the
// layout. This package uses two of them. One says that all directories come before all blocks, so
// that reading ahead after one directory brings the next ones. The other says that the file was
// changed later, so that none of the lines can be trusted.
//
// The other lines are not used:
//
//  - Each block is preceded by its size. That saves no read, since the arrays of offsets and sizes
//    are read together in chunks, and a wrong guess of a size would cost one more.
//  - The blocks of a mask follow those of the image. Reading merges near ranges in any case.
//  - All other software trusts the arrays.

const (
	ghostStart   = "GDAL_STRUCTURAL_METADATA_SIZE="
	ghostSizeEnd = " bytes\n"
	maxGhostSize = 1 << 12
)

// ghost holds the facts from the ghost area.
type ghost struct {
	directoriesFirst bool
	changed          bool // later, by software that does not preserve the layout
}

// parseGhost parses the bytes that follow the header. It returns the zero ghost if there is no
// ghost area.
func parseGhost(b []byte) (g ghost) {
	size, lines, ok := bytes.Cut(b[:min(len(b), maxGhostSize)], []byte(ghostSizeEnd))
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

// readGhost parses the ghost area, as far as the first read covers it, and adjusts the read-ahead.
func (p *parser) readGhost() {
	headerBytes := int64(8)
	if p.big {
		headerBytes = 16
	}
	g := parseGhost(p.in.cachedFrom(headerBytes))
	p.in.directoriesFirst = g.directoriesFirst && !g.changed
}
