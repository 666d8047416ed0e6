package copilot_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"parley/session/copilot"
)

func TestProviderVariables(t *testing.T) {
	t.Parallel()
	const base = "https://models.example/v1"
	for name, tc := range map[string]struct {
		env  map[string]string // without COPILOT_PROVIDER_
		want *copilot.Provider
		wire string // the parameter, where it matters
		says string // of the error
	}{
		"none":                  {},
		"a key and no provider": {env: map[string]string{"API_KEY": "k", "TYPE": "nonsense"}},
		"an address": {
			env:  map[string]string{"BASE_URL": " " + base + "\n"},
			want: &copilot.Provider{Type: "openai", BaseURL: base},
			wire: `{"type":"openai","baseUrl":"https://models.example/v1"}`,
		},
		"everything": {
			env: map[string]string{
				"BASE_URL": base, "TYPE": "azure", "API_KEY": "k", "API_KEY_COMMAND": "get key", "BEARER_TOKEN": "b",
				"WIRE_API": "responses", "TRANSPORT": "websockets", "AZURE_API_VERSION": "2024-10-21", "HEADERS": "A: 1",
				"MODEL_ID": "gpt-5.4", "WIRE_MODEL": "mine", "MAX_PROMPT_TOKENS": "100000", "MAX_OUTPUT_TOKENS": "4000",
			},
			want: &copilot.Provider{
				Type: "azure", BaseURL: base, APIKey: "k", APIKeyCommand: "get key", BearerToken: "b",
				WireAPI: "responses", Transport: "websockets", Azure: &copilot.Azure{APIVersion: "2024-10-21"},
				Headers: map[string]string{"A": "1"}, ModelID: "gpt-5.4", WireModel: "mine",
				MaxPromptTokens: 100000, MaxOutputTokens: 4000,
			},
			wire: `{"type":"azure","baseUrl":"https://models.example/v1","apiKey":"k","apiKeyCommand":"get key",` +
				`"bearerToken":"b","wireApi":"responses","transport":"websockets","azure":{"apiVersion":"2024-10-21"},` +
				`"headers":{"A":"1"},"modelId":"gpt-5.4","wireModel":"mine","maxPromptTokens":100000,"maxOutputTokens":4000}`,
		},
		"headers over lines": {
			env: map[string]string{"BASE_URL": base, "HEADERS": "X-One: a:b\r\n\nX-Two:c\\nX-Three: d"},
			want: &copilot.Provider{Type: "openai", BaseURL: base, Headers: map[string]string{
				"X-One": "a:b", "X-Two": "c", "X-Three": "d",
			}},
		},
		"a bad header":      {env: map[string]string{"BASE_URL": base, "HEADERS": "A: 1\nsecret-token"}, says: "HEADERS, entry 2"},
		"a nameless header": {env: map[string]string{"BASE_URL": base, "HEADERS": ": secret-token"}, says: "HEADERS, entry 1"},
		"a bad type":        {env: map[string]string{"BASE_URL": base, "TYPE": "gemini"}, says: `COPILOT_PROVIDER_TYPE is "gemini"; it must be one of openai, azure, anthropic`},
		"a bad wire API":    {env: map[string]string{"BASE_URL": base, "WIRE_API": "soap"}, says: "one of completions, responses"},
		"a bad transport":   {env: map[string]string{"BASE_URL": base, "TRANSPORT": "pigeon"}, says: "one of http, websockets"},
		"no number":         {env: map[string]string{"BASE_URL": base, "MAX_PROMPT_TOKENS": "many"}, says: "MAX_PROMPT_TOKENS"},
		"no tokens":         {env: map[string]string{"BASE_URL": base, "MAX_OUTPUT_TOKENS": "0"}, says: "MAX_OUTPUT_TOKENS"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := copilot.ProviderFromEnv(func(v string) string {
				return tc.env[strings.TrimPrefix(v, "COPILOT_PROVIDER_")]
			})
			if tc.says != "" {
				if err == nil || !strings.Contains(err.Error(), tc.says) {
					t.Errorf("the error is %v, want one with %q", err, tc.says)
				}
				if err != nil && strings.Contains(err.Error(), "secret-token") {
					t.Errorf("the error gives a secret away: %v", err)
				}
				return
			}
			if err != nil || !reflect.DeepEqual(got, tc.want) {
				t.Errorf("got %+v, %v; want %+v", got, err, tc.want)
			}
			if wire, err := json.Marshal(got); tc.wire != "" && (err != nil || string(wire) != tc.wire) {
				t.Errorf("on the wire %s, %v\nwant        %s", wire, err, tc.wire)
			}
		})
	}
}
