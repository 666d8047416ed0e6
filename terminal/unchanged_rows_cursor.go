package terminal

// moved notes a control character that only moves the cursor.
func (u *unchangedRows) moved(token []byte) bool {
	switch c := token[0]; {
	case c == '\r':
		u.col = 0
	case c == '\n' && u.row != unknown && u.row != u.bottom:
		u.row = min(u.row+1, u.height-1)
	case c == '\b':
		u.col = max(u.col-1, min(u.col, 0))
	case c == '\t' && u.col != unknown:
		u.col = min(u.col/8*8+8, u.width-1)
	case c == '\t':
	default:
		return false
	}
	u.moves = append(u.moves, token...)
	return true
}

// movedTo notes a sequence that only moves the cursor.
func (u *unchangedRows) movedTo(final byte, a, b int) bool {
	by := max(a, 1)
	row, col := u.row, u.col
	switch final {
	case 'H':
		row, col = by-1, max(b, 1)-1
	case 'd':
		row = by - 1
	case 'G', '`':
		col = by - 1
	case 'A', 'B':
		// At a margin of what scrolls it stops, which the renderer never asks for.
		if row != unknown && final == 'A' {
			row = max(row-by, 0)
		} else if row != unknown {
			row += by
		}
	case 'C':
		if col != unknown {
			col += by
		}
	case 'D':
		if col != unknown {
			col = max(col-by, 0)
		}
	default:
		return false
	}
	u.row, u.col = min(row, u.height-1), min(col, u.width-1)
	return true
}
