package session

import (
	"context"
	"time"
)

// ContextReporter is a Session that reports how its model's context is filled
// (session.metadata.contextInfo and getContextAttribution).
type ContextReporter interface {
	// ContextUse is nil before the first turn.
	ContextUse(ctx context.Context) (*ContextUse, error)
}

// ContextUse is how a model's context is filled, in tokens.
type ContextUse struct {
	Model string `json:"modelName"`
	Limit int    `json:"limit"` // all the context holds
	Total int    `json:"totalTokens"`
	// Compaction is from where on it is summarised by itself; 0 if it is not.
	Compaction int           `json:"compactionThreshold"`
	Parts      []ContextPart `json:"-"`
}

// ContextPart is a part of the context. A part of a part comes after it with a
// larger Depth.
type ContextPart struct {
	Name   string
	Tokens int
	Depth  int
}

// UsageReporter is a Session that reports what it used so far
// (session.usage.getMetrics).
type UsageReporter interface {
	Usage(ctx context.Context) (Usage, error)
}

// Usage is what a session used so far.
type Usage struct {
	Requests       int // that the user's plan counts
	Cost           float64
	CostUnit       string // of Cost, such as "premium requests"; "" where there is no cost
	APITime        time.Duration
	Started        time.Time
	Added, Removed int // lines
	Files          []string
	Models         []ModelTotal
	Quotas         []Quota
}

// ModelTotal is what one model was used for.
type ModelTotal struct {
	Model    string
	Requests int
	Cost     float64
	Tokens   ModelUsage
}

// Quota is what the user's plan still gives.
type Quota struct {
	Name        string
	Used, Limit float64 // Limit 0 is without one
	Overage     float64 // used beyond the quota
	// Whether it can be used further, and beyond the quota, once it is exhausted;
	// nil if that is not known.
	UsageAllowed, OverageAllowed *bool
	Resets                       time.Time
}
