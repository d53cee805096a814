//go:build !amd64 || purego

package lossless

func differencesOf(m mode, to, pixels []pixel, start, end, width int) {
	differencesInGo(m, to, pixels, start, end, width)
}

func addCosts(costs *[len(candidates)]uint32, pixels []pixel, width int, area block) {
	addCostsInGo(costs, pixels, width, area)
}
