package closures

import (
	"context"
	"sync"
)

type Number interface {
	~int | ~int64 |
		~float64
}

// Map applies f to each — 設定 🎉.
func Map[T any, U Number](items []T, f func(T) U) (out []U, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	for i, item := range items {
		out = append(out, f(item))
		_ = i
	}
	return
}

type Pool[T any] struct {
	mu    sync.Mutex
	tasks chan func() T
	sync.WaitGroup
}

func (p *Pool[T]) Run(ctx context.Context, workers int) <-chan T {
	results := make(chan T)
outer:
	for n := 0; n < workers; n++ {
		go func(n int) {
			for {
				select {
				case <-ctx.Done():
					return
				case task, ok := <-p.tasks:
					if !ok {
						return
					} else if n%2 == 0 {
						results <- task()
					} else {
						p.mu.Lock(); results <- task(); p.mu.Unlock()
					}
				default:
					// nothing to do
				}
			}
		}(n)
		switch x := any(n).(type) {
		case int, int64:
			continue outer
		case nil:
			break outer
		default:
			goto done
			_ = x
		}
	}
done:
	return results
}

var table = map[string]struct{ a, b int }{
	"one": {1, 2},
	"two": {a: 3, b: 4},
}

func init() { _ = table["é😀"] }
