package copilot

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// models are the models of the runtime, and its modes.
type models struct{ *link }

// SetModel implements session.ModelSetter. During a turn the change comes when
// the turn ends. Without an effort the runtime keeps the session's, where the
// model has it.
func (ms models) SetModel(ctx context.Context, id, effort string) error {
	_, err := ms.switchTo(ctx, id, effort, "")
	return err
}

// switched is the result of session.model.switchTo.
type switched struct {
	Status   string `json:"status"`
	Deferred bool   `json:"deferred"` // to the end of the turn
	Warning  string `json:"warning"`
}

func (ms models) switchTo(ctx context.Context, id, effort, tier string) (done switched, err error) {
	p := object{"modelId": id}
	optional(p, "reasoningEffort", effort)
	optional(p, "autoTier", tier)
	err = ms.call(ctx, "session.model.switchTo", p, &done)
	if err == nil && done.Status == "cancelled" {
		err = errors.New("the runtime did not change it")
	}
	return done, attempt(err, "change the model to %s", id)
}

// SetMode implements session.ModeSetter.
func (ms models) SetMode(ctx context.Context, m session.Mode) error {
	err := confirm(ctx, ms, "session.mode.set", object{"mode": m}, "modeApplied", "the runtime did not change it")
	return attempt(err, "set the mode to %s", m)
}

// Models implements session.ModelSetter. With a provider of the user's own
// the runtime lists none; then it is the model in use.
func (ms models) Models(ctx context.Context) ([]session.Model, error) {
	list, err := ask[[]jsontext.Value](ctx, ms, "session.model.list", nil, "list")
	if err != nil {
		return nil, attempt(err, "list the models")
	}
	offered := readModels(list)
	if len(offered) == 0 {
		return ms.modelInUse(ctx)
	}
	if slices.ContainsFunc(offered, func(m model) bool { return m.Provider.Kind != "" }) {
		offered = ms.agent.enrich(ctx, offered)
	}
	models := make([]session.Model, 0, len(offered))
	for _, m := range offered {
		if m.PickerEnabled == nil || *m.PickerEnabled {
			models = append(models, m.model())
		}
	}
	return models, nil
}

func (ms models) modelInUse(ctx context.Context) ([]session.Model, error) {
	id, err := ask[string](ctx, ms, "session.model.getCurrent", nil, "modelId")
	if id == "" || err != nil {
		return nil, attempt(err, "list the models")
	}
	return []session.Model{{ID: id, Name: id}}, nil
}

// enrich adds what only the lists of the signed-in account hold: the choice
// that is called auto, the efforts of models that do not name them, and what
// prices are counted in. Where there is no such list, the models stay as they
// are.
func (a *Agent) enrich(ctx context.Context, models []model) []model {
	known := map[string]model{}
	account, _ := ask[[]jsontext.Value](ctx, a, "models.list", nil, "models")
	for _, m := range readModels(account) {
		known[m.ID] = m
	}
	type priced struct {
		ModelID string `json:"modelId"`
		Unit    string `json:"unit"`
	}
	var units []priced
	if slices.ContainsFunc(models, func(m model) bool { return m.Billing.TokenPrices != nil }) {
		units, _ = ask[[]priced](ctx, a, "models.listTokenPriceUnits", nil, "units")
	}
	unit := map[string]string{}
	for _, u := range units {
		unit[u.ModelID] = u.Unit
	}
	if auto, ok := known["auto"]; ok && !slices.ContainsFunc(models, func(m model) bool { return m.ID == "auto" }) {
		models = slices.Insert(models, 0, auto)
	}
	for i := range models {
		m := &models[i]
		if k := known[m.ID]; len(m.Efforts) == 0 {
			m.Efforts, m.DefaultEffort = k.Efforts, k.DefaultEffort
		}
		m.unit = unit[m.ID]
	}
	return models
}

// model is an entry of session.model.list or models.list. The former passes on
// what the model's provider says, with names in snake case, the latter has the
// form of the runtime's schema; both are read (see camelCase).
type model struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Vendor   string `json:"vendor"`
	Provider struct {
		Kind string `json:"kind"` // "" for a provider of the user's own
	} `json:"provider"`
	PickerEnabled *bool    `json:"modelPickerEnabled"`
	PriceCategory string   `json:"modelPickerPriceCategory"`
	Efforts       []string `json:"supportedReasoningEfforts"`
	DefaultEffort string   `json:"defaultReasoningEffort"`
	Capabilities  struct {
		Supports struct {
			Vision          bool           `json:"vision"`
			ReasoningEffort jsontext.Value `json:"reasoningEffort"` // the efforts, or whether there are any
		} `json:"supports"`
		Limits struct {
			ContextTokens int `json:"maxContextWindowTokens"`
			PromptTokens  int `json:"maxPromptTokens"`
			OutputTokens  int `json:"maxOutputTokens"`
		} `json:"limits"`
	} `json:"capabilities"`
	Billing struct {
		Multiplier      *float64     `json:"multiplier"`
		TokenPrices     *tokenPrices `json:"tokenPrices"`
		DiscountPercent float64      `json:"discountPercent"`
		Promo           struct {
			DiscountPercent float64 `json:"discountPercent"`
		} `json:"promo"`
	} `json:"billing"`
	WarningText struct {
		DataRetention string `json:"dataRetention"`
	} `json:"warningText"`
	Warnings []modelMessage `json:"warningMessages"`
	Notices  []modelMessage `json:"infoMessages"`
	Issues   []modelMessage `json:"issues"`
	Policy   struct {
		State string `json:"state"`
		Terms string `json:"terms"`
	} `json:"policy"`

	unit string // of the token prices
}

type modelMessage struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// tokenPrices are for a batch of tokens each.
type tokenPrices struct {
	BatchSize   float64      `json:"batchSize"`
	InputPrice  float64      `json:"inputPrice"`
	OutputPrice float64      `json:"outputPrice"`
	Default     *tokenPrices `json:"default"` // of the shorter context, where there are two
}

// readModels reads a list. Of an entry of another shape only the name counts,
// and one without that is left out.
func readModels(list []jsontext.Value) []model {
	models := make([]model, 0, len(list))
	for _, raw := range list {
		var loose any
		if session.Unmarshal(raw, &loose) != nil {
			continue
		}
		var m model
		tidy, err := json.Marshal(camelCase(loose))
		if err != nil || session.Unmarshal(tidy, &m) != nil {
			entry, _ := loose.(map[string]any)
			m = model{}
			m.ID, _ = entry["id"].(string)
			m.Name, _ = entry["name"].(string)
		}
		if m.ID == "" {
			continue
		}
		if efforts := []string(nil); len(m.Efforts) == 0 && session.Unmarshal(m.Capabilities.Supports.ReasoningEffort, &efforts) == nil {
			m.Efforts = efforts
		}
		models = append(models, m)
	}
	return models
}

// camelCase gives the members of JSON objects names in camel case. Where two
// then have the same one, the one that says more than yes or no stays.
func camelCase(v any) any {
	switch v := v.(type) {
	case map[string]any:
		named := make(map[string]any, len(v))
		for key, value := range v {
			words := strings.Split(key, "_")
			for i, w := range words[1:] {
				if w != "" {
					words[i+1] = strings.ToUpper(w[:1]) + w[1:]
				}
			}
			key = strings.Join(words, "")
			if _, yesNo := value.(bool); !yesNo || named[key] == nil {
				named[key] = camelCase(value)
			}
		}
		return named
	case []any:
		for i := range v {
			v[i] = camelCase(v[i])
		}
	}
	return v
}

// model is the entry as a picker shows it.
func (m model) model() session.Model {
	limits := m.Capabilities.Limits
	out := session.Model{
		ID: m.ID, Name: cmp.Or(m.Name, m.ID), Vendor: m.Vendor,
		Efforts: m.Efforts, ContextTokens: limits.ContextTokens, PromptTokens: limits.PromptTokens,
		OutputTokens: limits.OutputTokens, Vision: m.Capabilities.Supports.Vision,
		Price: m.price(), Warning: m.warning(), Disabled: m.disabled(),
	}
	if slices.Contains(m.Efforts, m.DefaultEffort) {
		out.DefaultEffort = m.DefaultEffort
	}
	return out
}

// price says what a model costs. What a provider of the user's own takes the
// runtime does not know: it says 0, which is not shown.
func (m model) price() string {
	if m.Provider.Kind == "" && m.ID != "auto" {
		return ""
	}
	var price string
	switch tokens := m.tokenPrice(); {
	case m.Billing.Multiplier != nil && *m.Billing.Multiplier > 0:
		price = number(*m.Billing.Multiplier) + "x"
	case tokens != "":
		price = tokens
	case m.Billing.Multiplier != nil:
		price = "free"
	case m.PriceCategory != "":
		price = strings.ReplaceAll(m.PriceCategory, "_", " ") + " cost"
	}
	if off := max(m.Billing.DiscountPercent, m.Billing.Promo.DiscountPercent); off > 0 {
		price = strings.TrimPrefix(price+", "+number(off)+"% off", ", ")
	}
	return price
}

// tokenPrice is the price of a million tokens; "" where it is not known, or
// not what it is counted in.
func (m model) tokenPrice() string {
	p := m.Billing.TokenPrices
	if p == nil {
		return ""
	}
	batch := p.BatchSize
	if p.Default != nil {
		p = p.Default
	}
	scale := map[string]float64{"ai_credits": 1, "nano_aiu": 1e-9}[m.unit]
	if scale == 0 || batch <= 0 || p.InputPrice <= 0 && p.OutputPrice <= 0 {
		return ""
	}
	scale *= 1e6 / batch
	return number(p.InputPrice*scale) + " in, " + number(p.OutputPrice*scale) + " out credits per 1M tokens"
}

// number writes up to two digits behind the point.
func number(f float64) string {
	return strings.TrimSuffix(strings.TrimRight(strconv.FormatFloat(f, 'f', 2, 64), "0"), ".")
}

// warning is all that the provider wants to be known before the choice.
func (m model) warning() string {
	texts := []string{m.WarningText.DataRetention}
	for _, w := range slices.Concat(m.Warnings, m.Notices) {
		texts = append(texts, w.Message)
	}
	return strings.Join(slices.DeleteFunc(texts, func(t string) bool { return t == "" }), " ")
}

// disabled says why a model cannot be chosen now.
func (m model) disabled() string {
	why := ""
	switch m.Policy.State {
	case "disabled":
		why = "switched off by a policy of the account"
	case "unconfigured":
		why = "not enabled for this account; it can be enabled in the Copilot settings on GitHub"
	}
	switch {
	case why != "" && m.Policy.Terms != "":
		return why + ": " + m.Policy.Terms
	case why == "" && len(m.Issues) > 0:
		i := max(0, slices.IndexFunc(m.Issues, func(i modelMessage) bool { return i.Message != "" }))
		return cmp.Or(m.Issues[i].Message, strings.ReplaceAll(m.Issues[i].Code, "_", " "))
	}
	return why
}
