package colormap

import (
	"encoding/json"
	"errors"
	"fmt"
)

// positionKeys records which members define the position of an entry.
type positionKeys struct{ value, low, high bool }

var errPosition = errors.New(`an entry needs "value", or "low" and "high"`)

// readEntryObject reads an entry that is an object.
func readEntryObject(element json.RawMessage) (e Entry, isRange bool, err error) {
	e, at, err := readEntryMembers(element)
	if err != nil {
		return Entry{}, false, err
	}
	if at != (positionKeys{value: true}) && at != (positionKeys{low: true, high: true}) {
		return Entry{}, false, errPosition
	}
	return e, at.low, nil
}

// readEntryMembers reads the members of an object, which must include a color.
func readEntryMembers(element json.RawMessage) (e Entry, at positionKeys, err error) {
	members, err := readObject(element)
	if err != nil {
		return Entry{}, at, err
	}
	hasColor := false
	for _, m := range members {
		switch m.name {
		case "value":
			at.value = true
			e.Low, err = readNumber(string(m.value))
		case "low":
			at.low = true
			e.Low, err = readNumber(string(m.value))
		case "high":
			at.high = true
			e.High, err = readNumber(string(m.value))
		case "color":
			hasColor = true
			e.Color, err = readColor(m.value)
		case "label":
			e.Label, err = readText(m.value)
		default:
			err = fmt.Errorf("unknown member %.32q of an entry", m.name)
		}
		if err != nil {
			return Entry{}, at, err
		}
	}
	if !hasColor {
		return Entry{}, at, errors.New("an entry without a color")
	}
	return e, at, nil
}
