package acp

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"parley/session"
)

// settings are what the agent lets a user choose in a session. Modes and models come apart
// where the agent has no options for them.
type settings struct {
	options       []configOption
	modes, models choices
}

// choices are values, of which one is current.
type choices struct {
	current string
	all     []session.OptionValue
}

// configOption is a setting of a session. Current is a text, or true or false where Type is boolean.
type configOption struct {
	ID          string         `json:"id"`
	Type        string         `json:"type"`
	Name        string         `json:"name"`
	Description string         `json:"description"`
	Category    string         `json:"category"`
	Current     jsontext.Value `json:"currentValue"`
	Values      []configValue  `json:"options"`
}

// configValue is a value of an option, or a group of values.
type configValue struct {
	Value       string        `json:"value"`
	Name        string        `json:"name"`
	Description string        `json:"description"`
	Group       []configValue `json:"options"`
}

// settingsOf are those that a session begins with.
func settingsOf(o opened) settings {
	s := settings{options: o.Options, modes: choices{current: o.Modes.Current}, models: choices{current: o.Models.Current}}
	for _, m := range o.Modes.Available {
		s.modes.all = append(s.modes.all, session.OptionValue{ID: m.ID, Name: m.Name, Description: m.Description})
	}
	for _, m := range o.Models.Available {
		s.models.all = append(s.models.all, session.OptionValue{ID: m.ModelID, Name: m.Name, Description: m.Description})
	}
	return s
}

// list are all of them, for the agent that a program is.
func (s settings) list(agent program) []session.Option {
	var all []session.Option
	for _, o := range s.options {
		all = append(all, session.Option{
			ID: o.ID, Name: o.Name, Description: o.Description, Category: o.Category, Value: o.value(), Values: o.values(),
		})
	}
	for category, apart := range map[string]choices{session.OptionMode: s.modes, session.OptionModel: s.models} {
		if _, is := session.OptionOf(all, category); !is && len(apart.all) > 0 {
			all = append(all, session.Option{
				ID: category, Name: titles[category], Category: category, Value: apart.current, Values: slices.Clone(apart.all),
			})
		}
	}
	for i := range all {
		for j := range all[i].Values {
			v := &all[i].Values[j]
			v.Unasked = all[i].Category == session.OptionMode && neverAsks(agent, v.ID) ||
				all[i].Category == optionPermissions && (v.ID == allowsAll || v.ID == "true")
		}
	}
	slices.SortStableFunc(all, func(a, b session.Option) int { return rank(a.Category) - rank(b.Category) })
	return all
}

// modeName is a mode as it is shown: by its name where it has one, since an id may be an address.
func (s settings) modeName(id string) session.Mode {
	values := s.modes.all
	for _, o := range s.options {
		if o.Category == session.OptionMode {
			values = append(slices.Clone(values), flat(o.Values)...)
		}
	}
	for _, v := range values {
		if v.ID == id && v.Name != "" {
			return session.Mode(strings.ToLower(v.Name))
		}
	}
	return session.Mode(id)
}

// shownMode is the mode of the session as it is shown. The caller holds Mu.
func (s *Session) shownMode() session.Mode {
	return cmp.Or(s.settings.modeName(s.mode), session.Interactive)
}

// optionPermissions is the category of an option of the Copilot CLI that, when it is
// allowsAll, permits everything.
const (
	optionPermissions = "permissions"
	allowsAll         = "on"
)

// titles name what has no option of its own.
var titles = map[string]string{session.OptionMode: "Mode", session.OptionModel: "Model"}

// rank is where a category stands in a list: the best known ones first.
func rank(category string) int {
	known := []string{session.OptionMode, session.OptionModel, session.OptionEffort}
	if i := slices.Index(known, category); i >= 0 {
		return i
	}
	return len(known)
}

// boolean is the type of an option that is on or off.
const boolean = "boolean"

// values are those that the option can have.
func (o configOption) values() []session.OptionValue {
	if o.Type == boolean {
		return []session.OptionValue{{ID: "true", Name: "on"}, {ID: "false", Name: "off"}}
	}
	return flat(o.Values)
}

// flat are the values without their groups.
func flat(values []configValue) []session.OptionValue {
	var out []session.OptionValue
	for _, v := range values {
		if len(v.Group) > 0 {
			out = append(out, flat(v.Group)...)
			continue
		}
		out = append(out, session.OptionValue{ID: v.Value, Name: v.Name, Description: v.Description})
	}
	return out
}

// value is the current value as a text.
func (o configOption) value() string {
	var text string
	if session.Unmarshal(o.Current, &text) != nil {
		return string(o.Current)
	}
	return text
}

// optionValue is the current value of the option of a category; "" without one.
func optionValue(options []configOption, category string) string {
	for _, o := range options {
		if o.Category == category && o.Current.Kind() == jsontext.KindString {
			return o.value()
		}
	}
	return ""
}

// configure takes the options as they are now; all of them come each time.
func (s *Session) configure(options []configOption) {
	if options == nil {
		return
	}
	s.Mu.Lock()
	s.settings.options = options
	s.Mu.Unlock()
	s.inMode(optionValue(options, session.OptionMode))
}

// Options implements session.OptionSetter.
func (s *Session) Options(context.Context) ([]session.Option, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.link == nil {
		return nil, nil
	}
	return s.settings.list(s.link.info.Agent), nil
}

// SetOption implements session.OptionSetter. What the agent answers, and not what was asked
// for, holds from then on.
func (s *Session) SetOption(ctx context.Context, id, value string) error {
	options, err := s.Options(ctx)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(options, func(o session.Option) bool { return o.ID == id })
	if i < 0 {
		return fmt.Errorf("%s has no option %q", s.agent.cfg.Name, id)
	}
	s.Mu.Lock()
	at := slices.IndexFunc(s.settings.options, func(o configOption) bool { return o.ID == id })
	typed := at >= 0 && s.settings.options[at].Type == boolean
	s.Mu.Unlock()
	switch {
	case typed:
		err = s.setConfigOption(ctx, configChange{ConfigID: id, Type: boolean, Value: value == "true"})
	case at >= 0:
		err = s.setConfigOption(ctx, configChange{ConfigID: id, Value: value})
	case options[i].Category == session.OptionMode:
		err = s.setMode(ctx, value)
	default:
		err = s.setModelApart(ctx, value)
	}
	if err != nil {
		return fmt.Errorf("set %s: %w", options[i].Name, err)
	}
	return nil
}

// configChange sets an option.
type configChange struct {
	SessionID string `json:"sessionId"`
	ConfigID  string `json:"configId"`
	Type      string `json:"type,omitzero"` // boolean, or of a text nothing
	Value     any    `json:"value"`
}

func (s *Session) setConfigOption(ctx context.Context, p configChange) error {
	p.SessionID = s.wire
	var now struct {
		Options []configOption `json:"configOptions"`
	}
	if err := s.link.call(ctx, "session/set_config_option", p, &now); err != nil {
		return err
	}
	s.configured(now.Options)
	return nil
}

// configured takes options that the agent has sent, and reports what follows from them.
func (s *Session) configured(options []configOption) {
	s.configure(options)
	s.talking.Lock()
	defer s.talking.Unlock()
	s.Log.Put(s.talk.options(options)...)
}

// setMode sets the mode. One that the agent itself has reported meanwhile holds: its answer does not say
// which one that is.
func (s *Session) setMode(ctx context.Context, mode string) error {
	s.Mu.Lock()
	before := s.mode
	s.Mu.Unlock()
	if err := s.requestMode(ctx, mode); err != nil {
		return err
	}
	s.Mu.Lock()
	reported := s.mode != before
	s.Mu.Unlock()
	if !reported {
		s.inMode(mode)
	}
	return nil
}

func (s *Session) requestMode(ctx context.Context, mode string) error {
	p := struct {
		SessionID string `json:"sessionId"`
		ModeID    string `json:"modeId"`
	}{s.wire, mode}
	return s.link.call(ctx, "session/set_mode", p, &struct{}{})
}

// setModelApart sets the model of an agent that has no option for it.
func (s *Session) setModelApart(ctx context.Context, model string) error {
	p := struct {
		SessionID string `json:"sessionId"`
		ModelID   string `json:"modelId"`
	}{s.wire, model}
	if err := s.link.call(ctx, "session/set_model", p, &struct{}{}); err != nil {
		return err
	}
	s.Mu.Lock()
	before := s.settings.models.current
	s.settings.models.current = model
	s.Mu.Unlock()
	s.talking.Lock()
	defer s.talking.Unlock()
	s.talk.model = model
	s.Log.Put(session.SessionModelChange{NewModel: model, PreviousModel: before})
	return nil
}

// Models implements session.ModelSetter. The efforts are those of the current model, as far as
// the agent says.
func (s *Session) Models(ctx context.Context) ([]session.Model, error) {
	options, err := s.Options(ctx)
	if err != nil {
		return nil, err
	}
	of, _ := session.OptionOf(options, session.OptionModel)
	effort, _ := session.OptionOf(options, session.OptionEffort)
	models := make([]session.Model, len(of.Values))
	for i, v := range of.Values {
		models[i] = session.Model{ID: v.ID, Name: v.Name}
		if v.ID == of.Value {
			for _, e := range effort.Values {
				models[i].Efforts = append(models[i].Efforts, e.ID)
			}
		}
	}
	return models, nil
}

// SetModel implements session.ModelSetter.
func (s *Session) SetModel(ctx context.Context, id, effort string) error {
	options, err := s.Options(ctx)
	if err != nil {
		return err
	}
	of, ok := session.OptionOf(options, session.OptionModel)
	if !ok {
		return fmt.Errorf("%s does not let its model be changed here", s.agent.cfg.Name)
	}
	if of.Value != id {
		if err := s.SetOption(ctx, of.ID, id); err != nil {
			return err
		}
	}
	if effort == "" {
		return nil
	}
	if options, err = s.Options(ctx); err != nil { // another model has others
		return err
	}
	how, ok := session.OptionOf(options, session.OptionEffort)
	if !ok {
		return fmt.Errorf("%s has one reasoning effort only", id)
	}
	return s.SetOption(ctx, how.ID, effort)
}
