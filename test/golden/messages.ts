import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { decodeKubernetesProtobuf } from '../../pkg/kube/protobuf/decode.js';
import { PROTOBUF_MEDIA_TYPE } from '../../pkg/kube/protobuf/types.js';
import type { Placeholders } from './placeholders.js';
import { type Content, contentOf, type RecordedAnswer } from './transcript.js';

/** The recorded headers of requests. Credentials are never recorded. */
const ASKED = ['accept', 'content-type', 'user-agent', 'if-match', 'if-none-match', 'impersonate-user'];
/** The recorded headers of answers. */
const ANSWERED = ['content-type', 'warning', 'location', 'allow', 'retry-after', 'etag'];
/** Parameters that are random, or that name the version of a document. */
const VOLATILE = ['timeoutSeconds', 'hash'];
/** Documents that every new kind changes. Other tests check them. */
const DOCUMENT =
  /^\/(?:openapi\/.*|apis?|apis\/[^/]+|api\/v1|apis\/[^/]+\/[^/]+|apis\/apiextensions\.k8s\.io\/v1\/customresourcedefinitions)\/?$/;

export interface RawAnswer extends Content {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

export const isWatch = (target: string): boolean => /[?&]watch=(?:true|1)/i.test(target);

export function send(
  to: { readonly port: number; readonly headers: Readonly<Record<string, string>> },
  method: string,
  target: string,
  { headers, body }: { readonly headers: IncomingHttpHeaders; readonly body?: Uint8Array | undefined },
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port: to.port, method, path: target, headers: { ...headers, ...to.headers } };
    request(options).on('response', resolve).on('error', reject).end(body);
  });
}

export function askedHeaders(headers: IncomingHttpHeaders, known: Placeholders): Record<string, string> {
  const picked = pick(headers, ASKED);
  const condition = picked['if-none-match'] ?? picked['if-match'];
  if (condition === undefined) return picked;
  const name = picked['if-match'] === undefined ? 'if-none-match' : 'if-match';
  return { ...picked, [name]: known.knownEtag(condition) };
}

/**
 * The target without parameters that differ in every run, and with placeholders for what the client knows from answers.
 */
export function askedTarget(target: string, known: Placeholders): string {
  const [path = '', query = ''] = target.split('?');
  const asked = [...new URLSearchParams(query)].filter(([name]) => !VOLATILE.includes(name));
  const texts = asked.map(([name, value]) => {
    const text = String(known.ofRequest(value, name));
    return `${name}=${text === value ? encodeURIComponent(value) : text}`;
  });
  return texts.length === 0 ? path : `${path}?${texts.join('&')}`;
}

/** The recorded form of an answer. */
export function answerOf(
  target: string,
  { status, headers, ...content }: RawAnswer,
  values: Placeholders,
): RecordedAnswer {
  const { etag, ...kept } = pick(headers, ANSWERED);
  const [path = ''] = target.split('?');
  const shown = status === 200 && DOCUMENT.test(path) ? documentOf(content) : withoutVolatile(content, values);
  const tag = etag === undefined ? {} : { etag: values.etag(etag) };
  return { status, headers: { ...(values.ofAnswer(kept) as Record<string, string>), ...tag }, ...shown };
}

function withoutVolatile({ body, text, base64 }: Content, values: Placeholders): Content {
  if (body !== undefined) return { body: values.ofAnswer(body) };
  if (text !== undefined) return { text: String(values.ofAnswer(text)) };
  return base64 === undefined ? {} : { base64 };
}

function documentOf({ body, text }: Content): Pick<RecordedAnswer, 'document'> {
  if (body === undefined) return { document: text === undefined ? 'bytes' : 'text' };
  const { kind, openapi, swagger, paths } = body as Readonly<Record<string, unknown>>;
  const name = kind ?? openapi ?? swagger ?? (paths === undefined ? 'object' : 'paths');
  return { document: String(name) };
}

function pick(headers: IncomingHttpHeaders, names: readonly string[]): Record<string, string> {
  const found = names.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name])]]));
  return Object.fromEntries(found) as Record<string, string>;
}

export async function contentOfMessage(message: IncomingMessage): Promise<Content> {
  return contentOfAnswer(message.headers, await bytesOfMessage(message));
}

/**
 * An answer in protobuf is shown as JSON, so that people can read it and placeholders stand for what differs in every
 * run.
 */
export function contentOfAnswer(headers: IncomingHttpHeaders, bytes: Uint8Array): Content {
  return headers['content-type'] === PROTOBUF_MEDIA_TYPE ? { body: decodeKubernetesProtobuf(bytes) } : contentOf(bytes);
}

export async function bytesOfMessage(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}
