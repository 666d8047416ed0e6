package render

type htmlPage struct{ markdownPage }
