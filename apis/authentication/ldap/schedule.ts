import { setTimeout as sleep } from 'node:timers/promises';
import type { LdapProviders } from '../../../pkg/identity/ldap/provider.js';
import { nextTime } from '../../../pkg/identity/ldap/schedule.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { recordSync } from './record.js';
import { type SyncOptions, type SyncReport, syncLdap } from './sync.js';

export interface LdapScheduleOptions extends SyncOptions {
  readonly providers: LdapProviders;
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

/** Returns whether it need not be tried again. */
async function synchronize(options: LdapScheduleOptions, signal: AbortSignal): Promise<boolean> {
  const provider = options.providers();
  if (provider === undefined) return true;
  try {
    const isReady = provider.problem === undefined;
    const report = isReady ? await syncLdap(options, provider, signal) : nothingDone(provider.problem);
    // It is not whole if this server ends. The next one that is elected begins again.
    if (!signal.aborted) await recordSync(options.services, report);
    options.onDone(report);
    // Settings that do not suffice stay so until somebody changes them, and so do most errors of one person.
    return !isReady || report.problems.length === 0;
  } catch (error) {
    if (signal.aborted) return true;
    options.onError(error, 'the synchronization with LDAP failed, trying again');
    await recordSync(options.services, nothingDone(whyFailed(error))).catch(() => undefined);
    return false;
  }
}

const nothingDone = (problem: string): SyncReport => ({
  people: 0,
  disabled: [],
  enabled: [],
  kept: [],
  failed: [],
  problems: [problem],
});

function whyFailed(error: unknown): string {
  const why = error instanceof ApiError ? error.message : 'the log of the server has the reason';
  return `it stopped, and only the audit log has what it did until then: ${why}`;
}
