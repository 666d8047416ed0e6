package copilot_test

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/sessiontest/llm"
)

// pngImage is a PNG image of one dot.
func pngImage(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 1, 1))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// images are the addresses of the images in a request.
func images(req llm.Request) []string {
	var urls []string
	for _, m := range req.Messages {
		var parts []struct {
			Type  string `json:"type"`
			Image struct {
				URL string `json:"url"`
			} `json:"image_url"`
		}
		if json.Unmarshal(m.Content, &parts) != nil {
			continue
		}
		for _, p := range parts {
			if p.Type == "image_url" {
				urls = append(urls, p.Image.URL)
			}
		}
	}
	return urls
}

// TestEveryAttachment sends files, lines of one, a folder and two images to a
// model that sees images. A file that is not there is no error.
func TestEveryAttachment(t *testing.T) {
	b, s, r := offered(t, llm.Script{"look": {{Text: "I see."}}})
	b.must(s.SetModel(t.Context(), "acme/big", ""))
	b.write("notes.txt", "the secret word is marmalade\n")
	b.write("long.txt", "one\ntwo\nthree\nfour\n")
	b.write("sub/inner.txt", "inside\n")
	dot := pngImage(t)
	data := base64.StdEncoding.EncodeToString(dot)
	b.write("dot.png", string(dot))
	sent := []session.Attachment{
		{Type: "file", Path: b.path("notes.txt"), DisplayName: "notes.txt"},
		{Type: "file", Path: b.path("long.txt"), DisplayName: "long.txt", LineRange: &session.LineRange{Start: 2, End: 3}},
		{Type: "directory", Path: b.path("sub"), DisplayName: "sub"},
		{Type: "blob", Data: data, MIMEType: "image/png", DisplayName: "pasted.png"},
		{Type: "file", Path: b.path("dot.png"), DisplayName: "dot.png"},
		{Type: "file", Path: b.path("none.txt"), DisplayName: "none.txt"},
	}
	b.must(s.Send(t.Context(), session.Input{Prompt: "@@look", Attachments: sent}))
	u := next[session.UserMessage](r)
	if len(u.Attachments) != len(sent) {
		t.Fatalf("attachments %+v", u.Attachments)
	}
	for i, a := range u.Attachments {
		if a.Type != sent[i].Type || a.DisplayName != sent[i].DisplayName || a.Path != sent[i].Path {
			t.Errorf("attachment %+v, want %+v", a, sent[i])
		}
	}
	if l := u.Attachments[1].LineRange; l == nil || l.Start != sent[1].LineRange.Start || l.End != sent[1].LineRange.End {
		t.Errorf("the lines are %+v", l)
	}
	for _, i := range []int{3, 4} {
		if a := u.Attachments[i]; a.Data != data || a.MIMEType != "image/png" {
			t.Errorf("the image is %+v", a)
		}
	}
	next[session.AssistantIdle](r)
	req := b.model.Requests()[0]
	// Of texts and folders the model is given the paths, and reads them
	// itself.
	text := req.Messages[len(req.Messages)-1].Text()
	for _, want := range []string{
		b.path("notes.txt") + " (2 lines)", b.path("long.txt") + " (lines 2-3 of", b.path("sub") + " (1 items)",
		b.path("none.txt") + " (error: ENOENT", "pasted.png", b.path("dot.png"),
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the model was not sent %q: %s", want, text)
		}
	}
	got := images(req)
	if len(got) != 2 {
		t.Fatalf("the model was shown %d images: %.500s", len(got), req.Messages[len(req.Messages)-1].Content)
	}
	for _, url := range got {
		if !strings.HasPrefix(url, "data:image/png;base64,") {
			t.Errorf("an image is %.60s", url)
		}
	}
}
