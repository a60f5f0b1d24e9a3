import { covers } from '../../../pkg/identity/authz/grants.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { parseLabelSelector } from '../../../pkg/kube/selectors/labels.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { baseOf } from '../../../pkg/legacyclient/server.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { addressGuard } from '../../../pkg/system/net/address-guard.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import type { ApisEnvironment } from '../../environment.js';
import type { MirrorSpec } from './schema.js';

export const NETWORKS = 'webhooks.networks';

export function mirrorStrategy({ webhookNetworks = [] }: ApisEnvironment): Strategy<MirrorSpec> {
  const guards = guardsOf(webhookNetworks);
  return {
    validate: ({ spec }, _old, ctx) =>
      spec === undefined
        ? []
        : [
            ...addressCauses(spec, guards),
            ...secretCauses(spec, ctx),
            ...readingCauses(spec, ctx),
            ...labelCauses(spec),
          ],
  };
}

/** What may be asked over HTTPS, and what without encryption: only what the setting lists. */
export function guardsOf(networks: readonly string[]) {
  return { https: addressGuard(networks, NETWORKS), http: addressGuard(networks, NETWORKS, { listedOnly: true }) };
}
export type Guards = ReturnType<typeof guardsOf>;

export function guardOf(address: string, guards: Guards) {
  return address.startsWith('https:') ? guards.https : guards.http;
}

function addressCauses({ address }: MirrorSpec, guards: Guards): readonly StatusCause[] {
  const message = addressProblem(address, guards);
  return message === undefined ? [] : [{ reason: 'FieldValueInvalid', field: 'spec.address', message }];
}

/** Why nothing may be sent to the address, and who can change it. */
export function addressProblem(address: string, guards: Guards): string | undefined {
  try {
    baseOf({ url: address, isInsecure: true });
  } catch (error) {
    return messageOf(error);
  }
  return guardOf(new URL(address).href, guards).problem(address);
}

/**
 * The credential is sent to the address, so an author who may not read the Secret must not choose either. Each write
 * is checked, because the author may be another one.
 */
function secretCauses({ credential: { secret } }: MirrorSpec, ctx: WriteContext): readonly StatusCause[] {
  if (ctx.visible('secrets', ctx.namespace, secret) !== undefined) return [];
  return [{ reason: 'FieldValueNotFound', field: 'spec.credential.secret', message: noSecret(secret) }];
}

export const noSecret = (name: string): string =>
  `there is no Secret ${JSON.stringify(name)} in this namespace that you may read`;

/** What a mirror sends leaves the server. Its author must be able to read all of it, also what comes later. */
const READS: readonly (readonly [action: string, scopes: readonly string[]])[] = [
  ['folders:read', ['folders:uid:']],
  ['folders.permissions:read', ['folders:uid:']],
  ['dashboards:read', ['dashboards:uid:', 'folders:uid:']],
  ['dashboards.permissions:read', ['dashboards:uid:', 'folders:uid:']],
  ['library.panels:read', ['folders:uid:']],
];

const TEAM_READS: typeof READS = [
  ['teams:read', ['teams:uid:']],
  ['teams.permissions:read', ['teams:uid:']],
];

function readingCauses({ teams, preferences }: MirrorSpec, ctx: WriteContext): readonly StatusCause[] {
  const grants = ctx.grants();
  if (grants === undefined) return [];
  const organization: typeof READS = [['orgs.preferences:read', [`orgs:uid:${ctx.namespace}`]]];
  const reads = [...READS, ...(teams || preferences ? TEAM_READS : []), ...(preferences ? organization : [])];
  return reads.flatMap(([action, scopes]): readonly StatusCause[] => {
    const granted = grants.scopesOf(action);
    if (granted !== undefined && scopes.some((scope) => covers(granted, scope))) return [];
    const message = `a mirror may send everything in this namespace, so its author needs ${action} on all of it`;
    return [{ reason: 'FieldValueForbidden', field: 'spec.folders', message }];
  });
}

function labelCauses({ folders }: MirrorSpec): readonly StatusCause[] {
  if (folders?.labels === undefined) return [];
  try {
    parseLabelSelector(folders.labels);
    return [];
  } catch (error) {
    return [{ reason: 'FieldValueInvalid', field: 'spec.folders.labels', message: messageOf(error) }];
  }
}

/** The name for log and messages: `namespace/name`. */
export function mirrorName({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
