//! A cache that forgets what was not used for the longest time.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::{self, Display};
use std::hash::Hash;
use std::time::{Duration, Instant};

const DEFAULT_CAPACITY: usize = 1024;
const SMALLEST_CAPACITY: usize = 8;
const DEFAULT_TTL: Duration = Duration::from_secs(300);

/// Why an entry left the cache.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Removal {
    Expired,
    Evicted,
    Replaced,
    Taken,
}

#[derive(Debug)]
pub enum CacheError {
    TooLarge(usize),
    Poisoned(String),
    Closed,
}

impl Display for CacheError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CacheError::TooLarge(size) => write!(f, "{size} bytes do not fit"),
            CacheError::Poisoned(key) => write!(f, "the entry {key} is poisoned"),
            CacheError::Closed => write!(f, "the cache is closed"),
        }
    }
}

struct Entry<V> {
    value: V,
    size: usize,
    used: Instant,
    // Never looked at while the cache has no limit of time.
    expires: Option<Instant>,
}

/// Values by key, the least recently used ones leaving first.
pub struct Cache<K, V> {
    entries: HashMap<K, Entry<V>>,
    order: VecDeque<K>,
    capacity: usize,
    ttl: Option<Duration>,
    hits: u64,
    misses: u64,
}

impl<K: Hash + Eq + Clone, V> Cache<K, V> {
    pub fn new(capacity: usize) -> Self {
        Cache {
            entries: HashMap::new(),
            order: VecDeque::new(),
            capacity: capacity.max(SMALLEST_CAPACITY),
            ttl: Some(DEFAULT_TTL),
            hits: 0,
            misses: 0,
        }
    }

    pub fn get(&mut self, key: &K) -> Option<&V> {
        let now = Instant::now();
        if self.is_expired(key, now) {
            self.remove(key, Removal::Expired);
        }
        match self.entries.get_mut(key) {
            Some(entry) => {
                self.hits += 1;
                entry.used = now;
                Some(&entry.value)
            }
            None => {
                self.misses += 1;
                None
            }
        }
    }

    pub fn put(&mut self, key: K, value: V, size: usize) -> Result<(), CacheError> {
        if size > self.capacity {
            return Err(CacheError::TooLarge(size));
        }
        // Make room first: what is new is never the one that goes.
        while self.weight() + size > self.capacity {
            self.evict();
        }
        let now = Instant::now();
        let expires = self.ttl.map(|ttl| now + ttl);
        self.order.push_back(key.clone());
        self.entries.insert(key, Entry { value, size, used: now, expires });
        Ok(())
    }

    pub fn remove(&mut self, key: &K, why: Removal) -> Option<V> {
        let entry = self.entries.remove(key)?;
        self.order.retain(|other| other != key);
        self.note(why, entry.size);
        Some(entry.value)
    }

    fn evict(&mut self) {
        if let Some(key) = self.order.pop_front() {
            self.remove(&key, Removal::Evicted);
        }
    }

    fn is_expired(&self, key: &K, now: Instant) -> bool {
        self.entries.get(key).and_then(|entry| entry.expires).is_some_and(|at| at <= now)
    }

    fn weight(&self) -> usize {
        self.entries.values().map(|entry| entry.size).sum()
    }

    fn note(&self, why: Removal, size: usize) {
        log::debug!("removed {} bytes: {:?}", size, why);
    }
}

pub fn keys_by_size<K: Ord + Clone, V>(cache: &Cache<K, V>, most: usize) -> BTreeMap<usize, HashSet<K>>
where
    K: Hash,
{
    let mut found: BTreeMap<usize, HashSet<K>> = BTreeMap::new();
    for (key, entry) in cache.entries.iter().take(most.min(DEFAULT_CAPACITY)) {
        found.entry(entry.size).or_default().insert(key.clone());
    }
    found
}
