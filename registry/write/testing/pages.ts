import { z } from 'zod';
import type { UserInfo } from '../../../pkg/identity/authn/user.js';
import type { KubeObject, ObjectMeta } from '../../../pkg/kube/meta/types.js';
import { ApiError } from '../../../pkg/kube/status/status.js';
import { defineKind, type Kind } from '../../kinds/kind.js';
import type { WriteContext } from '../../kinds/strategy.js';
import { readerOf } from '../../testing/reader.js';
import { prepareForCreate, prepareForUpdate } from '../prepare.js';

type Spec = Readonly<Record<string, string>>;
const specOf = (object: KubeObject): Spec => (object.spec ?? {}) as Spec;
const textIn = (object: KubeObject, name: string): string | undefined => specOf(object)[name];

/** A page is on a shelf, refers to another page, and has a title of its own. */
export const PAGES = 'pages.book.svc.app';
export const SHELF = defineKind(
  { domain: 'svc.app' },
  {
    identity: {
      group: 'book',
      version: 'v1',
      kind: 'Shelf',
      resource: 'shelves',
      singular: 'shelf',
      scope: 'Cluster',
      description: 'A kind of a test.',
      spec: z.record(z.string(), z.string()),
    },
  },
);
export const PAGE = defineKind(
  { domain: 'svc.app' },
  {
    identity: {
      group: 'book',
      version: 'v1',
      kind: 'Page',
      resource: 'pages',
      singular: 'page',
      scope: 'Namespaced',
      description: 'A kind of a test.',
      spec: z.record(z.string(), z.string()),
      status: z.unknown(),
    },
    storage: {
      history: {},
      indexers: {
        byTitle: (object) => {
          const title = textIn(object, 'title');
          return title === undefined ? [] : [[title]];
        },
      },
      uniques: { byTitle: { field: 'spec.title', message: 'taken' } },
      containment: { resource: PAGES, container: (object) => textIn(object, 'in'), field: 'spec.in', root: 'none' },
      references: (object) =>
        ['next', 'perhaps'].flatMap((name) => {
          const to = textIn(object, name);
          if (to === undefined) return [];
          return [
            {
              resource: PAGES,
              namespace: 'default',
              name: to,
              field: `spec.${name}`,
              ...(name === 'perhaps' && { optional: true }),
            },
          ];
        }),
      generationCounts: ({ metadata }) => [metadata.annotations?.['place']],
    },
  },
);

export const USER: UserInfo = { name: 'ann', uid: 'anns', groups: [], extra: {} };
export const EARLY = '2001-01-01T00:00:00Z';
export const NOW = '2001-01-01T00:00:09Z';

export function page(name: string, spec: Spec = {}, metadata: Partial<ObjectMeta> = {}): KubeObject {
  return {
    apiVersion: PAGE.apiVersion,
    kind: 'Page',
    metadata: { name, namespace: 'default', uid: `${name}s`, ...metadata },
    spec,
  };
}

export const TERMINATING = { deletionTimestamp: EARLY, finalizers: ['f/f'] };
const READER = readerOf([
  [PAGE, page('first', { title: 'First' })],
  [PAGE, page('second')],
  [PAGE, page('going', {}, TERMINATING)],
]);

export function context(more: Partial<WriteContext> = {}): WriteContext {
  const none = (): undefined => undefined;
  return {
    reader: READER,
    user: USER,
    namespace: 'default',
    now: NOW,
    grants: none,
    visible: none,
    ...more,
  };
}

export const created = (sent: KubeObject, more?: Partial<WriteContext>, kind: Kind = PAGE): KubeObject =>
  prepareForCreate(kind, sent, { name: 'new', uid: 'made' }, context(more));
export const OWN = {
  'svc.app/createdBy': 'user:maker',
  'svc.app/updatedBy': 'user:maker',
  'svc.app/updatedTimestamp': EARLY,
};
export const STORED = page(
  'a',
  { title: 'A' },
  { annotations: OWN, creationTimestamp: EARLY, generation: 3, resourceVersion: '7' },
);
export const updated = (sent: KubeObject, old = STORED, more?: Partial<WriteContext>): KubeObject | undefined =>
  prepareForUpdate(PAGE, sent, old, context(more));
export const withSpec = (spec: Spec, object = STORED): KubeObject => ({ ...object, spec });
export const withMeta = (metadata: Partial<ObjectMeta>, object = STORED): KubeObject => ({
  ...object,
  metadata: { ...object.metadata, ...metadata },
});

/** The code of the refusal, with the fields that it names. */
export function refused(work: () => unknown): readonly unknown[] {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.code, ...(error.details?.causes ?? []).map(({ field }) => field)];
  }
  return [];
}
