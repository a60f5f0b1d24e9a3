import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Agent, request as ask } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Contender } from '../../hack/bench/contender.js';
import { preparePeer, startPeer } from '../../hack/bench/peer.js';
import { GoMissing, goProgram } from '../../hack/go-programs.js';
import type { Server } from '../harness/server.js';
import { KINDS, type Plural } from './sequences.js';
import type { Got, Resolved, Send } from './session.js';

/** Reads a document of this server. */
export type Read = (path: string) => Promise<string>;

export interface Peer extends Pick<Contender, 'base' | 'token' | 'caFile'> {
  readonly send: Send;
  stop(): Promise<void>;
}

/**
 * Starts Kubernetes' API server for custom resources, with the kinds as this server describes them. Throws if Go is
 * missing.
 */
export async function openPeer(read: Read): Promise<Peer> {
  // With frequent compactions, tests see tokens expire.
  const peer = await openEmptyPeer(['--etcd-compaction-interval=1s']);
  for (const plural of Object.keys(KINDS) as Plural[]) await define(peer.send, plural, await crdOf(read, plural));
  return peer;
}

/** Starts the same server without any kind. */
export async function openEmptyPeer(flags: readonly string[] = []): Promise<Peer> {
  const peer = await startPeer({ folder: await built(), isEmpty: true, flags });
  const { base, token, caFile } = peer;
  return { base, token, caFile, send: await senderOf(peer), stop: () => peer.stop() };
}

/**
 * Builds the peer, once for all tests of a run. If the run also builds Kubernetes' suites, it waits for them, because
 * they have the same libraries, and each is then compiled once. Throws GoMissing.
 */
async function built(): Promise<string> {
  const programs = process.env['GO_PROGRAMS'];
  const folder = join(programs ?? tmpdir(), 'differential-peer');
  if (programs !== undefined) await goProgram('suite');
  try {
    await promisify(execFile)('go', ['version']);
  } catch (error) {
    throw new GoMissing(String(error));
  }
  await preparePeer({ folder, quick: true });
  return folder;
}

const CRDS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

async function senderOf({ base, token, caFile }: Contender): Promise<Send> {
  const agent = new Agent({ keepAlive: true, ca: await readFile(caFile ?? '', 'utf8') });
  return ({ method, path, headers, body }: Resolved): Promise<Got> =>
    new Promise((resolve, reject) => {
      // Node sends no content-length with the body of a DELETE unless it is given.
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const all = { accept: 'application/json', ...headers, ...length, authorization: `Bearer ${token}` };
      const call = ask(`${base}${path}`, { method, headers: all, agent }, (response) => {
        const { statusCode: status = 0, headersDistinct } = response;
        const single = Object.entries(headersDistinct).map(([name, values = []]) => [
          name,
          name === 'warning' ? values : values.join(', '),
        ]);
        text(response).then(
          (whole) => resolve({ status, headers: Object.fromEntries(single), body: parsed(whole) }),
          reject,
        );
      });
      call.on('error', reject);
      call.end(body);
    });
}

/** This server, in the same process. */
export function senderTo(server: Server): Send {
  return async ({ method, path, headers, body }) => {
    const {
      status,
      headers: answered,
      text: whole,
    } = await server.call(method, path, {
      headers: { accept: 'application/json', ...headers },
      ...(body !== undefined && { body }),
    });
    return { status, headers: answered, body: parsed(whole) };
  };
}

function parsed(whole: string): unknown {
  try {
    return JSON.parse(whole);
  } catch {
    return whole;
  }
}

/** Defines a kind, and waits until it is served. */
async function define(
  send: Send,
  plural: Plural,
  crd: { readonly metadata: { readonly name: string } },
): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const { status, body } = await send({ method: 'POST', path: CRDS, headers, body: JSON.stringify(crd) });
  if (status !== 201) throw new Error(`the definition of ${crd.metadata.name} was refused: ${JSON.stringify(body)}`);
  const path = `/apis/${KINDS[plural].apiVersion}/namespaces/default/${plural}`;
  while ((await send({ method: 'GET', path, headers: {}, body: undefined })).status !== 200) await sleep(50);
}

/** The definition of a kind, with the schema of the OpenAPI document of this server. */
async function crdOf(read: Read, plural: Plural) {
  const { kind, apiVersion } = KINDS[plural];
  const [group = '', version = ''] = apiVersion.split('/');
  const document = JSON.parse(await read(`/openapi/v3/apis/${apiVersion}`)) as Document;
  const schemas = document.components.schemas;
  const own = Object.values(schemas).find((schema) =>
    (schema['x-kubernetes-group-version-kind'] as { kind: string }[] | undefined)?.some((one) => one.kind === kind),
  );
  const properties = (own?.['properties'] ?? {}) as Readonly<Record<string, Schema>>;
  const spec = structural(properties['spec'] ?? {}, schemas);
  const openAPIV3Schema = { type: 'object', properties: { spec }, required: ['spec'] };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural, singular: kind.toLowerCase(), kind, listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, schema: { openAPIV3Schema } }],
    },
  };
}

type Schema = Readonly<Record<string, unknown>>;
interface Document {
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A schema as a definition may have it: without references and members that only documents have. */
function structural(schema: Schema, schemas: Readonly<Record<string, Schema>>): Schema {
  const {
    $ref,
    allOf,
    default: _,
    'x-kubernetes-group-version-kind': __,
    properties,
    items,
    additionalProperties,
    ...rest
  } = schema;
  const inner =
    (allOf as readonly Schema[] | undefined)?.[0] ??
    (typeof $ref === 'string' ? schemas[$ref.split('/').at(-1) ?? ''] : undefined);
  if (inner !== undefined) return { ...structural(inner, schemas), ...rest };
  const isOpen = rest['x-kubernetes-preserve-unknown-fields'] === true;
  return {
    ...rest,
    ...(isOpen && { type: 'object' }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Readonly<Record<string, Schema>>).map(([name, one]) => [
          name,
          structural(one as Schema, schemas),
        ]),
      ),
    }),
    ...(items !== undefined && { items: structural(items as Schema, schemas) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: structural(additionalProperties as Schema, schemas),
    }),
  };
}
