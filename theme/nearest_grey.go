package theme

import (
	"fmt"
	"strconv"
)

// almostGrey is how far apart the parts of a colour may be that is meant as a
// grey with a breath of blue.
const almostGrey = 32

// grey is the nearest of the 24 greys among 256 colours that differs no less from
// the ground, for a colour that is almost one. The nearest of all the colours
// there would be a purple or a teal. Every other colour stays.
func grey(colour string, dark bool) string {
	if len(colour) != len("#rrggbb") {
		return colour
	}
	rgb, err := strconv.ParseUint(colour[1:], 16, 32)
	if err != nil {
		return colour
	}
	r, g, b := int(rgb>>16), int(rgb>>8&0xff), int(rgb&0xff)
	if max(r, g, b)-min(r, g, b) > almostGrey {
		return colour
	}
	const first, step, last = 8, 10, 238
	light := (2126*r + 7152*g + 722*b) / 10000
	n := light - first // rounded down for a light ground
	if dark {
		n += step - 1
	}
	if v := first + n/step*step; n >= 0 && v <= last {
		return fmt.Sprintf("#%02x%02x%02x", v, v, v)
	}
	return colour
}
