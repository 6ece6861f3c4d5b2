import { EventEmitter } from 'node:events';
import {
  Account,
  AccountKind,
  Entry,
  EntryDraft,
  Period,
} from './types';
import { assertBalanced, closingDate, formatAmount, openingDate } from './rules';

export const LIMITS = {
  entriesPerPage: 50,
  longestMemo: 200,
  largestAmount: 1_000_000,
  oldestPeriod: 24,
};

export interface StoreOptions {
  currency: string;
  readOnly?: boolean;
  /** How many periods are kept open. */
  openPeriods?: number;
}

export type Listener = (entry: Entry, account: Account) => void;

/** The entries of a ledger, by account. */
export class LedgerStore extends EventEmitter {
  private readonly accounts = new Map<string, Account>();
  private readonly entries: Entry[] = [];
  private dirty = false;

  constructor(private readonly options: StoreOptions) {
    super();
    this.setMaxListeners(LIMITS.entriesPerPage);
  }

  open(id: string, kind: AccountKind, name: string): Account {
    if (this.accounts.has(id)) {
      throw new Error(`account ${id} is open already`);
    }
    const account: Account = { id, kind, name, balance: 0, closed: false };
    this.accounts.set(id, account);
    this.emit('opened', account);
    return account;
  }

  close(id: string): void {
    const account = this.find(id);
    if (account.balance !== 0) {
      throw new Error(`account ${id} is not empty`);
    }
    account.closed = true;
    this.emit('closed', account);
  }

  find(id: string): Account {
    const account = this.accounts.get(id);
    if (account === undefined) {
      throw new Error(`no account ${id}`);
    }
    return account;
  }

  post(draft: EntryDraft): Entry {
    if (this.options.readOnly) {
      throw new Error('the ledger is read-only');
    }
    assertBalanced(draft);
    // Numbers have no gaps: auditors ask for the missing ones.
    const entry: Entry = { ...draft, number: this.entries.length + 1 };
    for (const line of entry.lines) {
      const account = this.find(line.account);
      account.balance += line.amount;
      this.emit('posted', entry, account);
    }
    this.entries.push(entry);
    this.dirty = true;
    return entry;
  }

  reverse(number: number, memo: string): Entry {
    const entry = this.entries[number - 1];
    const lines = entry.lines.map((line) => ({ account: line.account, amount: -line.amount }));
    return this.post({ date: entry.date, memo: memo.slice(0, LIMITS.longestMemo), lines });
  }

  async flush(write: (text: string) => Promise<void>): Promise<boolean> {
    if (!this.dirty) {
      return false;
    }
    const text = JSON.stringify({ accounts: [...this.accounts.values()], entries: this.entries });
    await write(text);
    // Only what was written is clean.
    this.dirty = false;
    return true;
  }

  statement(id: string, period: Period): string[] {
    const from = openingDate(period);
    const to = closingDate(period);
    return this.entries
      .filter((entry) => entry.date >= from && entry.date <= to)
      .flatMap((entry) => entry.lines.filter((line) => line.account === id))
      .map((line) => formatAmount(line.amount, this.options.currency));
  }
}

export function isDebit(kind: AccountKind): boolean {
  return kind === 'asset' || kind === 'expense';
}

export function isCredit(kind: AccountKind): boolean {
  return kind === 'liability' || kind === 'income';
}

export function merge(stores: LedgerStore[], options: StoreOptions, listener?: Listener): LedgerStore {
  const merged = new LedgerStore({ ...options, openPeriods: options.openPeriods ?? 2 });
  if (listener) {
    merged.on('posted', listener);
  }
  return merged;
}
