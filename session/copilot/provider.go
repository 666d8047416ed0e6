package copilot

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Provider is a model provider of the user's own ("bring your own key"). As a
// server the runtime does not read the environment for it and never stores it,
// so it goes with every create and resume (docs/protocol.md, sections 1 and 4).
type Provider struct {
	Type            string            `json:"type"` // openai, azure or anthropic
	BaseURL         string            `json:"baseUrl"`
	APIKey          string            `json:"apiKey,omitzero"`
	APIKeyCommand   string            `json:"apiKeyCommand,omitzero"` // run by the runtime before each request
	BearerToken     string            `json:"bearerToken,omitzero"`
	WireAPI         string            `json:"wireApi,omitzero"`   // completions or responses
	Transport       string            `json:"transport,omitzero"` // http or websockets
	Azure           *Azure            `json:"azure,omitzero"`
	Headers         map[string]string `json:"headers,omitzero"`
	ModelID         string            `json:"modelId,omitzero"`   // well-known model that has the limits and behaviour
	WireModel       string            `json:"wireModel,omitzero"` // name sent to the provider
	MaxPromptTokens int               `json:"maxPromptTokens,omitzero"`
	MaxOutputTokens int               `json:"maxOutputTokens,omitzero"`
}

// Azure is what only providers of type azure have.
type Azure struct {
	APIVersion string `json:"apiVersion"`
}

// ProviderFromEnv reads the COPILOT_PROVIDER_* variables ("copilot help
// providers"). Without COPILOT_PROVIDER_BASE_URL there is no provider: nil.
func ProviderFromEnv(getenv func(string) string) (*Provider, error) {
	get := func(name string) string { return strings.TrimSpace(getenv("COPILOT_PROVIDER_" + name)) }
	p := &Provider{
		Type:          cmp.Or(get("TYPE"), "openai"),
		BaseURL:       get("BASE_URL"),
		APIKey:        get("API_KEY"),
		APIKeyCommand: get("API_KEY_COMMAND"),
		BearerToken:   get("BEARER_TOKEN"),
		WireAPI:       get("WIRE_API"),
		Transport:     get("TRANSPORT"),
		ModelID:       get("MODEL_ID"),
		WireModel:     get("WIRE_MODEL"),
	}
	if p.BaseURL == "" {
		return nil, nil //nolint:nilnil // no provider is a normal answer, not a failure
	}
	if v := get("AZURE_API_VERSION"); v != "" {
		p.Azure = &Azure{APIVersion: v}
	}
	for _, choice := range []struct {
		name, value string
		known       []string
	}{
		{"TYPE", p.Type, []string{"openai", "azure", "anthropic"}},
		{"WIRE_API", p.WireAPI, []string{"", "completions", "responses"}},
		{"TRANSPORT", p.Transport, []string{"", "http", "websockets"}},
	} {
		if err := oneOf("COPILOT_PROVIDER_"+choice.name, choice.value, choice.known); err != nil {
			return nil, err
		}
	}
	var prompt, output, list error
	p.MaxPromptTokens, prompt = tokens("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", get("MAX_PROMPT_TOKENS"))
	p.MaxOutputTokens, output = tokens("COPILOT_PROVIDER_MAX_OUTPUT_TOKENS", get("MAX_OUTPUT_TOKENS"))
	p.Headers, list = headers(get("HEADERS"))
	if err := cmp.Or(prompt, output, list); err != nil {
		return nil, err
	}
	return p, nil
}

func oneOf(name, value string, known []string) error {
	if slices.Contains(known, value) {
		return nil
	}
	return fmt.Errorf("%s is %q; it must be one of %s", name, value, strings.TrimPrefix(strings.Join(known, ", "), ", "))
}

func tokens(name, value string) (int, error) {
	if value == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(value)
	if err != nil || n <= 0 {
		return 0, fmt.Errorf("%s is %q; it must be a number of tokens above 0", name, value)
	}
	return n, nil
}

// headers reads "Name: Value" pairs, divided by line breaks or by the two
// characters \n. The message of an error never holds a value: it is a secret.
func headers(text string) (map[string]string, error) {
	var m map[string]string
	for line := range strings.SplitSeq(strings.ReplaceAll(text, `\n`, "\n"), "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		name, value, ok := strings.Cut(line, ":")
		name = strings.TrimSpace(name)
		if !ok || name == "" || strings.ContainsAny(name, " \t") {
			return nil, fmt.Errorf("COPILOT_PROVIDER_HEADERS, entry %d: not in the form \"Name: Value\"", len(m)+1)
		}
		put(&m, name, strings.TrimSpace(value))
	}
	return m, nil
}

// secret reports whether the provider holds what no other user may read. Headers
// may hold keys too.
func (p *Provider) secret() bool {
	return p != nil && (p.APIKey != "" || p.BearerToken != "" || len(p.Headers) > 0)
}
