package wmts_test

import (
	"strconv"
	"strings"
	"testing"
)

func suiteOfRequests() []assertion {
	return []assertion{
		{name: "Server.KVP.GET.HTTP.Mandatory", asks: "GET works as HTTP defines it", outcome: unused,
			why: "it is commented out in the suite",
			run: func(t *testing.T, c *suiteClient) {
				if got := c.Get(t, capabilitiesQuery); got.Code != 200 {
					t.Errorf("GET is %d", got.Code)
				}
			}},
		refused("Server.KVP.GET.InvalidQueryString", "a query that separates parameters by other signs than & lacks its request",
			refusal{"/wmts?service=WMTS&request~GetCapabilities!version~1.0.0", "MissingParameterValue", "request"}),
		refused("Server.KVP.GET.InvalidService", "a service other than WMTS is refused",
			refusal{"/wmts?service=BOGUS&request=GetCapabilities", "InvalidParameterValue", "service"}),
		refused("Server.KVP.GET.InvalidRequest", "an unknown request is refused",
			refusal{"/wmts?service=WMTS&request=GetBOGUS", "InvalidParameterValue", "request"}),
		{name: "Server.RESTful.HTTP.Mandatory", asks: "the document is answered by 406 to clients that accept none of its types", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				if got := c.GetAs(c.document.Metadata[0].Href, "example/unknown"); got.Code != 406 {
					t.Errorf("the document is %d", got.Code)
				}
			}},
		{name: "Server.RESTful.InvalidQueryString", asks: "an unknown address is answered by 404", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				address := c.document.Metadata[0].Href
				for _, path := range []string{address + "/Bogus", strings.Replace(address, ".xml", "Bogus.xml", 1)} {
					if got := c.Get(t, path); got.Code != 404 {
						t.Errorf("%s: status %d", path, got.Code)
					}
				}
			}},
	}
}

func suiteOfCapabilities() []assertion {
	const group = "Server.KVP.GET.GetCapabilities.Request."
	return []assertion{
		{name: group + "Mandatory", asks: "a query for the document returns all sections", outcome: holds,
			run: func(t *testing.T, c *suiteClient) { hasSections(t, c, "", "iosc-m") }},
		{name: "Server.RESTful.GetCapabilities.Request.Mandatory", asks: "the address of the document returns all sections", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				d := capabilitiesOf(t, c.Get(t, c.document.Metadata[0].Href))
				if got := sectionsOf(&d); got != "iosc-m" {
					t.Errorf("the sections are %s", got)
				}
			}},
		refused(group+"NoService", "a query without a service is refused", refusal{"/wmts?request=GetCapabilities", "MissingParameterValue", "service"}),
		refused(group+"InvalidService", "a service other than WMTS is refused", refusal{"/wmts?request=GetCapabilities&service=BOGUS", "InvalidParameterValue", "service"}),
		{name: group + "AcceptVersions.Valid", asks: "the document has the first of the accepted versions that the server knows", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				for _, versions := range []string{"1.0.0", "1.0.0,2.0.0", "2.0.0,1.0.0"} {
					if d := capabilitiesOf(t, c.Get(t, capabilitiesQuery+"&AcceptVersions="+versions)); d.Version != "1.0.0" {
						t.Errorf("of %s, the version is %q", versions, d.Version)
					}
				}
			}},
		refused(group+"AcceptVersions.Invalid", "a list of unknown versions is refused, without a locator",
			refusal{capabilitiesQuery + "&AcceptVersions=2.0.0,9.9.9", "VersionNegotiationFailed", ""}),
		{name: group + "CaseInsensitive.KVP.Names", asks: "parameters are read in any case and order", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				want := c.Get(t, capabilitiesQuery+"&AcceptVersions=1.0.0").Body.String()
				for _, query := range []string{
					"SERVICE=WMTS&RequesT=GetCapabilities&acceptversions=1.0.0",
					"request=GetCapabilities&ACCEPTVERSIONS=1.0.0&SeRvIcE=WMTS",
					"AcceptVersions=1.0.0&service=WMTS&REQUEST=GetCapabilities",
				} {
					if got := c.Get(t, "/wmts?"+query); got.Body.String() != want {
						t.Errorf("%s gets a different document", query)
					}
				}
			}},
		refused(group+"Sections.Invalid", "an unknown section is refused", refusal{capabilitiesQuery + "&Sections=Bogus", "InvalidParameterValue", "sections"}),
		refused(group+"Sections.Missing", "an empty list of sections is refused", refusal{capabilitiesQuery + "&Sections=", "MissingParameterValue", "sections"}),
		{name: group + "UpdateSequence", asks: "the current update sequence returns no sections, an older one returns all, a later one is refused", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				now, err := strconv.ParseFloat(c.document.UpdateSequence, 64)
				if err != nil {
					t.Fatal(err)
				}
				hasSections(t, c, "&updateSequence="+c.document.UpdateSequence, "------")
				hasSections(t, c, "&updateSequence="+strconv.FormatFloat(now-1, 'f', 3, 64), "iosc-m")
				c.isRefused(t, refusal{capabilitiesQuery + "&updateSequence=" + strconv.FormatFloat(now+1e9, 'f', 3, 64), "InvalidUpdateSequence", ""})
			}},
		{name: group + "AcceptFormats", asks: "the document is sent in each type that it lists, and as application/xml for any other", outcome: holds,
			run: func(t *testing.T, c *suiteClient) {
				types := map[string]string{"bogus/xml": "application/xml"}
				for _, mime := range parameterOf(t, &c.document, "AcceptFormats") {
					types[mime] = mime
				}
				if len(types) < 3 {
					t.Errorf("the types are %v", types)
				}
				for asked, want := range types {
					if got := c.Get(t, capabilitiesQuery+"&AcceptFormats="+asked); got.Header().Get("Content-Type") != want {
						t.Errorf("requested as %s, the type is %s", asked, got.Header().Get("Content-Type"))
					}
				}
			}},
	}
}

func suiteOfSections() []assertion {
	const themes = "themes are optional, and the document has none"
	rows := []struct {
		section, want string
		outcome       outcome
		why           string
	}{
		{"All", "iosc-m", holds, ""},
		{"ServiceIdentification", "i-----", holds, ""},
		{"ServiceProvider", "-o----", holds, ""},
		{"OperationsMetadata", "--s---", holds, ""},
		{"Contents", "---c--", holds, ""},
		{"Themes", "----t-", absent, themes + ": the section is empty"},
		{"Multiple", "---ct-", absent, themes + ": one of the two sections is empty"},
	}
	var made []assertion
	for _, row := range rows {
		made = append(made, assertion{
			name: "Server.KVP.GET.GetCapabilities.Request.Sections." + row.section, asks: "the document has the requested sections and no others",
			outcome: row.outcome, why: row.why,
			run: func(t *testing.T, c *suiteClient) {
				hasSections(t, c, "&Sections="+strings.Replace(row.section, "Multiple", "Contents,Themes", 1), row.want)
			},
		})
	}
	return made
}

func hasSections(t *testing.T, c *suiteClient, query, want string) {
	t.Helper()
	d := capabilitiesOf(t, c.Get(t, capabilitiesQuery+query))
	if got := sectionsOf(&d); got != want {
		t.Errorf("%q has the sections %s, want %s", query, got, want)
	}
}

// parameterOf returns the allowed values of a parameter of GetCapabilities.
func parameterOf(t *testing.T, d *wmtsDocument, name string) []string {
	t.Helper()
	for _, p := range d.Operations.Operations[0].Parameters {
		if p.Name == name {
			return p.Values
		}
	}
	t.Errorf("GetCapabilities has no parameter %s", name)
	return nil
}
