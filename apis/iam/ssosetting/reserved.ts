import { isDeepStrictEqual } from 'node:util';
import type { SignOnKey, SignOnValues } from '../../../pkg/identity/signon/values.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import type { EnteredValues } from './secrets.js';

/** The settings that decide who becomes server administrator, or member of any organization. */
const RESERVED: Readonly<Partial<Record<SignOnKey, string>>> = {
  allowAssignGrafanaAdmin: 'Allow assign Grafana Admin can only be updated by Grafana Server Admins.',
  orgMapping: 'Organization mapping can only be updated by Grafana Server Admins.',
  config: 'The servers of a directory can only be updated by Grafana Server Admins.',
  orgAttributePath: 'Organization attribute path can only be updated by Grafana Server Admins.',
  assertionAttributeOrg: 'Organization attribute can only be updated by Grafana Server Admins.',
  roleValuesGrafanaAdmin: 'Role values of Grafana Admin can only be updated by Grafana Server Admins.',
};

/** They say whose signatures count, and so who may be any user that the provider has named. */
const METADATA: readonly SignOnKey[] = ['idpMetadata', 'idpMetadataPath', 'idpMetadataUrl'];

/** Settings that do not decide who signs in, or with which rights. All others do. */
const HARMLESS: readonly SignOnKey[] = ['enabled', 'name', 'icon', 'autoLogin', 'allowSignUp', 'loginPrompt'];

/**
 * What only server administrators may change between two states of the stored settings. While a provider can make
 * server administrators, this is almost everything. Otherwise, a caller who chooses its addresses or expressions could
 * become one.
 */
export function reservedChanges(
  now: EnteredValues,
  before: EnteredValues,
  system: SignOnValues,
): readonly StatusCause[] {
  const isChanged = (key: SignOnKey): boolean =>
    !isDeepStrictEqual(now[key] ?? system[key], before[key] ?? system[key]);
  const makesAdministrators = [now, before].some((settings) => {
    const { allowAssignGrafanaAdmin, roleValuesGrafanaAdmin } = { ...system, ...settings };
    return allowAssignGrafanaAdmin || roleValuesGrafanaAdmin !== '';
  });
  const hasMetadata = METADATA.some((key) => (before[key] ?? system[key]) !== '');
  const keys = [...new Set([...Object.keys(now), ...Object.keys(before)])] as SignOnKey[];
  return keys.filter(isChanged).flatMap((key) => {
    const message =
      RESERVED[key] ??
      (hasMetadata && METADATA.includes(key) ? onlyOnce(key) : undefined) ??
      (makesAdministrators && !HARMLESS.includes(key) ? onlyAdministrators(key) : undefined);
    return message === undefined ? [] : [{ reason: 'FieldValueForbidden', message, field: `spec.settings.${key}` }];
  });
}

const onlyAdministrators = (key: SignOnKey): string =>
  `While allowAssignGrafanaAdmin or roleValuesGrafanaAdmin is set, only server administrators may change ${key}.`;
const onlyOnce = (key: SignOnKey): string =>
  `Only server administrators may change ${key} of a provider that has metadata.`;
