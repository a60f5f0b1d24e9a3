import { z } from 'zod';
import { MASTERS_GROUP } from '../../../pkg/identity/authn/user.js';
import { type LegacyClient, legacyClient } from '../../../pkg/legacyclient/client.js';
import { printable } from '../../../pkg/system/text/printable.js';
import { servedKinds } from '../gitops/kinds.js';
import { targetOf } from '../gitops/kubeconfig.js';
import { interruptible } from '../interrupt.js';
import type { Terminal } from '../terminal.js';
import type { BridgeOptions } from './options.js';
import { importBy } from './run.js';
import { Target } from './target.js';
import { type ManifestRun, writeFrom } from './to-manifests.js';

const USER_AGENT = 'adminctl-import';

/** Takes over another server. Returns the exit code. Throws errors for people. */
export function importFromServer(options: BridgeOptions, terminal: Terminal): Promise<number> {
  return interruptible(async (signal) => {
    const onRetry = (error: Error, ms: number): void =>
      void terminal.err.write(`${printable(error.message)}. Trying again in ${Math.ceil(ms / 1000)} s.\n`);
    const more = { userAgent: USER_AGENT, signal, onRetry };
    const { url, credential, isInsecure, ca } = options;
    const source = legacyClient({ url, credential, isInsecure, ...(ca && { tls: { ca } }), ...more });
    if (options.to !== undefined) return writing(source, { ...options, to: options.to }, terminal);
    const here = targetOf({ path: options.kubeconfig, context: options.context, env: terminal.env });
    const { authorization } = here;
    const client = legacyClient({
      url: here.url,
      tls: here.tls,
      // The kubeconfig says so itself, as for kubectl.
      isInsecure: true,
      ...(authorization && { credential: { authorization } }),
      ...more,
    });
    try {
      return await importBy(source, await openTarget(client, options.isDryRun), options, terminal);
    } catch (error) {
      if (signal.aborted)
        throw new Error('The import was stopped. Run it again: it goes on from there.', { cause: error });
      throw error;
    } finally {
      source.close();
      client.close();
    }
  });
}

async function writing(source: LegacyClient, options: ManifestRun, terminal: Terminal): Promise<number> {
  try {
    return await writeFrom(source, options, terminal);
  } finally {
    source.close();
  }
}

const Review = z.object({ status: z.object({ userInfo: z.object({ groups: z.array(z.string()).default([]) }) }) });

/** Throws if the server is not of this product, or the caller does not administer it. */
export async function openTarget(client: LegacyClient, isDryRun: boolean): Promise<Target> {
  const ask = async (method: 'GET' | 'POST', path: string, { accept }: { accept?: string } = {}) =>
    (await client.send(method, path, accept === undefined ? {} : { accept })).body;
  const { domain } = await servedKinds({ ask, close: () => undefined });
  const apiVersion = 'authentication.k8s.io/v1';
  const body = { apiVersion, kind: 'SelfSubjectReview' };
  const answer = await client.send('POST', `/apis/${apiVersion}/selfsubjectreviews`, { body, isIdempotent: true });
  if (Review.parse(answer.body).status.userInfo.groups.includes(MASTERS_GROUP))
    return new Target(client, domain, isDryRun);
  throw new Error(
    'The user of the kubeconfig is no administrator of this server, so times and authors could not be kept.',
  );
}
