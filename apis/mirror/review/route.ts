import type { Handler } from '../../../pkg/http/handler.js';
import type { UserInfo } from '../../../pkg/identity/authn/user.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import type { Credential } from '../../../pkg/legacyclient/server.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { Client } from '../../../registry/client/client.js';
import type { Registry } from '../../../registry/kinds/registry.js';
import { awaitCaller } from '../../../registry/rest/options/freshness.js';
import { mayDo } from '../../authorization/answers.js';
import { decodeReview } from '../../authorization/review-body.js';
import { inNamespace, refuseReview } from '../../authorization/review-routes.js';
import type { ApisEnvironment } from '../../environment.js';
import { credentialIn } from '../job/credential.js';
import { addressProblem, guardOf, guardsOf, noSecret } from '../mirror/strategy.js';
import { testMirror } from './connection.js';
import { MirrorReviewSpec, type MirrorReviewStatus, mirrorReview } from './schema.js';

/** Milliseconds for the whole test. */
const PATIENCE = 15_000;

/** The handler of the path of MirrorReview. */
export function mirrorReviewRoute(
  registry: Registry,
  environment: ApisEnvironment,
  version: string,
): (path: string) => Handler | undefined {
  const kind = mirrorReview(environment.domain);
  const guards = guardsOf(environment.webhookNetworks ?? []);
  return inNamespace(kind, async (request, namespace) => {
    await awaitCaller(registry.cacher, request);
    const { group, version: served } = kind;
    const mirrors = { group, version: served, resource: 'mirrors', subresource: '', name: '' };
    const create = { ...mirrors, verb: 'create', namespace };
    if (!(await mayDo(registry, request.user, create)).allowed) refuseReview(request.user, kind, namespace);
    const { spec } = decodeReview(request, kind, MirrorReviewSpec);
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(PATIENCE)]);
    const test = async (): Promise<MirrorReviewStatus> => {
      const problem = addressProblem(spec.address, guards);
      if (problem !== undefined) return failed('address', problem);
      const credential = credentialOf(registry, request.user, namespace, spec);
      if (typeof credential === 'string') return failed('credential', credential);
      const server = {
        url: spec.address,
        guard: guardOf(spec.address, guards),
        isInsecure: true,
        userAgent: `dashboard-apiserver/${version} (mirror test)`,
        signal,
      };
      return testMirror(server, credential, spec);
    };
    const status = await test();
    request.signal.throwIfAborted();
    const { secret } = spec.credential;
    // The token is left out of the answer.
    return { metadata: {}, spec: { ...spec, credential: secret === undefined ? {} : { secret } }, status };
  });
}

const failed = (name: 'address' | 'credential', message: string): MirrorReviewStatus => ({
  checks: [
    { name, ok: false, message: `${message.charAt(0).toUpperCase()}${message.slice(1)}.`.replace(/\.\.$/, '.') },
  ],
});

/** The credential, or why there is none. The Secret is read as the caller. */
function credentialOf(
  registry: Registry,
  user: UserInfo,
  namespace: string,
  { credential: { token, secret = '' } }: MirrorReviewSpec,
): Credential | string {
  if (token !== undefined) return { token };
  const secrets = new Client(registry, { user }).objects(registry.compiled.get('core/Secret'), namespace);
  try {
    return credentialIn(secrets.get(secret), secret);
  } catch (error) {
    if (error instanceof ApiError) return noSecret(secret);
    return messageOf(error);
  }
}
