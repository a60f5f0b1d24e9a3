import { setTimeout as sleep } from 'node:timers/promises';
import type { LdapProviders } from '../../../pkg/identity/ldap/provider.js';
import { nextTime } from '../../../pkg/identity/ldap/schedule.js';
import type { IdentityServices } from '../services.js';
import type { SignOnAccounts } from '../signon/accounts.js';
import { type SyncReport, syncLdap } from './sync.js';

export interface LdapScheduleOptions {
  readonly providers: LdapProviders;
  readonly accounts: SignOnAccounts;
  readonly services: IdentityServices;
  readonly isElected: () => boolean;
  readonly onError: (error: unknown, what: string) => void;
  readonly onDone: (report: SyncReport) => void;
}

/** Milliseconds between looks at the clock. */
const LOOK = 1000;
/** Milliseconds for which a server remembers that it is time: the elected one may have ended in this moment. */
const REMEMBERED = 60_000;
/** Milliseconds until an incomplete synchronization is tried again. */
const AGAIN = 60_000;

/** Synchronizes with the directory by its schedule, while this server is elected. Returns a function that stops it. */
export function startLdapSchedule(options: LdapScheduleOptions): () => Promise<void> {
  const stop = new AbortController();
  const running = run(options, stop.signal);
  return async () => {
    stop.abort();
    await running;
  };
}

async function run(options: LdapScheduleOptions, signal: AbortSignal): Promise<void> {
  const { now } = options.services;
  let [schedule, next, due]: [string | undefined, number | undefined, number | undefined] = [
    undefined,
    undefined,
    undefined,
  ];
  while (!signal.aborted) {
    const provider = options.providers();
    if (provider?.schedule !== schedule) {
      schedule = provider?.schedule;
      next = schedule === undefined ? undefined : nextTime(schedule, now());
      due = undefined;
    }
    if (schedule !== undefined && next !== undefined && now() >= next) [due, next] = [now(), nextTime(schedule, now())];
    if (due !== undefined && now() > due + REMEMBERED) due = undefined;
    if (due !== undefined && options.isElected()) {
      due = undefined;
      const isWhole = await synchronize(options, signal);
      if (!isWhole) next = Math.min(next ?? Number.POSITIVE_INFINITY, now() + AGAIN);
    }
    await sleep(LOOK, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** Returns whether all directories answered. */
async function synchronize(options: LdapScheduleOptions, signal: AbortSignal): Promise<boolean> {
  const provider = options.providers();
  if (provider === undefined || provider.problem !== undefined) return true;
  try {
    const report = await syncLdap(options, provider, signal);
    options.onDone(report);
    return report.problems.length === 0;
  } catch (error) {
    if (!signal.aborted) options.onError(error, 'the synchronization with LDAP failed, trying again');
    return false;
  }
}
