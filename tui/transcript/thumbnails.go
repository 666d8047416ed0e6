package transcript

import (
	"encoding/base64"
	"weak"

	"parley/history/drafts"
	"parley/render"
	"parley/render/text"
	"parley/session"
	"parley/terminal"
	"parley/tui/files"
	"parley/tui/widget"
)

// mostThumbnailCols bounds the width of a thumbnail, so that wide ones leave room for
// others.
const mostThumbnailCols = 24

// thumbnail is an image that is attached to a draft, and the cells that it is shown in.
type thumbnail struct {
	attached   *session.Attachment
	cols, rows int
}

func (t thumbnail) key() imageKey { return imageKey{attached: weak.Make(t.attached)} }

// Thumbnails notes which images of a draft are in view, as many as fit beside each other,
// and draws those that the terminal has, behind the margin in at most so many cells. There
// are no lines where it has none.
func (p *Images) Thumbnails(chips []drafts.Chip, cols, rows int) []string {
	p.thumbnails = nil
	if !p.On {
		return nil
	}
	most := min(mostThumbnailCols, cols)
	var lines []string
	from := widget.Margin // where the next one is drawn
	for _, chip := range chips {
		t := thumbnail{attached: chip.Attachment}
		t.cols, t.rows = render.FitImage(chip.Width, chip.Height, most, rows)
		if _, bad := p.bad[t.key()]; bad || t.rows == 0 {
			continue
		}
		if cols -= t.cols + 1; cols < -1 {
			break
		}
		p.thumbnails = append(p.thumbnails, t)
		if slot := p.slot(t.key()); slot >= 0 && p.slots[slot].sent {
			lines = t.beside(lines, from, terminal.ImageID(slot))
			from += t.cols + 1
		}
	}
	return lines
}

// beside draws a thumbnail from a column on beside those in some lines.
func (t thumbnail) beside(lines []string, from int, id uint32) []string {
	for row := range t.rows {
		if row == len(lines) {
			lines = append(lines, "")
		}
		lines[row] += text.Spaces(from-text.Width(lines[row])) + render.ImageRow(id, row, t.cols)
	}
	return lines
}

// attachedImage reads an image that is attached, in base64. It may block, so this is for
// a job.
func attachedImage(a *session.Attachment) (string, error) {
	if a.Data != "" {
		return a.Data, nil
	}
	data, err := files.ReadText(a.Path, files.MaxImage)
	return base64.StdEncoding.EncodeToString([]byte(data)), err
}
