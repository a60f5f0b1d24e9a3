import { Client } from '../../../registry/client/client.js';
import type { SyncRecordSpec } from '../../internal/syncrecord/schema.js';
import { SYSTEM_USER } from '../bootstrap.js';
import { type IdentityServices, isoTime } from '../services.js';
import { LDAP } from './passwords.js';
import type { SyncReport } from './sync.js';

const MOST_PROBLEMS = 20;
const LONGEST_PROBLEM = 500;

/** Stores what a synchronization has done, in place of what the one before did. */
export async function recordSync({ registry, kind, now }: IdentityServices, report: SyncReport): Promise<void> {
  const spec = recordOf(report, isoTime(now()));
  await new Client(registry, { user: SYSTEM_USER }).transact((transaction) =>
    transaction.objects<SyncRecordSpec>(kind('internal/syncrecords')).put(LDAP, () => spec),
  );
}

function recordOf(report: SyncReport, at: string): SyncRecordSpec {
  const { people, disabled, enabled, kept, failed } = report;
  const problems = [...report.problems, ...failed];
  const first = problems.slice(0, MOST_PROBLEMS).map((problem) => problem.slice(0, LONGEST_PROBLEM));
  const more = problems.length - first.length;
  return {
    at,
    people,
    disabled: disabled.length,
    enabled: enabled.length,
    kept: kept.length,
    failed: failed.length,
    problems: more > 0 ? [...first, `and ${more} more`] : first,
  };
}
