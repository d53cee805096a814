package wmts

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// CapabilitiesRequest asks for the capabilities, or for parts of them.
type CapabilitiesRequest struct {
	Sections       Sections
	MIME           string // one of those that there are
	UpdateSequence string // that of the document that the client has, or empty
}

// Sections are the parts of a document that are wanted.
type Sections struct {
	ServiceIdentification, ServiceProvider, OperationsMetadata, Contents bool

	// Themes order layers for people. There are none, so a document has the section only where it is asked for by name.
	Themes bool

	// Rest is what belongs to no section.
	Rest bool
}

// AllSections are those of a whole document.
func AllSections() Sections {
	return Sections{ServiceIdentification: true, ServiceProvider: true, OperationsMetadata: true, Contents: true, Rest: true}
}

// sectionNames are what a query may ask for.
var sectionNames = []string{"All", "ServiceIdentification", "ServiceProvider", "OperationsMetadata", "Contents", "Themes"}

// Capabilities reads the parameters of GetCapabilities. A version is not among them: clients say which ones they know.
func (q Query) Capabilities() (CapabilitiesRequest, error) {
	from := reader{query: q}
	versions, _ := from.optional("AcceptVersions")
	if known := list(versions); len(known) > 0 && !slices.Contains(known, Version) {
		from.refuse(reportOf(VersionNegotiationFailed, "", "the only version is %s", Version))
	}
	r := CapabilitiesRequest{Sections: from.sections()}
	formats, _ := from.optional("AcceptFormats")
	r.MIME = acceptedFormat(formats)
	r.UpdateSequence, _ = from.optional("updateSequence")
	return r, from.err
}

// acceptedFormat is the first of a list that there is. By the standard, a client that knows none of them gets the usual one.
func acceptedFormat(formats string) string {
	for _, format := range list(formats) {
		mime, _, _ := strings.Cut(format, ";")
		if mime = strings.ToLower(strings.TrimSpace(mime)); mime == MIMEXML || mime == MIMETextXML {
			return mime
		}
	}
	return MIMEXML
}

func (r *reader) sections() Sections {
	text, found := r.optional("sections")
	if !found {
		return AllSections()
	}
	names := list(text)
	if len(names) == 0 {
		r.refuse(missing("sections"))
	}
	var s Sections
	for _, name := range names {
		if !s.add(strings.ToLower(name)) {
			r.refuse(Invalid("sections", "the sections are %s, not %q", strings.Join(sectionNames, ", "), name))
		}
	}
	return s
}

// add is false for a name in lower case that no section has.
func (s *Sections) add(name string) bool {
	switch name {
	case "all":
		themes := s.Themes
		*s = AllSections()
		s.Themes = themes
	case "serviceidentification":
		s.ServiceIdentification = true
	case "serviceprovider":
		s.ServiceProvider = true
	case "operationsmetadata":
		s.OperationsMetadata = true
	case "contents":
		s.Contents = true
	case "themes":
		s.Themes = true
	default:
		return false
	}
	return true
}

// sequenceLayout writes a moment so that a later one is the greater number, and the greater text as well: the standard has
// clients compare them, and does not say how.
const sequenceLayout = "20060102150405.000"

// UpdateSequence is the version of a document that changed at a moment.
func UpdateSequence(changed time.Time) string { return changed.UTC().Format(sequenceLayout) }

// IsCurrent tells whether the client has the document of a version. It is a mistake to have a later one.
func (r *CapabilitiesRequest) IsCurrent(sequence string) (bool, error) {
	switch {
	case r.UpdateSequence == "":
		return false, nil
	case r.UpdateSequence == sequence:
		return true, nil
	}
	has, err := strconv.ParseFloat(r.UpdateSequence, 64)
	now, _ := strconv.ParseFloat(sequence, 64)
	if err != nil || !(has < now) {
		return false, reportOf(InvalidUpdateSequence, "", "updateSequence is %s, and %q does not come before it", sequence, r.UpdateSequence)
	}
	return false, nil
}
