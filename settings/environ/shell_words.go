package environ

import (
	"fmt"
	"runtime"
	"strings"
)

// ShellWords splits a text as a shell does (POSIX, 2.2 Quoting), but expands nothing. On
// Windows a backslash is part of a path.
func ShellWords(text string) ([]string, error) { return shellWords(runtime.GOOS, text) }

func shellWords(system, text string) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, inWord := byte(0), false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && system != windows && quote != '\'' && i+1 < len(text) &&
			(quote == 0 || strings.IndexByte("\"\\$`", text[i+1]) >= 0):
			i++
			word.WriteByte(text[i])
			inWord = true
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, inWord = c, true
		case quote == 0 && strings.IndexByte(" \t\r\n", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c in %q is not closed", quote, text)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}
