using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Clinic.Planning
{
    public enum Status
    {
        Proposed,
        Confirmed,
        Attended,
        Missed,
        Cancelled,
    }

    /// <summary>One visit of a patient.</summary>
    public sealed class Visit
    {
        public Guid Id { get; init; } = Guid.NewGuid();
        public string Patient { get; init; } = "";
        public string Room { get; set; } = "";
        public DateTime Start { get; set; }
        public TimeSpan Length { get; set; } = TimeSpan.FromMinutes(20);
        public Status Status { get; set; } = Status.Proposed;

        public DateTime End => Start + Length;
    }

    public sealed class Scheduler
    {
        private const int LongestDay = 10;
        private const int VisitsPerRoom = 24;
        private const int ReminderHours = 48;

        private readonly List<Visit> visits = new();
        private readonly IReadOnlyList<string> rooms;
        private readonly IMessages messages;
        // Guards the list of visits, and nothing else.
        private readonly SemaphoreSlim gate = new(1, 1);

        public event EventHandler<Visit>? Planned;
        public event EventHandler<Visit>? Moved;
        public event EventHandler<Visit>? Dropped;

        public Scheduler(IReadOnlyList<string> rooms, IMessages messages)
        {
            this.rooms = rooms;
            this.messages = messages;
        }

        public async Task<Visit?> PlanAsync(string patient, DateTime start, TimeSpan length, CancellationToken token)
        {
            await gate.WaitAsync(token);
            try
            {
                var room = rooms.FirstOrDefault(each => IsFree(each, start, start + length));
                if (room == null)
                {
                    return null;
                }
                var visit = new Visit { Patient = patient, Room = room, Start = start, Length = length };
                visits.Add(visit);
                Planned?.Invoke(this, visit);
                return visit;
            }
            finally
            {
                gate.Release();
            }
        }

        public async Task<bool> MoveAsync(Guid id, DateTime start, CancellationToken token)
        {
            await gate.WaitAsync(token);
            try
            {
                var visit = visits.Single(each => each.Id == id);
                // A visit never stands in its own way.
                if (!IsFree(visit.Room, start, start + visit.Length, visit))
                {
                    return false;
                }
                visit.Start = start;
                Moved?.Invoke(this, visit);
                return true;
            }
            finally
            {
                gate.Release();
            }
        }

        public void Drop(Guid id, string reason)
        {
            var visit = visits.Single(each => each.Id == id);
            visit.Status = Status.Cancelled;
            messages.Send(visit.Patient, $"Your visit is cancelled: {reason}");
            Dropped?.Invoke(this, visit);
        }

        public IEnumerable<Visit> On(DateTime day)
        {
            return visits
                .Where(visit => visit.Start.Date == day.Date)
                .Where(visit => visit.Status != Status.Cancelled)
                .OrderBy(visit => visit.Start);
        }

        public int Remind(DateTime now)
        {
            var due = visits.Where(visit => visit.Start - now < TimeSpan.FromHours(ReminderHours)).ToList();
            foreach (var visit in due)
            {
                messages.Send(visit.Patient, $"You are expected at {visit.Start:t} in room {visit.Room}.");
                visit.Status = Status.Confirmed;
            }
            return due.Count;
        }

        private bool IsFree(string room, DateTime start, DateTime end, Visit? except = null)
        {
            var others = visits.Where(visit => visit.Room == room && visit != except).ToList();
            if (others.Count >= VisitsPerRoom || end.Hour > LongestDay + 8)
            {
                return false;
            }
            return others.All(visit => visit.End <= start || visit.Start >= end);
        }
    }
}
