import { z } from 'zod';
import { type LegacyClient, type LegacyClientOptions, legacyClient } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import type { Credential } from '../../../pkg/legacyclient/server.js';
import { whyNoAnswer } from '../job/outage.js';
import { rightsOf } from './rights.js';
import type { MirrorCheckResult, MirrorReviewSpec, MirrorReviewStatus } from './schema.js';

/** Milliseconds and bytes for each request. */
const LIMITS = { parallel: 4, timeout: 5000, attempts: 1, patience: 0, bytes: 2 ** 20 };

const Health = z.object({
  database: z.string().max(100),
  version: z
    .string()
    .regex(/^[\w.+-]{1,50}$/)
    .optional()
    .catch(undefined),
});
const Organization = z.object({ name: z.string().max(1000) });
const Folders = z.array(z.object({ uid: z.string().max(200) }));
const PAGE = 1000;

/**
 * Asks the other server what a mirror would ask it, and changes nothing there. The credential is sent only after the
 * server has answered as one of this API does.
 */
export async function testMirror(
  server: LegacyClientOptions,
  credential: Credential,
  { organization, ...wanted }: Pick<MirrorReviewSpec, 'organization' | 'permissions' | 'teams' | 'preferences'>,
): Promise<MirrorReviewStatus> {
  const anybody = legacyClient({ ...server, limits: LIMITS });
  const caller = legacyClient({ ...server, credential, organization, limits: LIMITS });
  try {
    const { check, version } = await healthOf(anybody);
    if (!check.ok) return { checks: [check] };
    const found = { version };
    const { check: accepted, name } = await organizationOf(caller);
    if (!accepted.ok) return { checks: [check, accepted], ...found };
    const [folders, rights] = await Promise.all([foldersOf(caller), rightsOf(caller, wanted)]);
    return { checks: [check, accepted, ...rights.checks], ...found, organization: name, ...folders, ...rights.found };
  } finally {
    anybody.close();
    caller.close();
  }
}

async function healthOf(client: LegacyClient): Promise<{ check: MirrorCheckResult; version?: string | undefined }> {
  try {
    const { version } = await client.get('/api/health', Health);
    const message = `It is a dashboard server${version === undefined ? '' : ` of the version ${version}`}.`;
    return { check: { name: 'server', ok: true, message }, version };
  } catch (error) {
    return { check: { name: 'server', ok: false, message: whyNoServer(error) } };
  }
}

function whyNoServer(error: unknown): string {
  if (!(error instanceof LegacyFailure)) return whyNoAnswer(error);
  const { status } = error;
  if (status >= 300 && status < 400)
    return `It leads to another address (${status}). A mirror follows none, so that the credential goes nowhere else: give that address.`;
  if (status >= 500) return `It answers ${status}, so it is out of order, or no dashboard server.`;
  return `Something answers there, but it is no dashboard server: /api/health answers ${status === 200 ? 'something else' : status}. Check the address and its path.`;
}

async function organizationOf(client: LegacyClient): Promise<{ check: MirrorCheckResult; name?: string }> {
  const checked = (ok: boolean, message: string) => ({ check: { name: 'credential' as const, ok, message } });
  try {
    const { name } = await client.get('/api/org', Organization);
    return { ...checked(true, `It is accepted, in the organization ${JSON.stringify(name)}.`), name };
  } catch (error) {
    if (!(error instanceof LegacyFailure)) return checked(false, whyNoAnswer(error));
    if (error.status === 401)
      return checked(false, 'It is refused (401). It is wrong, has expired, or belongs to another server.');
    if (error.status === 403 || error.status === 404)
      return checked(false, `It may not use this organization (${error.status}), or there is none with this number.`);
    return checked(false, `Its organization cannot be read: the server answers ${error.status}.`);
  }
}

/** How many folders the credential finds. A server may give fewer than it is asked for. */
async function foldersOf(client: LegacyClient): Promise<Pick<MirrorReviewStatus, 'folders' | 'moreFolders'>> {
  try {
    const found = await client.get('/api/search', Folders, { type: 'dash-folder', limit: PAGE, page: 1 });
    return { folders: found.length, ...(found.length >= PAGE && { moreFolders: true }) };
  } catch {
    return {};
  }
}
