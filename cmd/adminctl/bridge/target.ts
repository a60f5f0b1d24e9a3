import { z } from 'zod';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { LegacyClient } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure, unlessAbsent } from '../../../pkg/legacyclient/failure.js';
import { changed, type Draft, isSameContent, newMetadata } from './draft.js';
import type { Outcome } from './report.js';
import type { Resource } from './resources.js';

const VERSION = 'v1beta1';
const PAGE = 500;
const NAMES = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';
/** What was created is known, except its number. */
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';

const List = z.object({
  metadata: z.object({ continue: z.string().optional() }).default({}),
  items: z.array(z.looseObject({ metadata: z.looseObject({ name: z.string() }) })),
});

export interface Stored {
  readonly outcome: Outcome;
  /** The number that the object has. It differs from that of the source if that was taken. */
  readonly id: number | undefined;
}

/** The server that takes the objects, by its resource API. The caller is an administrator of it. */
export class Target {
  readonly domain: string;
  readonly #client: LegacyClient;
  readonly #isDryRun: boolean;
  readonly #known = new Map<string, Promise<Set<string>>>();
  /** Namespaces that a dry run would have made. */
  readonly #planned = new Set<string>();

  constructor(client: LegacyClient, domain: string, isDryRun: boolean) {
    this.#client = client;
    this.domain = domain;
    this.#isDryRun = isDryRun;
  }

  /** Creates the object, or makes it as the draft says. Rejects with LegacyFailure if the server refuses it. */
  async store(resource: Resource, namespace: string, draft: Draft): Promise<Stored> {
    if (this.isPlanned(namespace) && resource.isGlobal !== true) return { outcome: 'created', id: draft.origin?.id };
    const names = await this.#names(resource, namespace);
    if (!names.has(draft.name)) {
      const made = await this.#create(resource, namespace, draft);
      names.add(draft.name);
      if (made !== undefined) return { outcome: 'created', id: this.#idOf(made) };
    }
    return this.#update(resource, namespace, draft);
  }

  isPlanned(namespace: string): boolean {
    return this.#planned.has(namespace);
  }

  /** In a dry run, what is stored in a new namespace is not sent, because the namespace is not there. */
  planNamespace(namespace: string): void {
    if (this.#isDryRun) this.#planned.add(namespace);
  }

  async has(resource: Resource, namespace: string, name: string): Promise<boolean> {
    return !this.#planned.has(namespace) && (await this.#names(resource, namespace)).has(name);
  }

  /** Whether the object is here as the draft says. */
  async isSame(resource: Resource, namespace: string, draft: Draft): Promise<boolean> {
    if (!(await this.has(resource, namespace, draft.name))) return false;
    const live = await unlessAbsent(this.get(resource, namespace, draft.name));
    return live !== undefined && changed(this.domain, live, draft, resource.isWhole === true) === undefined;
  }

  async remove(resource: Resource, namespace: string, name: string): Promise<void> {
    const query = this.#isDryRun ? { dryRun: 'All' } : {};
    await unlessAbsent(this.#client.send('DELETE', this.#path(resource, namespace, name), { query }));
    (await this.#names(resource, namespace)).delete(name);
  }

  async get(resource: Resource, namespace: string, name: string): Promise<KubeObject> {
    return (await this.#client.send('GET', this.#path(resource, namespace, name))).body as KubeObject;
  }

  /** The objects of a kind, page by page. */
  async *list(resource: Resource, namespace: string, { namesOnly = false } = {}): AsyncGenerator<KubeObject, void> {
    const path = this.#path(resource, namespace);
    for (let next: string | undefined = ''; next !== undefined; ) {
      const query = { limit: PAGE, ...(next !== '' && { continue: next }) };
      const { body } = await this.#client.send('GET', path, { query, ...(namesOnly && { accept: NAMES }) });
      const page = List.parse(body);
      for (const item of page.items) yield item as unknown as KubeObject;
      next = page.metadata.continue || undefined;
    }
  }

  #names(resource: Resource, namespace: string): Promise<Set<string>> {
    const key = `${resource.plural}/${namespace}`;
    const known = this.#known.get(key) ?? this.#readNames(resource, namespace);
    this.#known.set(key, known);
    return known;
  }

  async #readNames(resource: Resource, namespace: string): Promise<Set<string>> {
    const names = new Set<string>();
    for await (const { metadata } of this.list(resource, namespace, { namesOnly: true })) names.add(metadata.name);
    return names;
  }

  /** `undefined` if somebody else has just created it. */
  async #create(resource: Resource, namespace: string, draft: Draft): Promise<KubeObject | undefined> {
    const metadata = newMetadata(this.domain, draft);
    const body = { ...this.#typeOf(resource), metadata, spec: draft.spec };
    try {
      return await this.#write('POST', this.#path(resource, namespace), body);
    } catch (error) {
      if (error instanceof LegacyFailure && reasonOf(error) === 'AlreadyExists') return undefined;
      throw error;
    }
  }

  async #update(resource: Resource, namespace: string, draft: Draft): Promise<Stored> {
    const path = this.#path(resource, namespace, draft.name);
    for (let attempt = 1; ; attempt++) {
      const live = await this.get(resource, namespace, draft.name);
      const next = changed(this.domain, live, draft, resource.isWhole === true);
      const id = this.#idOf(live);
      if (next === undefined) return { outcome: 'same', id };
      try {
        const written = await this.#write('PUT', path, next);
        return { outcome: isSameContent(this.domain, live, written) ? 'same' : 'changed', id };
      } catch (error) {
        if (!(error instanceof LegacyFailure) || reasonOf(error) !== 'Conflict' || attempt === 3) throw error;
      }
    }
  }

  /** A second attempt of the same write does no harm: it finds the object. */
  async #write(method: 'POST' | 'PUT', path: string, body: object): Promise<KubeObject> {
    const query = { keepOrigin: true, fieldManager: 'adminctl-import', ...(this.#isDryRun && { dryRun: 'All' }) };
    const accept = method === 'POST' ? { accept: METADATA } : {};
    return (await this.#client.send(method, path, { query, body, ...accept, isIdempotent: true })).body as KubeObject;
  }

  #path({ group, plural, isGlobal }: Resource, namespace: string, name?: string): string {
    const place = isGlobal === true ? '' : `/namespaces/${namespace}`;
    const object = name === undefined ? '' : `/${encodeURIComponent(name)}`;
    return `/apis/${group}.${this.domain}/${VERSION}${place}/${plural}${object}`;
  }

  #typeOf({ group, kind }: Resource): object {
    return { apiVersion: `${group}.${this.domain}/${VERSION}`, kind };
  }

  #idOf({ metadata }: KubeObject): number | undefined {
    const id = metadata.labels?.[`${this.domain}/deprecatedInternalID`];
    return id === undefined ? undefined : Number(id);
  }
}

function reasonOf({ body }: LegacyFailure): unknown {
  return typeof body === 'object' && body !== null && 'reason' in body ? body.reason : undefined;
}
