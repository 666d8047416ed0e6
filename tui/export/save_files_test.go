package export

import (
	"runtime"
	"strings"
	"testing"

	"parley/timeline"
)

func TestPartName(t *testing.T) {
	t.Parallel()
	names := map[string]timeline.Block{
		"audio.wav":                      {Kind: "audio", MIMEType: "audio/wav"},
		"image.png":                      {MIMEType: "IMAGE/PNG; charset=x"},
		"document.bin":                   {},
		"bell.mp3":                       {Name: "bell", MIMEType: "audio/mpeg"},
		"report.pdf":                     {URI: "file:///home/ada/report.pdf", MIMEType: "application/pdf"},
		"passwd.bin":                     {Name: "../../etc/passwd"},
		"evil.wav":                       {Name: `C:\x\evil.exe`, MIMEType: "audio/wav"},
		"profile.bin":                    {Name: ".profile.sh"},
		"a-b-gnp.png":                    {Name: "a\x1b[31m/a\nb\u202egnp.exe", MIMEType: "image/png"},
		"video.mp4":                      {Name: "..", MIMEType: "video/mp4"},
		strings.Repeat("x", 60) + ".bin": {Name: strings.Repeat("x", 5000)},
	}
	if runtime.GOOS == "windows" {
		names["image-CON.png"] = timeline.Block{Name: "CON", MIMEType: "image/png"} // a device, whatever its ending
	}
	for want, p := range names {
		if got := fileName(p); got != want {
			t.Errorf("%+v: %q, want %q", p, got, want)
		}
	}
}
