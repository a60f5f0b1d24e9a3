import { KINDS, type Plural, type Sent } from './sequences.js';

/** A request with everything filled in. */
export interface Resolved {
  readonly method: string;
  /** The whole path, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface Got {
  readonly status: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: unknown;
}

export type Send = (request: Resolved) => Promise<Got>;

interface Versions {
  readonly uid: string;
  readonly version: string;
  readonly old: string;
}

interface Meta {
  readonly name?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
}

/** One sequence on one server. It knows the versions and uids that this server has answered. */
export class Session {
  readonly #send: Send;
  readonly #run: string;
  readonly #known = new Map<string, Versions>();

  /** `run` is a part of all names, so that sequences do not share objects. */
  constructor(send: Send, run: string) {
    this.#send = send;
    this.#run = run;
  }

  async ask(sent: Sent): Promise<Got> {
    const got = await this.#send(this.resolve(sent));
    this.#learn(sent, got);
    return got;
  }

  resolve({ method, path, query = {}, headers = {}, body }: Sent): Resolved {
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.set(name, this.#filled(value));
    const base = this.#filled(path.startsWith('/') ? path : `${collectionOf(path)}/${path}`);
    return {
      method,
      path: search.size === 0 ? base : `${base}?${search}`,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: body === undefined ? undefined : this.#filled(JSON.stringify(body)),
    };
  }

  #filled(text: string): string {
    return text
      .replaceAll(/\$(rv|old|uid)\(([^)]*)\)/g, (_, what: string, of: string) => this.#version(what, of))
      .replaceAll('@run', this.#run)
      .replaceAll(/@([a-d])/g, `${this.#run}-$1`);
  }

  /** For an object that no answer had, a uid and a version that no object has. */
  #version(what: string, of: string): string {
    const { uid = 'none', version = '1', old = '1' } = this.#known.get(of) ?? {};
    return what === 'uid' ? uid : what === 'rv' ? version : old;
  }

  #learn({ path, query = {}, body: sentBody }: Sent, { status, body }: Got): void {
    const { metadata } = body as { readonly metadata?: Meta };
    const isDry = query['dryRun'] !== undefined || JSON.stringify(sentBody ?? '').includes('"dryRun"');
    if (status >= 300 || isDry || metadata?.name === undefined || metadata.resourceVersion === undefined) return;
    const key = path.startsWith('/') ? this.#keyAt(path, metadata.name) : this.#keyOf(path, metadata.name);
    const { version = '1' } = this.#known.get(key) ?? {};
    const isNew = version !== metadata.resourceVersion;
    const old = isNew ? version : (this.#known.get(key)?.old ?? '1');
    this.#known.set(key, { uid: metadata.uid ?? 'none', version: metadata.resourceVersion, old });
  }

  #keyOf(path: string, name: string): string {
    const [plural = '', sentName] = path.split('/');
    return `${plural}/${sentName ?? `@${name.slice(this.#run.length + 1)}`}`;
  }

  /** The plural and the name at a whole path. */
  #keyAt(path: string, name: string): string {
    const [, plural = ''] = /^\/apis\/[^/]+\/[^/]+\/(?:namespaces\/[^/]+\/)?([^/]+)/.exec(path) ?? [];
    return `${plural}/${name.replaceAll(this.#run, '@run')}`;
  }
}

function collectionOf(path: string): string {
  return `/apis/${KINDS[path.split('/')[0] as Plural].apiVersion}/namespaces/default`;
}
