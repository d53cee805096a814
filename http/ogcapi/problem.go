package ogcapi

// Problem is an error as RFC 7807 has it.
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"`
	Code   string `json:"code,omitempty"` // ours: what other routes of the server call it
}
