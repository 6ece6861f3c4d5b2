// Package queue runs jobs one after another, and tries again what failed.
package queue

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"
)

const (
	defaultWorkers  = 4
	defaultAttempts = 3
	defaultBackoff  = 200 * time.Millisecond
	longestBackoff  = 30 * time.Second
)

// ErrClosed is returned for a job that comes too late.
var ErrClosed = errors.New("queue: closed")

// Job is one piece of work.
type Job struct {
	ID       string
	Name     string
	Payload  []byte
	Attempts int
	// RunAfter is zero for a job that may run at once.
	RunAfter time.Time
}

// Handler does the work of one kind of job.
type Handler func(ctx context.Context, job *Job) error

// Queue holds jobs until a worker is free.
type Queue struct {
	mu       sync.Mutex
	jobs     []*Job
	handlers map[string]Handler
	workers  int
	closed   bool
	done     chan struct{}
}

// New returns a queue with so many workers.
func New(workers int) *Queue {
	if workers <= 0 {
		workers = defaultWorkers
	}
	return &Queue{workers: workers, handlers: map[string]Handler{}, done: make(chan struct{})}
}

// Handle registers the handler of a kind of job.
func (q *Queue) Handle(name string, handler Handler) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.handlers[name] = handler
}

// Push adds a job at the end.
func (q *Queue) Push(job *Job) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.closed {
		return ErrClosed
	}
	q.jobs = append(q.jobs, job)
	return nil
}

// Pop removes the first job that may run now.
func (q *Queue) Pop(now time.Time) *Job {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i, job := range q.jobs {
		// Jobs that wait keep their place in the line.
		if job.RunAfter.After(now) {
			continue
		}
		q.jobs = append(q.jobs[:i], q.jobs[i+1:]...)
		return job
	}
	return nil
}

// Run works until the context is done.
func (q *Queue) Run(ctx context.Context) {
	var group sync.WaitGroup
	for n := 0; n < q.workers; n++ {
		group.Add(1)
		go func(worker int) {
			defer group.Done()
			q.work(ctx, worker)
		}(n)
	}
	group.Wait()
	close(q.done)
}

func (q *Queue) work(ctx context.Context, worker int) {
	for ctx.Err() == nil {
		job := q.Pop(time.Now())
		if job == nil {
			time.Sleep(defaultBackoff)
			continue
		}
		if err := q.try(ctx, job); err != nil {
			log.Printf("worker %d: job %s: %v", worker, job.ID, err)
			q.retry(job, err)
		}
	}
}

func (q *Queue) try(ctx context.Context, job *Job) (err error) {
	handler, ok := q.handlers[job.Name]
	if !ok {
		return fmt.Errorf("no handler for %q", job.Name)
	}
	defer func() {
		// A handler that panics has failed, and nothing else has.
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	return handler(ctx, job)
}

func (q *Queue) retry(job *Job, cause error) {
	job.Attempts++
	if job.Attempts >= defaultAttempts {
		log.Printf("job %s: given up after %d attempts: %v", job.ID, job.Attempts, cause)
		return
	}
	wait := defaultBackoff << job.Attempts
	if wait > longestBackoff {
		wait = longestBackoff
	}
	job.RunAfter = time.Now().Add(wait)
	_ = q.Push(job)
}
