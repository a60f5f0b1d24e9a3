import { z } from 'zod';
import { ConfigError } from '../../../../pkg/config/load.js';
import { checkDirectories, type DirectoryCheck, whyNotAsked } from '../../../../pkg/identity/ldap/check.js';
import { DirectoryError } from '../../../../pkg/identity/ldap/connection.js';
import { type FoundPerson, lookUpPerson } from '../../../../pkg/identity/ldap/lookup.js';
import type { LdapDirectories, LdapProvider } from '../../../../pkg/identity/ldap/provider.js';
import { DONE, listOf } from '../../../../registry/legacy/answers.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { accessDenied, LegacyError, plainFailure } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { type User, userNotFound, userOfPath } from '../../legacy/people.js';
import type { IamServices } from '../../legacy/services.js';
import { directoriesOf } from '../directories.js';
import type { ProviderSettings, SignOnProviders } from '../providers.js';
import { LDAP_USER, ldapUser } from './ldap-user.js';
import { LDAP_NOTES } from './notes.js';

const STATUSES = listOf(() =>
  z.object({
    host: z.string(),
    port: z.int(),
    available: z.boolean(),
    error: z.string().describe('Empty if the directory can be asked.'),
  }),
);

/** `/api/admin/ldap`: directories as they are set up now. */
export function ldapRoutes(services: IamServices, providers: SignOnProviders): readonly LegacyRoute[] {
  const { signOn } = services.environment;
  const directories = (): LdapProvider => {
    const settings = providers.get('ldap');
    if (settings?.values.enabled !== true) throw plainFailure(400, 'LDAP is not enabled');
    return directoriesOf(settings);
  };
  const status: LegacyHandler = async (call) => {
    demand(call, 'ldap.status:read');
    const { servers, guard } = directories();
    return ok(statusesOf(await checkDirectories(servers, guard, call.request.signal)));
  };
  const read: LegacyHandler = async (call) => {
    demand(call, 'ldap.user:read');
    const found = await foundPerson(call, directories(), call.param('username'));
    const user = ldapUser(call, found);
    const missing = user.roles.find(({ orgId, orgName }) => orgId !== 0 && orgName === '');
    if (missing !== undefined) throw organizationNotFound(missing.orgId);
    return ok(user);
  };
  const reload: LegacyHandler = (call) => {
    demand(call, 'ldap.config:reload');
    directories();
    try {
      signOn.reload?.();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      throw new LegacyError(400, { message: 'Failed to reload LDAP config', error: error.message }, error);
    }
    return done('LDAP config reloaded');
  };
  return routes(
    { notes: LDAP_NOTES },
    {
      'GET /admin/ldap/status': {
        single: true,
        answer: STATUSES,
        summary: 'Tells whether each directory can be asked',
        handle: status,
      },
      'POST /admin/ldap/reload': { answer: DONE, summary: 'Reads the file of the directories again', handle: reload },
      'POST /admin/ldap/sync/:id': {
        answer: DONE,
        summary: 'Synchronizes a user with the directories',
        handle: (call) => synchronize(services, call, directories),
      },
      'GET /admin/ldap/:username': {
        single: true,
        answer: LDAP_USER,
        summary: 'Reads what the directories say about a login, and which roles it would have',
        handle: read,
      },
    },
  );
}

function demand(call: LegacyCall, action: string): void {
  if (!call.objects('iam/Organization').may(action)) throw accessDenied([action]);
}

function statusesOf(checks: readonly DirectoryCheck[]) {
  const hosts = new Map<string, { host: string; port: number; available: boolean; error: string }>();
  for (const { host: address, ok: isOk, message } of checks) {
    const [, host = '', port = '0'] = /^(.*):(\d+)$/.exec(address) ?? [];
    const before = hosts.get(address) ?? { host, port: Number(port), available: true, error: '' };
    hosts.set(address, isOk || !before.available ? before : { ...before, available: false, error: message });
  }
  return [...hosts.values()];
}

/** Throws 404, or 503 with a reason for the operator if a directory cannot be asked. */
async function foundPerson(call: LegacyCall, directories: LdapDirectories, login: string): Promise<FoundPerson> {
  try {
    const found = await lookUpPerson(directories, login, call.request.signal);
    if (found !== undefined) return found;
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    throw plainFailure(503, `The directory cannot be asked. ${whyNotAsked(error)}`, error);
  }
  throw plainFailure(404, 'No user was found in the LDAP server(s) with that username');
}

/** What the directories of settings say about a login. Throws 400 for providers that are none. */
export async function testedPerson(call: LegacyCall, settings: ProviderSettings, login: string) {
  if (settings.type !== 'ldap') throw plainFailure(400, 'Only a directory can be asked about a login');
  try {
    const found = await lookUpPerson(directoriesOf(settings), login, call.request.signal);
    if (found === undefined) return { ok: false, message: 'search_filter finds nobody with this login.' };
    const { refusal } = found;
    const message = refusal === undefined ? 'A sign-in would succeed.' : `A sign-in would be refused: ${refusal}.`;
    return { ok: refusal === undefined, message, user: ldapUser(call, found) };
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error;
    return { ok: false, message: `The directory cannot be asked. ${whyNotAsked(error)}` };
  }
}

const organizationNotFound = (id: number): LegacyError =>
  new LegacyError(400, {
    message: 'An organization was not found - Please verify your LDAP configuration',
    error: `unable to find organization with ID '${id}'`,
  });

/** Only users who have signed in by the directory are touched. Who has left is disabled. */
async function synchronize(services: IamServices, call: LegacyCall, directories: () => LdapProvider) {
  demand(call, 'ldap.user:sync');
  const provider = directories();
  const user: User = userOfPath(call, 'id');
  if (provider.problem !== undefined) throw plainFailure(400, `The user was not synchronized: ${provider.problem}`);
  const report = await services.syncWithDirectory?.(provider, user.metadata.name, call.request.signal);
  if (report === undefined) throw userNotFound();
  const { login } = user.spec;
  if (report.kept.length > 0)
    throw plainFailure(400, `Refusing to sync grafana super admin "${login}" - it would be disabled`);
  if (report.disabled.length > 0) throw plainFailure(400, GONE);
  const [problem] = [...report.failed, ...report.problems];
  if (problem !== undefined) throw plainFailure(400, `The user was not synchronized: ${problem}`);
  return done('User synced successfully');
}

const GONE = 'User not found in LDAP. Disabled the user without updating information';
