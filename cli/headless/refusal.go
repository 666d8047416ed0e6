package headless

import "parley/session"

func refuse(ask session.Ask, feedback string) session.Answer {
	return session.Refusal{RequestID: ask.Request(), Kind: ask.Kind(), Feedback: feedback}
}
