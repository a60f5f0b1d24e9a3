import { resolve } from 'node:path';
import type { Logger } from 'pino';
import { SECRET_FIELDS } from '../../apis/kinds.js';
import type { Settings } from '../../pkg/config/schema.js';
import { defaultPolicy } from '../../pkg/http/audit/default-policy.js';
import { readPolicy } from '../../pkg/http/audit/policy-file.js';
import { RotatingFile } from '../../pkg/http/audit/rotating-file.js';
import { AuditSink, type AuditTarget, standardOutput } from '../../pkg/http/audit/sink.js';
import { AuditTrail } from '../../pkg/http/audit/trail.js';
import type { Metrics } from '../../pkg/http/metrics/metrics.js';
import { messageOf } from '../../pkg/system/errors/message.js';
import { auditedResource } from '../../registry/rest/request-info.js';

export interface AuditDependencies {
  readonly settings: Pick<Settings, 'api' | 'audit' | 'paths'>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** By default, the output that the settings name. */
  readonly target?: AuditTarget | undefined;
}

export interface Audit {
  /** Undefined: nothing is recorded. */
  readonly trail: AuditTrail | undefined;
  /** Writes what is left. Call it after the last request is answered. */
  close(): Promise<void>;
}

/** Opens the audit log. Rejects with a sentence for the operator. */
export async function openAudit({ settings, log, metrics, target }: AuditDependencies): Promise<Audit> {
  const { audit, api } = settings;
  const output = target ?? (await auditTarget(settings, log));
  if (audit.output === 'none' || output === undefined) return { trail: undefined, close: async () => undefined };
  const policy = audit.policy_file === undefined ? defaultPolicy(api.domain) : await readPolicy(audit.policy_file);
  const sink = new AuditSink({
    target: output,
    onError: (err, lost) => log.error({ err, lost }, 'events of the audit log are lost'),
  });
  metrics.counter('apiserver_audit_event_total', 'Events of the audit log.', () => sink.events);
  metrics.counter('apiserver_audit_error_total', 'Events of the audit log that are lost.', () => sink.lost);
  const { domain } = api;
  const options = { policy, domain, resourceOf: auditedResource, secretFields: SECRET_FIELDS, write: sink.write };
  return { trail: new AuditTrail(options), close: () => sink.close() };
}

/** The output that the settings name; undefined if nothing is recorded. Rejects with a sentence for the operator. */
export async function auditTarget(
  settings: AuditDependencies['settings'],
  log: Logger,
): Promise<AuditTarget | undefined> {
  if (settings.audit.output === 'none') return undefined;
  return settings.audit.output === 'stdout' ? standardOutput() : openFile(settings, log);
}

/** The file of the audit log, if it is written to one. */
export function auditFile({ audit, paths }: Pick<Settings, 'audit' | 'paths'>): string | undefined {
  return audit.output === 'file' ? fileOf({ audit, paths }) : undefined;
}

function fileOf({ audit, paths }: Pick<Settings, 'audit' | 'paths'>): string {
  return resolve(audit.file ?? `${paths.data}/audit/audit.log`);
}

async function openFile({ audit, paths }: AuditDependencies['settings'], log: Logger): Promise<AuditTarget> {
  const path = fileOf({ audit, paths });
  const onError = (err: unknown): void =>
    log.error({ err }, 'the file of the audit log could not be replaced and grows on');
  try {
    return await RotatingFile.open({ path, maxSize: audit.max_size, maxFiles: audit.max_files, onError });
  } catch (cause) {
    // The operator did not give the default file, but may have given its folder.
    const setting = audit.file === undefined ? 'paths.data' : 'audit.file';
    throw new Error(`${setting}: cannot write ${path}: ${messageOf(cause)}.`, { cause });
  }
}
