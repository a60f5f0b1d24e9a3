import { ask, type Door, type DoorAnswer, type Sent } from './door.js';
import type { History, Operation } from './history.js';
import { revisionOf, type SimObject } from './objects.js';

/** An operation before it is sent. */
export type Plan = Omit<Operation, 'id' | 'begin' | 'end' | 'status' | 'server' | 'client'>;

interface ListBody {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly SimObject[];
}

/** Sends the operations of one client and records them. */
export class Caller {
  readonly name: string;
  readonly history: History;
  readonly doors: readonly Door[];

  constructor(name: string, history: History, doors: readonly Door[]) {
    this.name = name;
    this.history = history;
    this.doors = doors;
  }

  /** `request` gets the number of the operation. */
  async one(plan: Plan, server: number, request: (id: number) => Sent): Promise<Operation> {
    const { history } = this;
    const id = history.id();
    const begin = history.tick();
    const answer = await this.#send(server, request(id));
    const end = history.tick();
    const body = answer === undefined ? undefined : parsed(answer.text);
    const isStatus = body?.['kind'] === 'Status';
    const reason = isStatus ? { reason: String(body['reason']) } : {};
    const status = answer?.status ?? 0;
    const message = messageOf(answer);
    const object = status >= 200 && status < 300 && body !== undefined && !isStatus ? resultOf(plan, body) : {};
    const operation = { ...plan, id, begin, end, client: this.name, server, status, ...reason, ...message, ...object };
    history.add(operation);
    return operation;
  }

  /** Lists all pages. `turn` is called between two pages. */
  async list(plan: Plan, server: number, path: string, limit: number, turn: () => Promise<number>): Promise<void> {
    const { history } = this;
    const id = history.id();
    const begin = history.tick();
    const items: SimObject[] = [];
    const pages: number[] = [];
    let remaining: Operation['remaining'];
    let status = 0;
    let message: Pick<Operation, 'message'> = {};
    let at = server;
    let next = path;
    for (;;) {
      const answer = await this.#send(at, { method: 'GET', path: next });
      status = answer?.status ?? 0;
      message = messageOf(answer);
      if (answer === undefined || status !== 200) break;
      const { metadata, items: page } = JSON.parse(answer.text) as ListBody;
      items.push(...page);
      pages.push(Number(metadata.resourceVersion));
      const { remainingItemCount: left } = metadata;
      if (pages.length === 1 && left !== undefined) remaining = { given: page.length, left };
      if (metadata.continue === undefined || metadata.continue === '') break;
      at = await turn();
      next = `${path.split('?')[0]}?${queryOf(path, limit, metadata.continue)}`;
    }
    const end = history.tick();
    const done = status === 200 ? { items, pages, revision: pages[0] as number, ...(remaining && { remaining }) } : {};
    history.add({ ...plan, id, begin, end, client: this.name, server, status, ...message, ...done });
  }

  #send(server: number, sent: Sent): Promise<DoorAnswer | undefined> {
    return ask(this.history, this.doors, server, sent);
  }
}

/** The next page has the limit and the selector of the first one, but not its revision. */
function queryOf(path: string, limit: number, token: string): string {
  const query = new URLSearchParams(path.split('?')[1]);
  const selector = query.get('labelSelector');
  const next = new URLSearchParams({ limit: String(limit), continue: token });
  if (selector !== null) next.set('labelSelector', selector);
  return next.toString();
}

function messageOf(answer: DoorAnswer | undefined): Pick<Operation, 'message'> {
  return answer === undefined || answer.status < 500 ? {} : { message: answer.text.slice(0, 500) };
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}

function resultOf({ verb }: Plan, body: Record<string, unknown>): Partial<Operation> {
  if (verb === 'applyset') {
    const { resourceVersion } = (body['status'] ?? {}) as { readonly resourceVersion?: string };
    return resourceVersion === undefined ? {} : { revision: Number(resourceVersion) };
  }
  const object = body as unknown as SimObject;
  return { object, revision: revisionOf(object) };
}
