package codestream

import "fmt"

// markerCode identifies a marker segment.
type markerCode uint16

// The markers of Part 1 and Part 15.
const (
	soc          markerCode = 0xFF4F
	capabilities markerCode = 0xFF50
	siz          markerCode = 0xFF51
	cod          markerCode = 0xFF52
	coc          markerCode = 0xFF53
	tlm          markerCode = 0xFF55
	prf          markerCode = 0xFF56
	plm          markerCode = 0xFF57
	plt          markerCode = 0xFF58
	cpf          markerCode = 0xFF59
	qcd          markerCode = 0xFF5C
	qcc          markerCode = 0xFF5D
	rgn          markerCode = 0xFF5E
	poc          markerCode = 0xFF5F
	ppm          markerCode = 0xFF60
	ppt          markerCode = 0xFF61
	crg          markerCode = 0xFF63
	com          markerCode = 0xFF64
	sot          markerCode = 0xFF90
	sop          markerCode = 0xFF91
	eph          markerCode = 0xFF92
	sod          markerCode = 0xFF93
	eoc          markerCode = 0xFFD9
)

// extension returns the name of a marker of Part 2 that changes samples, or "".
func (m markerCode) extension() string {
	switch m {
	case 0xFF70:
		return "offsets of samples (DCO)"
	case 0xFF71:
		return "visual masking (VMS)"
	case 0xFF72:
		return "arbitrary decomposition (DFS)"
	case 0xFF73:
		return "arbitrary decomposition (ADS)"
	case 0xFF74:
		return "multiple component transformation (MCT)"
	case 0xFF75:
		return "multiple component transformation (MCC)"
	case 0xFF76:
		return "non-linear transformation (NLT)"
	case 0xFF77:
		return "multiple component transformation (MCO)"
	case 0xFF78:
		return "bit depths of components of their own (CBD)"
	case 0xFF79:
		return "wavelet of its own (ATK)"
	}
	return ""
}

// hasBody reports whether a length follows the marker.
func (m markerCode) hasBody() bool {
	switch m {
	case soc, eph, sod, eoc:
		return false
	}
	return m < 0xFF30 || m > 0xFF3F
}

// String returns the standard's name of the marker, or its number.
func (m markerCode) String() string {
	switch m {
	case soc:
		return "SOC"
	case capabilities:
		return "CAP"
	case siz:
		return "SIZ"
	case cod:
		return "COD"
	case coc:
		return "COC"
	case tlm:
		return "TLM"
	case prf:
		return "PRF"
	case plm:
		return "PLM"
	case plt:
		return "PLT"
	case cpf:
		return "CPF"
	case qcd:
		return "QCD"
	case qcc:
		return "QCC"
	case rgn:
		return "RGN"
	case poc:
		return "POC"
	case ppm:
		return "PPM"
	case ppt:
		return "PPT"
	case crg:
		return "CRG"
	case com:
		return "COM"
	case sot:
		return "SOT"
	case sop:
		return "SOP"
	case eph:
		return "EPH"
	case sod:
		return "SOD"
	case eoc:
		return "EOC"
	}
	return fmt.Sprintf("%04X", uint16(m))
}
