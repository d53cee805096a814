package terrain

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
)

const maxParametersBytes = 1024

// ParseParameters reads a JSON object of parameters by the names that TiTiler has for them, on top of the defaults of the
// mode. Nothing at all is the defaults. An azimuth is a compass's, other than TiTiler's, whose 45 is the northwest. A
// buffer is accepted where TiTiler has one, and changes nothing: the halo is always the right one.
func ParseParameters(mode Mode, text []byte) (Parameters, error) {
	p := DefaultParameters(mode)
	if err := p.Validate(); err != nil {
		return Parameters{}, err
	}
	if len(text) > maxParametersBytes {
		return Parameters{}, fmt.Errorf("%w: %d bytes, more than %d", ErrParameters, len(text), maxParametersBytes)
	}
	if len(bytes.TrimSpace(text)) > 0 {
		if err := p.read(text); err != nil {
			return Parameters{}, err
		}
	}
	return p, p.Validate()
}

func (p *Parameters) read(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return fmt.Errorf("%w: not a JSON object", ErrParameters)
	}
	var seen []string
	for decoder.More() {
		name, value, err := readMember(decoder)
		if err != nil {
			return err
		}
		if slices.Contains(seen, name) {
			return fmt.Errorf("%w: %.32q is there twice", ErrParameters, name)
		}
		seen = append(seen, name)
		if err := p.set(name, value); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return fmt.Errorf("%w: the JSON object does not end", ErrParameters)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return fmt.Errorf("%w: more than a JSON object", ErrParameters)
	}
	return nil
}

func readMember(decoder *json.Decoder) (name string, value json.Token, err error) {
	token, err := decoder.Token()
	name, isName := token.(string)
	if err == nil {
		value, err = decoder.Token()
	}
	if err != nil || !isName {
		return "", nil, fmt.Errorf("%w: not valid JSON", ErrParameters)
	}
	return name, value, nil
}

// set takes a null for nothing.
func (p *Parameters) set(name string, value json.Token) error {
	for _, f := range p.fields() {
		if f.name != name {
			continue
		}
		if value == nil {
			return nil
		}
		if err := f.set(value); err != nil {
			return fmt.Errorf("%w: %s %w", ErrParameters, name, err)
		}
		return nil
	}
	var known []string
	for _, f := range p.fields() {
		known = append(known, f.name)
	}
	if known == nil {
		return fmt.Errorf("%w: %.32q is unknown; %s has no parameters", ErrParameters, name, p.Mode)
	}
	return fmt.Errorf("%w: %.32q is unknown; %s has %s", ErrParameters, name, p.Mode, strings.Join(known, ", "))
}

// field is a parameter and how to set it.
type field struct {
	name string
	set  func(value json.Token) error
}

// fields are those of the mode.
func (p *Parameters) fields() []field {
	exaggeration := &p.Light.Exaggeration
	if p.Mode == ModeSlope {
		exaggeration = &p.Steepness.Exaggeration
	}
	buffer := field{"buffer", setInteger(new(int), 99)}
	raised := field{"z_exaggeration", setNumber(exaggeration)}
	altitude := field{"angle_altitude", setNumber(&p.Light.Altitude)}
	missing := field{"nodata_height", p.setMissingHeight}
	switch p.Mode {
	case ModeHillshade, ModeRelief:
		return []field{{"azimuth", setNumber(&p.Light.Azimuth)}, altitude, raised, buffer}
	case ModeMultiHillshade:
		return []field{altitude, raised, buffer}
	case ModeSlope:
		return []field{{"unit", p.setSlopeUnit}, raised, buffer}
	case ModeAspect:
		return []field{buffer}
	case ModeContours:
		return []field{
			{"increment", setNumber(&p.Lines.Interval)}, {"thickness", setNumber(&p.Lines.Thickness)},
			{"index_every", setInteger(&p.Lines.IndexEvery, maxIndexEvery)},
			{"index_thickness", setNumber(&p.Lines.IndexThickness)},
			{"minz", setNumber(&p.MinHeight)}, {"maxz", setNumber(&p.MaxHeight)},
		}
	case ModeTerrainRGB:
		return []field{{"interval", setNumber(&p.Encoding.Interval)}, {"baseval", setNumber(&p.Encoding.Base)}, missing}
	default:
		return []field{missing}
	}
}

func setNumber(to *float64) func(json.Token) error {
	return func(value json.Token) error {
		number, ok := value.(json.Number)
		if !ok {
			return fmt.Errorf("is not a number")
		}
		parsed, err := number.Float64()
		if err != nil {
			return fmt.Errorf("is no number that there is room for")
		}
		*to = parsed
		return nil
	}
}

func setInteger(to *int, highest int) func(json.Token) error {
	return func(value json.Token) error {
		var number float64
		if err := setNumber(&number)(value); err != nil {
			return err
		}
		if number != math.Trunc(number) || number < 0 || number > float64(highest) {
			return fmt.Errorf("is %g, not a whole number from 0 to %d", number, highest)
		}
		*to = int(number)
		return nil
	}
}

func (p *Parameters) setMissingHeight(value json.Token) error {
	p.Encoding.HasMissingHeight = true
	return setNumber(&p.Encoding.MissingHeight)(value)
}

func (p *Parameters) setSlopeUnit(value json.Token) error {
	switch value {
	case Degrees.String():
		p.Steepness.Unit = Degrees
	case Percent.String():
		p.Steepness.Unit = Percent
	default:
		return fmt.Errorf("is not %q or %q", Degrees, Percent)
	}
	return nil
}
