import { decodeInSteps } from '../../../../pkg/http/middleware/decode-ahead.js';
import { decodeJson } from '../../../../pkg/kube/json/decode.js';
import { jsonSteps, PLAIN } from '../../../../pkg/kube/json/json-steps.js';
import { limitsOf } from '../../../../pkg/kube/json/limits.js';
import type { AddressGuard } from '../../../../pkg/system/net/address-guard.js';
import { boundedFetch } from '../../../../pkg/system/net/bounded-fetch.js';
import { runStepsYielding } from '../../../../pkg/system/yielding/yielding.js';
import type { ServiceReference, WebhookClientConfig } from '../../customresourcedefinition/schema.js';

/** Asks a webhook. Rejects with an error that says what was asked. */
export type Call = (review: unknown) => Promise<unknown>;

/** Milliseconds, as in Kubernetes. */
const PATIENCE = 30_000;
/** The most bytes of an answer. */
const LARGEST = 16 * 2 ** 20;

export function webhookCall(config: WebhookClientConfig | null | undefined, guard: AddressGuard): Call {
  const { url, service, caBundle } = config ?? {};
  if (url == null) return () => Promise.reject(new Error(`Post "${serviceUrl(service ?? {})}": ${NO_SERVICES}`));
  const address = `${url}?timeout=30s`;
  const authorities = Buffer.from(caBundle ?? '', 'base64').toString();
  const tls = authorities.trim() === '' ? {} : { ca: authorities };
  return async (review) => {
    const signal = AbortSignal.timeout(PATIENCE);
    try {
      const answer = await boundedFetch({ signal, bytes: LARGEST, tls, guard })(address, await post(review));
      if (answer.status !== 200) throw new Error(refusal(answer.status));
      return await decoded(new Uint8Array(await answer.arrayBuffer()));
    } catch (error) {
      const why = signal.aborted ? 'the webhook did not answer within 30s' : messageOf(error);
      throw new Error(`Post "${address}": ${why}`, { cause: error });
    }
  };
}

/** Objects are nested as deeply as in a body, inside of four levels of the answer. */
const AROUND = 4;
const { depth, values } = limitsOf(LARGEST);
const LIMITS = { depth: depth + AROUND, values };

/** Decodes an answer as a body: in steps, and with limits, because a webhook may be as hostile as a client. */
async function decoded(body: Uint8Array): Promise<unknown> {
  await decodeInSteps({ body, limits: LIMITS });
  try {
    return decodeJson(body, LIMITS).value;
  } catch (error) {
    throw new Error(`the answer is refused: ${messageOf(error)}`, { cause: error });
  }
}

/** Only a cluster has services, and this server has none. */
const NO_SERVICES =
  'this server resolves no services: give the address of the webhook as spec.conversion.webhook.clientConfig.url';

function serviceUrl({ name = '', namespace = '', port, path }: ServiceReference): string {
  return `https://${name}.${namespace}.svc:${port ?? 443}${path ?? ''}?timeout=30s`;
}

/** With the words of clients in Go, by which people search for it. */
function refusal(status: number): string {
  const why = status >= 400 && status < 500 ? ': the server rejected our request' : '';
  return `the webhook answered with the status ${status}${why}`;
}

/** The objects may be large, so the body is written in steps. */
async function post(review: unknown) {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  return { method: 'POST', headers, body: await runStepsYielding(jsonSteps(review, PLAIN)) };
}

/** If all of several addresses fail, only the parts of the error have messages. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ');
  return error instanceof Error ? error.message : String(error);
}
