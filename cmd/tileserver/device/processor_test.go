package device

import "testing"

func TestNameOfTheProcessor(t *testing.T) {
	for want, cpuinfo := range map[string]string{
		"":                      "",
		"Wombat 9000 @ 2.10GHz": "processor\t: 0\nmodel name\t: Wombat 9000 @ 2.10GHz\nflags\t\t: fpu\n\nprocessor\t: 1\nmodel name\t: Wombat 9000 @ 2.10GHz\n",
		"0x41 0xd0c":            "processor\t: 0\nFeatures\t: fp asimd\nCPU implementer\t: 0x41\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n\nprocessor\t: 1\n",
	} {
		if got := nameIn(cpuinfo); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if Processor() == "" {
		t.Error("this processor has no name")
	}
}
