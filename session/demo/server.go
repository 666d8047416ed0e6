package demo

import (
	"context"
	"fmt"
	"slices"

	"parley/session"
)

// The states of an MCP server (docs/protocol.md, section 8.6).
const (
	connected = "connected"
	needsAuth = "needs-auth"
	failed    = "failed"
	disabled  = "disabled"
	pending   = "pending"
)

// The servers, of which only the first can be used at first.
const (
	demoServer    = "demo-notes"
	ticketServer  = "demo-tickets"
	weatherServer = "demo-weather"
)

// servers are the MCP servers that the demo pretends to have.
func servers() []session.McpServer {
	return []session.McpServer{
		{Name: demoServer, Status: connected, Source: "user"},
		{Name: ticketServer, Status: needsAuth, Source: "project"},
		{Name: weatherServer, Status: failed, Source: "user", Error: "Pretended: the server ended with exit code 1."},
	}
}

// McpServers implements session.McpManager.
func (s *Session) McpServers(context.Context) ([]session.McpServer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.servers), nil
}

// server is the server of that name. The caller holds mu.
func (s *Session) server(name string) (*session.McpServer, error) {
	i := slices.IndexFunc(s.servers, func(m session.McpServer) bool { return m.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("MCP server %q: %w", name, errNone)
	}
	return &s.servers[i], nil
}

// McpTools implements session.McpManager.
func (s *Session) McpTools(_ context.Context, name string) ([]session.McpTool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	m, err := s.server(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("list the tools: %w", err)
	case m.Status != connected:
		return nil, fmt.Errorf("list the tools: MCP server %q is %s", name, m.Status)
	case name == weatherServer:
		return []session.McpTool{{Name: "forecast", Description: "Says that it is sunny in every demo"}}, nil
	}
	return []session.McpTool{
		{Name: "add_note", Description: "Writes a note"},
		{Name: "describe_note", Description: "Asks for the details of a note"},
		{Name: "index_files", Description: "Indexes a folder, and tells how far it is"},
		{Name: "list_notes", Description: "Lists the notes"},
		{Name: "show_page", Description: "Asks to open a page"},
	}, nil
}

// EnableMcp implements session.McpManager.
func (s *Session) EnableMcp(_ context.Context, name string, on bool) error {
	return s.change("switch an MCP server", func() error {
		m, err := s.server(name)
		switch {
		case err != nil:
			return err
		case on == (m.Status != disabled):
			return nil
		case on:
			s.connect(m)
			return nil
		}
		s.serverStatus(m, disabled)
		return nil
	})
}

// RestartMcp implements session.McpManager. It helps the server that has failed.
func (s *Session) RestartMcp(_ context.Context, name string) error {
	return s.change("restart an MCP server", func() error {
		m, err := s.server(name)
		switch {
		case err != nil:
			return err
		case m.Status == disabled:
			return fmt.Errorf("MCP server %q is switched off", name)
		}
		s.connect(m)
		return nil
	})
}

// connect starts a server.
func (s *Session) connect(m *session.McpServer) {
	s.serverStatus(m, pending)
	if m.Name == ticketServer {
		s.serverStatus(m, needsAuth)
		return
	}
	s.serverStatus(m, connected)
}

func (s *Session) serverStatus(m *session.McpServer, status string) {
	m.Status, m.Error = status, ""
	s.out.put(session.SessionMcpServerStatusChanged{ServerName: m.Name, Status: status, ConfigSource: m.Source})
}
