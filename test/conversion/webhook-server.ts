import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { testPki } from '../../pkg/http/testing/harness.js';
import { type TestObject, version } from './definitions.js';

export interface Request {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly TestObject[];
}

/** A webhook that converts between v1, with `spec.size`, and v2, with `spec.form.size`. */
export interface TestWebhook {
  readonly config: { readonly url: string; readonly caBundle: string };
  readonly requests: Request[];
  /** Makes the answer in place of the usual one: a body, or a status. */
  answer: ((request: Request) => unknown) | undefined;
  /** Milliseconds before each answer. */
  delay: number;
  close(): void;
}

const TEXT = { type: 'string' };
/** The versions that it converts between. */
export const V1 = version('v1', { size: TEXT }, { selectableFields: [{ jsonPath: '.spec.size' }] });
export const V2 = version(
  'v2',
  { form: { type: 'object', properties: { size: TEXT } } },
  { selectableFields: [{ jsonPath: '.spec.form.size' }] },
);

/** The member of a definition that names a webhook. */
export const byWebhook = (clientConfig: unknown, conversionReviewVersions: readonly string[] = ['v1']) => ({
  conversion: { strategy: 'Webhook', webhook: { clientConfig, conversionReviewVersions } },
});

export function converted(one: TestObject, apiVersion: string): TestObject {
  const { size, form } = one.spec as { size?: string; form?: { size?: string } };
  const isNew = apiVersion.endsWith('v2');
  const value = size ?? form?.size;
  const spec = value === undefined ? {} : isNew ? { form: { size: value } } : { size: value };
  return { ...one, apiVersion, spec };
}

export function success({ uid, desiredAPIVersion, objects }: Request): unknown {
  const convertedObjects = objects.map((one) => converted(one, desiredAPIVersion));
  return review({ uid, result: { status: 'Success' }, convertedObjects });
}

export function review(response: unknown): unknown {
  return { apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview', response };
}

export async function startWebhook(): Promise<TestWebhook> {
  const pki = await testPki();
  const requests: Request[] = [];
  const server: Server = createServer(
    { key: pki.server.key, cert: pki.server.certificate },
    async (incoming, reply) => {
      const { request } = JSON.parse(await text(incoming)) as { request: Request };
      requests.push(request);
      if (webhook.delay > 0) await new Promise((resolve) => setTimeout(resolve, webhook.delay));
      const answer = (webhook.answer ?? success)(request);
      if (typeof answer === 'number') reply.writeHead(answer, { location: '/other' }).end();
      else reply.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const webhook: TestWebhook = {
    config: { url: `https://127.0.0.1:${port}/convert`, caBundle: Buffer.from(pki.ca).toString('base64') },
    requests,
    answer: undefined,
    delay: 0,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return webhook;
}
