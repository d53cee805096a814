package decoder

import (
	"encoding/binary"
	"fmt"

	"tileserver/codec/jpeg"
)

// standaloneCheck validates the segments of a stream that is to become a file of its own.
type standaloneCheck struct {
	want    *Standalone
	defined tableSet // tables defined so far

	process    Process // 0 before the frame
	components [maxComponents]checkedComponent
	count      int // length of components
	progress   progress

	interval    int // restart interval, or 0 for none
	nextRestart jpeg.Marker
}

// checkedComponent holds what the frame declares of a component, and whether a scan contains it.
type checkedComponent struct {
	number        int // index in the frame
	id, quantizer byte
	scanned       bool
}

// head checks the segments before the first scan, and returns the stream from that scan on.
func (c *standaloneCheck) head(stream []byte) (scans []byte, err error) {
	if len(stream) < 2 || stream[0] != 0xFF || jpeg.Marker(stream[1]) != jpeg.MarkerStart {
		return nil, fmt.Errorf("%w: no start of image", ErrCorrupt)
	}
	for rest := stream[2:]; ; {
		m, body, after, err := nextSegment(rest)
		switch {
		case err != nil:
			return nil, err
		case m == jpeg.MarkerScan && c.process == 0:
			return nil, fmt.Errorf("%w: a scan before the frame", ErrCorrupt)
		case m == jpeg.MarkerScan:
			const markerAndLength = 4
			return rest[len(rest)-len(after)-len(body)-markerAndLength:], nil
		case m.IsFrame():
			err = c.frame(m, body)
		case m.IsTable():
			err = c.tables(m, body)
		case !m.IsMetadata():
			err = fmt.Errorf("%w: marker %#x before the first scan", ErrCorrupt, m)
		}
		if err != nil {
			return nil, err
		}
		rest = after
	}
}

func (c *standaloneCheck) tables(m jpeg.Marker, body []byte) error {
	set, err := tablesIn(m, body)
	c.defined |= set
	if err == nil && m == jpeg.MarkerInterval {
		c.interval = int(binary.BigEndian.Uint16(body))
	}
	return err
}

// shared adds the tables of the shared stream. The stream's own restart interval takes precedence.
func (c *standaloneCheck) shared(stream []byte) error {
	if own := c.interval; c.defined&restartInterval != 0 {
		defer func() { c.interval = own }()
	}
	for rest := stream; len(rest) > 0; {
		m, body, after, err := nextSegment(rest)
		switch {
		case err != nil:
			return err
		case m == jpeg.MarkerEnd || m == jpeg.MarkerNone:
			return nil
		case m.IsTable():
			if err := c.tables(m, body); err != nil {
				return err
			}
		}
		rest = after
	}
	return nil
}

// frame checks that the frame has the expected size and a process that all decoders support.
func (c *standaloneCheck) frame(m jpeg.Marker, body []byte) error {
	const fixedBytes, componentBytes, bits = 6, 3, 8
	process, known := processOf(m)
	switch {
	case !known || process == Lossless:
		return fmt.Errorf("%w: frame %#x", ErrUnsupported, m)
	case c.process != 0:
		return fmt.Errorf("%w: a second frame", ErrCorrupt)
	case len(body) < fixedBytes || len(body) != fixedBytes+componentBytes*int(body[5]):
		return fmt.Errorf("%w: a frame header of %d bytes", ErrCorrupt, len(body))
	case body[0] != bits || int(body[5]) != c.want.Components || c.want.Components > maxComponents:
		return fmt.Errorf("%w: %d components of %d bits", ErrUnsupported, body[5], body[0])
	}
	if width, height := int(binary.BigEndian.Uint16(body[3:])), int(binary.BigEndian.Uint16(body[1:])); width != c.want.Width || height != c.want.Height {
		return fmt.Errorf("%w: %dx%d pixels, expected %dx%d", ErrUnsupported, width, height, c.want.Width, c.want.Height)
	}
	c.process = process
	return c.frameComponents(body[fixedBytes:])
}

// frameComponents checks that decoders agree on the positions of the samples of all components.
func (c *standaloneCheck) frameComponents(body []byte) error {
	const componentBytes, maxBlocks, maxFactor = 3, 10, 4
	blocks, maxH, maxV := 0, 1, 1
	for i := range c.want.Components {
		comp := body[componentBytes*i:]
		id, h, v, quantizer := comp[0], int(comp[1]>>4), int(comp[1]&15), comp[2]
		if h < 1 || h > maxFactor || v < 1 || v > maxFactor || quantizer >= tableNumbersEnd || c.component(id) != nil {
			return fmt.Errorf("%w: component %d of %dx%d samples", ErrCorrupt, id, h, v)
		}
		c.components[i] = checkedComponent{number: i, id: id, quantizer: quantizer}
		c.count++
		blocks, maxH, maxV = blocks+h*v, max(maxH, h), max(maxV, v)
	}
	for i := range c.want.Components {
		if factors := body[componentBytes*i+1]; maxH%int(factors>>4) != 0 || maxV%int(factors&15) != 0 {
			return fmt.Errorf("%w: sampling factors that do not divide the largest one", ErrUnsupported)
		}
	}
	if blocks > maxBlocks && c.want.Components > 1 {
		return fmt.Errorf("%w: %d blocks in a unit", ErrCorrupt, blocks)
	}
	return nil
}

// component returns the component with an identifier, or nil.
func (c *standaloneCheck) component(id byte) *checkedComponent {
	for i := range c.components[:c.count] {
		if c.components[i].id == id {
			return &c.components[i]
		}
	}
	return nil
}

// scans checks everything from the first scan on, and returns the index of its end.
func (c *standaloneCheck) scans(stream []byte) (end int, err error) {
	for rest := stream; ; {
		m, body, after, err := nextSegment(rest)
		switch {
		case err != nil:
			return 0, err
		case m == jpeg.MarkerEnd:
			return len(stream) - len(after), c.allScanned()
		case m == jpeg.MarkerScan:
			err = c.scan(body)
		case m.IsTable():
			err = c.tables(m, body)
		case m.IsRestart():
			err = c.restart(m)
		case m == jpeg.MarkerNone:
			err = fmt.Errorf("%w: no end of image", ErrCorrupt)
		// Some decoders apply color and orientation markers wherever they find them.
		case m.IsMetadata():
			err = fmt.Errorf("%w: marker %#x after the first scan", ErrUnsupported, m)
		default:
			err = fmt.Errorf("%w: marker %#x after the first scan", ErrCorrupt, m)
		}
		if err != nil {
			return 0, err
		}
		rest = after
	}
}

// restart checks that a restart marker is the expected one.
func (c *standaloneCheck) restart(m jpeg.Marker) error {
	if c.interval == 0 || m != c.nextRestart {
		return fmt.Errorf("%w: restart marker %#x, expected %#x at intervals of %d units", ErrCorrupt, m, c.nextRestart, c.interval)
	}
	c.nextRestart = jpeg.MarkerRestart + (m+1-jpeg.MarkerRestart)%8
	return nil
}

// scan checks that the tables of a scan exist, and that the scan fits the previous ones.
func (c *standaloneCheck) scan(body []byte) error {
	if len(body) < 1 || body[0] < 1 || int(body[0]) > c.count || len(body) != 4+2*int(body[0]) {
		return fmt.Errorf("%w: a scan header of %d bytes", ErrCorrupt, len(body))
	}
	tail := body[len(body)-3:]
	s := scan{count: int(body[0]), first: int(tail[0]), last: int(tail[1]), highBit: int(tail[2] >> 4), lowBit: int(tail[2] & 15)}
	if c.process == Progressive {
		if err := s.checkSpectrum(); err != nil {
			return err
		}
	}
	c.nextRestart = jpeg.MarkerRestart
	for i := range int(body[0]) {
		id, dc, ac := body[1+2*i], body[2+2*i]>>4, body[2+2*i]&15
		comp := c.component(id)
		if comp == nil || dc >= tableNumbersEnd || ac >= tableNumbersEnd {
			return fmt.Errorf("%w: a scan of component %d with tables %d and %d", ErrCorrupt, id, dc, ac)
		}
		needed := quantizerTable(comp.quantizer)
		if c.process == Sequential || s.first == 0 && s.highBit == 0 {
			needed |= huffmanTable(0, dc)
		}
		if c.process == Sequential || s.first > 0 {
			needed |= huffmanTable(1, ac)
		}
		if missing := needed &^ c.defined; missing != 0 {
			return fmt.Errorf("%w: tables %#x are missing", ErrCorrupt, missing)
		}
		if err := c.follow(comp, &s); err != nil {
			return err
		}
	}
	return nil
}

// follow checks that a scan of a component fits the previous scans.
func (c *standaloneCheck) follow(comp *checkedComponent, s *scan) error {
	if c.process == Progressive {
		return c.progress.advance(comp.number, s)
	}
	if comp.scanned {
		return fmt.Errorf("%w: component %d is in two scans", ErrCorrupt, comp.id)
	}
	comp.scanned = true
	return nil
}

// allScanned returns an error if the picture is incomplete. It rejects missing refinement, which
// some decoders smooth over.
func (c *standaloneCheck) allScanned() error {
	for i := range c.components[:c.count] {
		switch comp := &c.components[i]; {
		case c.process == Sequential && !comp.scanned, c.process == Progressive && !c.progress.has(i):
			return fmt.Errorf("%w: no scan of component %d", ErrCorrupt, comp.id)
		case c.process == Progressive && !c.progress.complete(i):
			return fmt.Errorf("%w: component %d is not refined to its last bit", ErrUnsupported, comp.id)
		}
	}
	return nil
}
