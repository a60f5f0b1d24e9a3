import type { z } from 'zod';
import type { LegacyAnswer } from '../../../pkg/legacyclient/answer.js';
import type { LegacyClient, LegacyRequest, Method } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import type { Writable } from '../gitops/exported.js';

/**
 * A server that has nothing at first, and keeps in memory what an import creates. So what an import would store in a
 * new server can be written into files.
 */
export class EmptyServer implements LegacyClient {
  readonly #objects = new Map<string, Writable>();

  /** What was created, each object with its namespace if it is in one. */
  get objects(): readonly Writable[] {
    return [...this.#objects].map(([path, object]) => {
      const [, namespace] = /\/namespaces\/([^/]+)\/[^/]+\/[^/]+$/.exec(path) ?? [];
      return { ...object, metadata: { ...object.metadata, namespace } };
    });
  }

  async send(method: Method, path: string, { body }: LegacyRequest = {}): Promise<LegacyAnswer> {
    const refuse = (status: number, reason: string): never => {
      throw new LegacyFailure({ method, path }, status, reason, { body: { reason } });
    };
    if (method === 'POST') {
      const object = body as Writable;
      const own = `${path}/${encodeURIComponent(object.metadata.name)}`;
      if (this.#objects.has(own)) refuse(409, 'AlreadyExists');
      return this.#keep(own, object);
    }
    if (method === 'GET' && isList(path)) return { status: 200, body: { items: this.#below(path) } };
    if (!this.#objects.has(path)) refuse(404, 'NotFound');
    if (method === 'PUT') return this.#keep(path, body as Writable);
    const object = this.#objects.get(path);
    if (method === 'DELETE') this.#objects.delete(path);
    return { status: 200, body: object };
  }

  async get<T>(path: string, schema: z.ZodType<T>): Promise<T> {
    return schema.parse((await this.send('GET', path)).body);
  }

  inOrganization(): LegacyClient {
    return this;
  }

  close(): void {
    this.#objects.clear();
  }

  #keep(path: string, object: Writable): LegacyAnswer {
    this.#objects.set(path, object);
    return { status: 200, body: object };
  }

  #below(path: string): readonly Writable[] {
    const of = (own: string): boolean => own.slice(0, own.lastIndexOf('/')) === path;
    return [...this.#objects].flatMap(([own, object]) => (of(own) ? [object] : []));
  }
}

/** `/apis/GROUP/VERSION/PLURAL`, or the same in a namespace. */
function isList(path: string): boolean {
  return /^\/apis\/[^/]+\/[^/]+(?:\/namespaces\/[^/]+)?\/[^/]+$/.test(path);
}
