// Package lru holds what may be made again, as much of it as is allowed.
package lru

import "iter"

// Cache is a cache of bounded weight in two generations: when the young one
// is half full it becomes the old one, and what was not asked for since then is
// dropped with the one before. It needs no order of use and no list. Only Limit must
// be set. It is for one goroutine.
type Cache[K comparable, V any] struct {
	Limit      int // the most weight it holds
	held       int // weight of young
	young, old map[K]weighed[V]
}

type weighed[V any] struct {
	value  V
	weight int
}

// Get returns the value of a key, if it is still held.
func (g *Cache[K, V]) Get(k K) (V, bool) {
	if w, ok := g.young[k]; ok {
		return w.value, true
	}
	w, ok := g.old[k]
	if ok {
		g.Put(k, w.value, w.weight)
	}
	return w.value, ok
}

// Put adds a value, or replaces that of its key. A value heavier than the cache is
// held until the next one.
func (g *Cache[K, V]) Put(k K, v V, weight int) {
	if g.young == nil || g.held > 0 && g.held+weight > g.Limit/2 {
		g.old, g.young, g.held = g.young, map[K]weighed[V]{}, 0
	}
	g.held += weight - g.young[k].weight
	g.young[k] = weighed[V]{v, weight}
	delete(g.old, k)
}

// Values returns what is held, in any order.
func (g *Cache[K, V]) Values() iter.Seq[V] {
	return func(yield func(V) bool) {
		for _, m := range []map[K]weighed[V]{g.young, g.old} {
			for _, w := range m {
				if !yield(w.value) {
					return
				}
			}
		}
	}
}
