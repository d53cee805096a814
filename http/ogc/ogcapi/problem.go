package ogcapi

// Problem is an error document of RFC 7807.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Code   string `json:"code,omitempty"` // our extension: the code in other error documents
}
