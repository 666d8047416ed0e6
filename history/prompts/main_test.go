package prompts

import (
	"testing"

	"parley/session/sessiontest"
)

func TestMain(m *testing.M) { sessiontest.Main(m, sessiontest.Roles{"add": playAdd}) }
