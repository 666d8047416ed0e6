package session

import "github.com/go-json-experiment/json/jsontext"

// SessionModeChanged says how much the agent does by itself from now on.
type SessionModeChanged struct {
	body
	PreviousMode Mode `json:"previousMode"`
	NewMode      Mode `json:"newMode"`
}

// SessionModeNoticeDelivered says that the model was informed of the mode.
type SessionModeNoticeDelivered struct {
	body
	Mode    Mode   `json:"mode"`
	Content string `json:"content,omitzero"`
}

// SessionModelChange says which model answers from now on. With an Event.Agent
// it is the model of that sub-agent alone.
type SessionModelChange struct {
	body
	NewModel                string `json:"newModel"`
	PreviousModel           string `json:"previousModel,omitzero"`
	ProviderID              string `json:"providerId,omitzero"`
	ReasoningEffort         string `json:"reasoningEffort,omitzero"`
	PreviousReasoningEffort string `json:"previousReasoningEffort,omitzero"`
	Source                  string `json:"source,omitzero"` // sdk, agent, model_picker, automatic, ...
}

// SessionModelDeselected says that the model is no longer offered.
type SessionModelDeselected struct {
	body
	PreviousModel string `json:"previousModel"`
}

// SessionAutoModeResolved says which model the automatic choice fell on.
type SessionAutoModeResolved struct {
	body
	ChosenModel string `json:"chosenModel"`
}

// SessionAutoTierSwitchFailed says that the preference of the automatic choice
// stays what it was. Ephemeral.
type SessionAutoTierSwitchFailed struct {
	body
	EffectiveAutoTier string `json:"effectiveAutoTier,omitzero"`
	RequestedAutoTier string `json:"requestedAutoTier,omitzero"`
	Reason            string `json:"reason"` // policy_rejected, request_failed, setup_failed or unsupported
}

// PermissionMode is who decides about permissions.
type PermissionMode string

// The permission modes of the runtime.
const (
	Manual   PermissionMode = "manual"    // a user
	Assisted PermissionMode = "assisted"  // a model recommends
	AllowAll PermissionMode = "allow-all" // the user is not asked
)

// SessionPermissionsChanged says who decides about permissions from now on.
// Stored logs use the AllowAll fields where the wire has modes; Modes reads
// both.
type SessionPermissionsChanged struct {
	body
	PreviousMode PermissionMode `json:"previousMode,omitzero"`
	Mode         PermissionMode `json:"mode,omitzero"`

	AllowAllPermissions             *bool  `json:"allowAllPermissions,omitzero"`
	PreviousAllowAllPermissions     *bool  `json:"previousAllowAllPermissions,omitzero"`
	AllowAllPermissionMode          string `json:"allowAllPermissionMode,omitzero"` // on or off
	PreviousAllowAllPermissionMode  string `json:"previousAllowAllPermissionMode,omitzero"`
	AllowAllPermissionsMode         string `json:"allowAllPermissionsMode,omitzero"` // on or off
	PreviousAllowAllPermissionsMode string `json:"previousAllowAllPermissionsMode,omitzero"`
}

// Modes returns the mode before and after the change, whichever form the event
// has. A missing mode is Manual.
func (c SessionPermissionsChanged) Modes() (previous, now PermissionMode) {
	return permissionMode(c.PreviousMode, c.PreviousAllowAllPermissions,
			c.PreviousAllowAllPermissionMode, c.PreviousAllowAllPermissionsMode),
		permissionMode(c.Mode, c.AllowAllPermissions, c.AllowAllPermissionMode, c.AllowAllPermissionsMode)
}

func permissionMode(wire PermissionMode, all *bool, stored ...string) PermissionMode {
	if wire != "" {
		return wire
	}
	if all != nil && *all {
		return AllowAll
	}
	for _, s := range stored {
		switch s {
		case "on":
			return AllowAll
		case "", "off":
		default:
			return PermissionMode(s)
		}
	}
	return Manual
}

// SessionSessionLimitsChanged says how much the session may spend; null is no
// limit.
type SessionSessionLimitsChanged struct {
	body
	SessionLimits jsontext.Value `json:"sessionLimits"`
}

// SessionPlanChanged says that the plan file was written or removed.
type SessionPlanChanged struct {
	body
	Operation string `json:"operation"` // create, update or delete
}

// SessionWorkspaceFileChanged says that a file of the session's own workspace
// was written.
type SessionWorkspaceFileChanged struct {
	body
	Path      string `json:"path"`
	Operation string `json:"operation"` // create or update
}

// SessionScheduleCreated says that a prompt will be sent at a time or again
// and again.
type SessionScheduleCreated struct {
	body
	ID            int     `json:"id"`
	IntervalMs    float64 `json:"intervalMs,omitzero"`
	Cron          string  `json:"cron,omitzero"`
	At            int64   `json:"at,omitzero"` // Unix milliseconds
	Prompt        string  `json:"prompt"`
	DisplayPrompt string  `json:"displayPrompt,omitzero"`
	SelfPaced     bool    `json:"selfPaced,omitzero"`
}

// SessionScheduleCancelled says that a schedule has ended.
type SessionScheduleCancelled struct {
	body
	ID int `json:"id"`
}

// SessionScheduleRearmed says when a schedule runs next.
type SessionScheduleRearmed struct {
	body
	ID        int   `json:"id"`
	NextRunAt int64 `json:"nextRunAt"` // Unix milliseconds
}

var settingCodecs = []codec{
	of[SessionModeChanged]("session.mode_changed"),
	of[SessionModeNoticeDelivered]("session.mode_notice_delivered"),
	of[SessionModelChange]("session.model_change"),
	of[SessionModelDeselected]("session.model_deselected"),
	of[SessionAutoModeResolved]("session.auto_mode_resolved"),
	of[SessionAutoTierSwitchFailed]("session.auto_tier_switch_failed"),
	of[SessionPermissionsChanged]("session.permissions_changed"),
	of[SessionSessionLimitsChanged]("session.session_limits_changed"),
	of[SessionPlanChanged]("session.plan_changed"),
	of[SessionWorkspaceFileChanged]("session.workspace_file_changed"),
	of[SessionScheduleCreated]("session.schedule_created"),
	of[SessionScheduleCancelled]("session.schedule_cancelled"),
	of[SessionScheduleRearmed]("session.schedule_rearmed"),
}
