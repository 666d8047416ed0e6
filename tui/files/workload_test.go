package files

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// tree makes the paths of a project of n files: folders some levels deep, names
// of one to three words, the common kinds of files. It is the same every time.
func tree(n int) []string {
	words := strings.Fields(`account action adapter agent api app archive asset auth base batch bench binding block board
		bridge buffer build bundle button cache card cart catalog chart check client cluster code codec collection command
		common component config connection console container context controller core counter cursor dashboard data database
		decoder default deploy device dialog diff document domain driver editor element email encoder engine entity entry error
		event example export factory feature feed field file filter flow form format frame gateway generator graph grid group
		handler header health helper history hook image import index input instance integration interface internal invoice item
		job kernel key label layout library line list loader locale lock logger login loop manager map mapper matrix menu
		message metric middleware migration mock model module monitor network node notice object option order output package
		page panel parser path payment peer permission picker pipeline plan player plugin policy pool port preview process
		product profile project protocol provider proxy public query queue reader record reducer registry release render
		report request resource response result review role route router rule runner runtime scheduler schema scope screen
		script search section selector server service session setting shared shell signal socket source spec stack state
		static status storage store stream string style subject support switch symbol sync system table target task template
		tenant terminal test theme thread timeline token tool topic trace tracker transfer tree trigger type update upload user
		util validator value vector vendor version video view wallet web widget window worker workspace wrapper writer zone`)
	kinds := strings.Fields("ts ts tsx tsx js go go py java rs md json yaml css test.ts spec.tsx _test.go png svg snap")
	roots := strings.Fields("src packages services apps libs tools docs test third_party")
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string { return words[int(float64(len(words))*r.Float64()*r.Float64())] }
	folders := append([]string{""}, roots...)
	paths := make([]string, 0, n)
	for len(paths) < n {
		if len(paths)%8 == 0 {
			parent := folders[r.IntN(len(folders))]
			if strings.Count(parent, "/") < 9 && parent != "" {
				folders = append(folders, parent+"/"+word())
			}
		}
		name := word()
		for range r.IntN(3) {
			if r.IntN(2) == 0 {
				name += "-" + word()
			} else {
				next := word()
				name += strings.ToUpper(next[:1]) + next[1:]
			}
		}
		kind := kinds[r.IntN(len(kinds))]
		if !strings.HasPrefix(kind, "_") {
			kind = "." + kind
		}
		folder := folders[r.IntN(len(folders))]
		paths = append(paths, strings.TrimPrefix(fmt.Sprintf("%s/%s%s", folder, name, kind), "/"))
	}
	return paths
}
