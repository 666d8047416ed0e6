package timeline_test

import (
	"strings"
	"testing"

	"parley/session"
)

func TestCompactions(t *testing.T) {
	t.Parallel()
	start := session.SessionCompactionStart{CompactionAttemptID: "k", Trigger: "threshold"}
	done := session.SessionCompactionComplete{
		CompactionAttemptID: "k", Success: true, PreCompactionTokens: 17934, PostCompactionTokens: 6120,
		MessagesRemoved: 6, CheckpointNumber: 1, CheckpointPath: "/c/1.md", SummaryContent: "<summary>\nThey mended the queue.\n</summary>\n",
	}
	sections := session.SessionCompactionComplete{Success: true, TokensRemoved: 1, MessagesRemoved: 1, SummaryContent: "<a>\n1\n</a>\n<b>\n2\n</b>"}
	failed := session.SessionCompactionComplete{CompactionAttemptID: "k", Error: `model call failed: Retries { n: 5 }`, StatusCode: 500}
	checkNotices(t, map[string]noticeCase{
		"one that runs": {[]session.Body{start}, "info compaction: Summarising the conversation so far, for the context is nearly full (live)"},
		"what it gained": {
			[]session.Body{start, done},
			"info compaction: The conversation so far was summarised: 17 934 tokens became 6 120, 6 messages fewer, checkpoint 1 " +
				"{Checkpoint 1: /c/1.md//They mended the queue.}",
		},
		"tags that are no wrapper": {
			[]session.Body{sections},
			"info compaction: The conversation so far was summarised: 1 token fewer, 1 message fewer {<a>/1/</a>/<b>/2/</b>}",
		},
		"one that says nothing": {[]session.Body{session.SessionCompactionComplete{Success: true}}, "info compaction: The conversation so far was summarised"},
		"one that failed": {
			[]session.Body{start, failed},
			"warning compaction: The conversation could not be summarised (model call failed)." +
				" The agent continues with all of it while it fits. (failed)",
		},
		"one that the provider did not answer": {
			[]session.Body{start, session.SessionCompactionComplete{CompactionAttemptID: "k", StatusCode: 503, Error: `model call failed: Retries ` +
				`{ n: 5, last_api_error_payload_json: Some("{\"a\":1}"), last_api_error_message: Some("503 the \"big\" model rests") }`}},
			"warning compaction: The conversation could not be summarised (the \"big\" model rests)." +
				" The agent continues with all of it while it fits. (failed)",
		},
		"one that failed at length": {
			[]session.Body{start, session.SessionCompactionComplete{CompactionAttemptID: "k", Error: "no model\n" + strings.Repeat("x", 500)}},
			"warning compaction: The conversation could not be summarised (no model " + strings.Repeat("x", 391) + "…)." +
				" The agent continues with all of it while it fits. {no model/" + strings.Repeat("x", 500) + "} (failed)",
		},
		"one cancelled": {
			[]session.Body{start, session.SessionCompactionComplete{CompactionAttemptID: "k", Outcome: "cancelled"}},
			"info compaction: The conversation was not summarised: cancelled (cancelled)",
		},
	})
}

func TestTruncations(t *testing.T) {
	t.Parallel()
	const next = " > Make room with /compact before the next prompts."
	checkNotices(t, map[string]noticeCase{
		"with its numbers": {
			[]session.Body{session.SessionTruncation{
				TokenLimit: 14000, PreTruncationTokensInMessages: 15816, PreTruncationMessagesLength: 8,
				PostTruncationTokensInMessages: 12816, PostTruncationMessagesLength: 6,
				TokensRemovedDuringTruncation: 3000, MessagesRemovedDuringTruncation: 2,
			}},
			"warning truncation: The 2 oldest messages, 3 000 tokens, no longer fit: the model does not see them any more" + next +
				" {15 816 tokens in 8 messages became 12 816 in 6, for a limit of 14 000.}",
		},
		"without": {
			[]session.Body{session.SessionTruncation{}},
			"warning truncation: The oldest messages no longer fit: the model does not see them any more" + next,
		},
		"a conversation begun anew": {
			[]session.Body{session.SessionContextCleared{MessagesCleared: 4, InitialMessage: "Mend the queue.\n"}},
			"boundary The agent's memory of this conversation was cleared, of 4 messages\n" +
				"info context: It begins anew with a message {Mend the queue.}",
		},
		"without a word": {[]session.Body{session.SessionContextCleared{}}, "boundary The agent's memory of this conversation was cleared"},
	})
}
