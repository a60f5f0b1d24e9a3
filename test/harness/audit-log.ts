import { SECRET_FIELDS } from '../../apis/kinds.js';
import { defaultPolicy } from '../../pkg/http/audit/default-policy.js';
import type { AuditEvent } from '../../pkg/http/audit/event.js';
import { Policy } from '../../pkg/http/audit/policy.js';
import { AuditTrail } from '../../pkg/http/audit/trail.js';
import { auditedResource } from '../../registry/rest/request-info.js';

/** An audit log in memory. */
export interface AuditLog {
  readonly trail: AuditTrail;
  readonly lines: string[];
  /** The events since the last call. */
  take(): AuditEvent[];
}

export function auditLog(policy: Policy = defaultPolicy('svc.app')): AuditLog {
  const lines: string[] = [];
  let taken = 0;
  const trail = trailTo((line) => lines.push(line), policy);
  return {
    trail,
    lines,
    take: () => {
      const fresh = lines.slice(taken);
      taken = lines.length;
      return fresh.map((line) => JSON.parse(line) as AuditEvent);
    },
  };
}

export const EVERYTHING = Policy.parse({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [{ level: 'RequestResponse' }],
});

/** Makes events of all requests, and drops them. It tests that recording makes no request fail. */
export const DISCARDING = trailTo(() => undefined, EVERYTHING);

function trailTo(take: (line: string) => unknown, policy: Policy): AuditTrail {
  return new AuditTrail({
    policy,
    domain: 'svc.app',
    resourceOf: auditedResource,
    secretFields: SECRET_FIELDS,
    write: (line) => {
      take(line);
      return undefined;
    },
  });
}
