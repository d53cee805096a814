package segments

// countImages returns with how many images the file header ends where it says, or 0. For each number
// it reads only counts and lengths, since a header may hold many TREs. The images must be where
// their lengths put them, and no other image may follow.
func (w *walk) countImages() (int, error) {
	const maxImages, countDigits = 999, 3
	h, names := w.file.Header, kindNames[image]
	if h.length <= 0 || h.length >= w.r.Size() {
		return 0, nil
	}
	if is, err := w.begins(h.length, image); err != nil || !is {
		return 0, err
	}
	c := w.headerCursor(h.counts + countDigits)
	var offsets []int64
	next := h.length
	for range maxImages {
		subheader, content := c.number("LISH", names.subheader), c.number("LI", names.content)
		if c.err != nil {
			return 0, unlessDamage(c.err)
		}
		offsets = append(offsets, next)
		next += subheader + content
		if subheader <= 0 || content <= 0 || next > w.r.Size() {
			return 0, nil
		}
		end, err := w.headerEnd(c.at)
		if err != nil {
			return 0, err
		}
		if end != h.length {
			continue
		}
		if isMore, err := w.begins(next, image); err != nil {
			return 0, err
		} else if !isMore {
			return w.countIfImages(offsets)
		}
	}
	return 0, nil
}

// headerEnd returns where the file header ends if the lengths of the images end at an offset, or
// unknown if no counts follow there.
func (w *walk) headerEnd(images int) (int64, error) {
	c := w.headerCursor(images)
	for k := image + 1; k < kinds; k++ {
		names := kindNames[k]
		count := c.count("the number of "+names.plural, 3)
		if k != label || w.file.Version == NITF20 {
			c.jump(count * (names.subheader + names.content))
		}
	}
	for _, area := range []string{"UDHDL", "XHDL"} {
		c.jump(c.count(area, 5))
	}
	if c.err != nil {
		return unknown, unlessDamage(c.err)
	}
	return int64(c.at), nil
}

// headerCursor returns a cursor that goes on at a field of the first file header.
func (w *walk) headerCursor(at int) *cursor {
	return &cursor{r: w.r, at: at, limit: w.limits.SubheaderBytes}
}

// countIfImages returns how many offsets there are, or 0 if an image is missing at one of them.
func (w *walk) countIfImages(offsets []int64) (int, error) {
	for _, offset := range offsets {
		if is, err := w.begins(offset, image); err != nil || !is {
			return 0, err
		}
	}
	return len(offsets), nil
}

// unlessDamage returns an error of reading, or nil for damage.
func unlessDamage(err error) error {
	if isDamage(err) {
		return nil
	}
	return err
}
