package copilot_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"parley/session"
	"parley/session/copilot"
	"parley/session/sessiontest"
	"parley/session/sessiontest/llm"
)

// offered opens a session that can choose from models of a provider of the
// user's own. Parley itself names one provider only.
func offered(t *testing.T, script llm.Script) (*bench, *copilot.Session, *sessiontest.Reader) {
	t.Helper()
	t.Parallel()
	b := setup(t, script)
	b.home, b.cfg.URL, b.cfg.Provider = "", share(t), nil
	s, r := b.start().open()
	b.must(copilot.Call(b.Context(), s, "session.provider.add", object{
		"providers": []object{{"name": "acme", "type": "openai", "baseUrl": b.model.URL}},
		"models": []object{
			{
				"id": "big", "provider": "acme", "name": "Big One",
				"maxPromptTokens": 90_000, "maxContextWindowTokens": 100_000, "maxOutputTokens": 8_000,
				"capabilities": object{"supports": object{"vision": true, "reasoningEffort": true, "toolCalls": true}},
			},
			{"id": "small", "provider": "acme"},
		},
	}))
	return b, s, r
}

func TestModelsOfAProvider(t *testing.T) {
	b, s, r := offered(t, llm.Script{"a": {{Text: "A."}}})
	models, err := s.Models(t.Context())
	b.must(err)
	if len(models) != 2 {
		t.Fatalf("models %+v", models)
	}
	big := session.Model{
		ID: "acme/big", Name: "Big One", ContextTokens: 100_000, PromptTokens: 90_000, OutputTokens: 8_000, Vision: true,
	}
	if !reflect.DeepEqual(models[0], big) {
		t.Errorf("model %+v, want %+v", models[0], big)
	}
	if m := models[1]; m.ID != "acme/small" || m.Name == "" || m.PromptTokens == 0 || m.Vision {
		t.Errorf("model %+v", m)
	}
	b.must(s.SetModel(t.Context(), "acme/big", "high"))
	if m := next[session.SessionModelChange](r); m.NewModel != "acme/big" || m.ReasoningEffort != "high" {
		t.Errorf("changed to %+v", m)
	}
	b.send(s, "@@a")
	next[session.AssistantIdle](r)
	if req := b.model.Requests(); req[0].Model != "big" || !strings.Contains(string(req[0].Raw), `"reasoning_effort":"high"`) {
		t.Errorf("asked %s: %.300s", req[0].Model, req[0].Raw)
	}
	b.must(s.SetModel(t.Context(), "acme/small", ""))
	if m := next[session.SessionModelChange](r); m.NewModel != "acme/small" {
		t.Errorf("changed to %+v", m)
	}
	says(t, s.SetModel(t.Context(), "acme/none", ""), "change the model to acme/none", "not registered")
}

// account serves what the Copilot service says of its models.
func account(t *testing.T) *httptest.Server {
	t.Helper()
	entry := func(id, vendor string, more object) object {
		m := object{
			"id": id, "name": strings.ToUpper(id), "vendor": vendor, "object": "model", "version": "1", "preview": false,
			"model_picker_enabled": true, "supported_endpoints": []string{"/chat/completions"},
			"capabilities": object{
				"family": id, "type": "chat",
				"limits":   object{"max_context_window_tokens": 264_000, "max_output_tokens": 64_000, "max_prompt_tokens": 128_000},
				"supports": object{"tool_calls": true, "streaming": true, "vision": true, "reasoning_effort": []string{"low", "high"}},
			},
		}
		for k, v := range more {
			m[k] = v
		}
		return m
	}
	list := []object{
		entry("fast", "Azure OpenAI", object{"billing": object{"multiplier": 0}, "model_picker_category": "lightweight"}),
		entry("deep", "Anthropic", object{
			"billing": object{"multiplier": 0.33, "promo": object{
				"id": "p", "discount_percent": 25, "ends_at": "2099-01-01T00:00:00Z", "message": "Less for now",
			}},
			"warning_text":     object{"data_retention": "Kept for 30 days."},
			"warning_messages": []object{{"code": "x", "message": "Retires soon."}},
			"policy":           object{"state": "enabled", "terms": "Fine print"},
		}),
		entry("priced", "Anthropic", object{"billing": object{"token_prices": object{
			"batch_size": 1_000_000, "default": object{"input_price": 300, "output_price": 1500},
		}}}),
		entry("off", "Anthropic", object{"policy": object{"state": "disabled", "terms": "Ask the owner."}}),
		entry("hidden", "Anthropic", object{"model_picker_enabled": false}),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var answer any = object{}
		if r.URL.Path == "/models" {
			answer = object{"object": "list", "data": list}
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.MarshalWrite(w, answer)
	}))
	t.Cleanup(server.Close)
	return server
}

// TestModelsOfTheAccount lists the models of the Copilot service as the real
// runtime passes them on. The service is one of ours on loopback, and the way
// to any other is closed.
func TestModelsOfTheAccount(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.cfg.Env = append(
		os.Environ(), "COPILOT_HOME="+b.home, "COPILOT_API_URL="+account(t).URL, "COPILOT_HMAC_KEY=none",
		"HTTPS_PROXY=http://127.0.0.1:9", "HTTP_PROXY=http://127.0.0.1:9", "NO_PROXY=127.0.0.1",
	)
	b.cfg.Provider, b.cfg.Model = nil, "fast"
	b.start()
	s, r := b.open()
	models, err := s.Models(t.Context())
	b.must(err)
	got := map[string]session.Model{}
	for _, m := range models {
		got[m.ID] = m
		m.ID = ""
	}
	if models[0].ID != "auto" || len(models) != 5 {
		t.Errorf("models %+v", models)
	}
	base := session.Model{
		Efforts: []string{"low", "high"}, ContextTokens: 264_000, PromptTokens: 128_000, OutputTokens: 64_000, Vision: true,
	}
	want := func(id, vendor string, change func(m *session.Model)) {
		t.Helper()
		m := base
		m.ID, m.Name, m.Vendor = id, strings.ToUpper(id), vendor
		change(&m)
		if !reflect.DeepEqual(got[id], m) {
			t.Errorf("model\n%+v, want\n%+v", got[id], m)
		}
	}
	want("fast", "Azure OpenAI", func(m *session.Model) { m.Price = "free" })
	want("deep", "Anthropic", func(m *session.Model) {
		m.Price, m.Warning = "0.33x, 25% off", "Kept for 30 days. Retires soon."
	})
	want("priced", "Anthropic", func(m *session.Model) { m.Price = "300 in, 1500 out credits per 1M tokens" })
	want("off", "Anthropic", func(m *session.Model) { m.Disabled = "switched off by a policy of the account: Ask the owner." })
	b.must(s.SetModel(t.Context(), "deep", ""))
	if m := next[session.SessionModelChange](r); m.NewModel != "deep" {
		t.Errorf("changed to %+v", m)
	}
	says(t, s.SetModel(t.Context(), "fast", "bogus"), "change the model to fast", "bogus")
	if n := len(sessiontest.All[session.SessionError](r.Seen())); n != 0 {
		t.Errorf("%d errors", n)
	}
}
