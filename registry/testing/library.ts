import { z } from 'zod';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { applySubresources } from '../applyset/messages.js';
import { APPLIED_MEMBERS, APPLY_SET } from '../applyset/names.js';
import { APPLIED_INDEXERS, type AppliedSpec, setOf } from '../applyset/record.js';
import { ApplySetStatus } from '../applyset/status.js';
import type { KindIdentity } from '../kinds/definition/identity.js';
import { defineKind, type Kind, type KindDefinition, type Reference } from '../kinds/kind.js';
import { STORE_SCHEMA, StoreSchemaSpec } from '../upgrade/schema.js';
import { RETAINED, RETAINED_FIELDS, RETAINED_INDEXERS, type RetainedSpec } from '../write/retained.js';

const DOMAIN = 'svc.app';
export const SHELVES = 'shelves.library.svc.app';
export const BOOKS = 'books.library.svc.app';
export const WRITERS = 'writers.library.svc.app';

type Spec = Readonly<Record<string, string>>;
const textIn = ({ spec }: KubeObject, name: string): string | undefined => (spec as Spec | undefined)?.[name];

interface More extends Omit<KindDefinition<Spec>, 'identity'> {
  readonly identity: Partial<KindIdentity<Spec>> & Pick<KindIdentity<Spec>, 'kind' | 'resource'>;
}

function libraryKind({ identity, access, ...more }: More): Kind<Spec> {
  const action = (verb: string): readonly string[] => [`${identity.resource}:${verb}`];
  return defineKind(
    { domain: DOMAIN },
    {
      identity: {
        group: 'library',
        version: 'v1',
        singular: identity.kind.toLowerCase(),
        scope: 'Namespaced',
        description: 'A kind of a test.',
        spec: z.record(z.string(), z.string()),
        ...identity,
      },
      access: {
        permissions: {
          get: action('read'),
          create: action('create'),
          update: action('write'),
          delete: action('delete'),
          scopes: ({ metadata }) => [`${identity.resource}:uid:${metadata.name}`],
        },
        ...access,
      },
      ...more,
    },
  );
}

const onShelf = { resource: SHELVES, container: (object: KubeObject) => textIn(object, 'on'), field: 'spec.on' };

/** A book may be the sequel of another, be by a writer, and be like another that need not exist. */
function referencesOf(object: KubeObject): readonly Reference[] {
  const [after, by, like] = ['after', 'by', 'like'].map((name) => textIn(object, name));
  const book = { resource: BOOKS, namespace: object.metadata.namespace ?? '' };
  return [
    ...(after === undefined ? [] : [{ ...book, name: after, field: 'spec.after' }]),
    ...(by === undefined ? [] : [{ resource: WRITERS, namespace: '', name: by, field: 'spec.by' }]),
    ...(like === undefined ? [] : [{ ...book, name: like, field: 'spec.like', optional: true }]),
  ];
}

/** What the registry itself works with. */
function internalKinds() {
  const common = { group: 'internal', version: 'v1', description: 'A kind of a test.' } as const;
  const serving = { served: false } as const;
  const retained = defineKind<RetainedSpec>(
    { domain: DOMAIN },
    {
      identity: {
        ...common,
        kind: RETAINED,
        resource: 'retainedversions',
        singular: 'retainedversion',
        scope: 'Namespaced',
        spec: z.custom<RetainedSpec>().meta({ id: 'RetainedVersionSpec' }),
      },
      storage: { indexers: RETAINED_INDEXERS },
      serving: { ...serving, selectableFields: RETAINED_FIELDS },
    },
  );
  const records = defineKind<AppliedSpec>(
    { domain: DOMAIN },
    {
      identity: {
        ...common,
        kind: APPLIED_MEMBERS,
        resource: 'appliedmembers',
        singular: 'appliedmembers',
        scope: 'Namespaced',
        spec: z.custom<AppliedSpec>().meta({ id: 'AppliedMembersSpec' }),
      },
      storage: {
        indexers: APPLIED_INDEXERS,
        references: (object) => setOf(object, 'applysets.apply.svc.app'),
      },
      serving,
    },
  );
  const schema = defineKind<StoreSchemaSpec>(
    { domain: DOMAIN },
    {
      identity: {
        ...common,
        kind: STORE_SCHEMA,
        resource: 'storeschemas',
        singular: 'storeschema',
        scope: 'Cluster',
        spec: StoreSchemaSpec,
      },
      serving,
    },
  );
  return { retained, records, schema };
}

/** The kinds of a library, made anew, so that nothing is known of them before. */
export function library() {
  const namespace = libraryKind({
    identity: {
      group: '',
      kind: 'Namespace',
      resource: 'namespaces',
      scope: 'Cluster',
    },
    storage: { isNamespace: true },
  });
  const shelf = libraryKind({
    identity: {
      kind: 'Shelf',
      resource: 'shelves',
    },
    storage: { containment: { ...onShelf, root: 'floor' }, history: {}, trash: true },
  });
  const book = libraryKind({
    identity: {
      kind: 'Book',
      resource: 'books',
      status: z.record(z.string(), z.string()),
    },
    storage: { containment: onShelf, references: referencesOf, history: { versions: 3 } },
  });
  const writer = libraryKind({
    identity: { kind: 'Writer', resource: 'writers', scope: 'Cluster' },
  });
  /** There are too many slips for memory. A slip is about a book. */
  const slip = libraryKind({
    identity: {
      kind: 'Slip',
      resource: 'slips',
    },
    storage: {
      dependsOn: {
        resource: BOOKS,
        owner: (object) => {
          const [name, uid] = [textIn(object, 'of'), textIn(object, 'uid')];
          return name === undefined || uid === undefined ? undefined : { name, uid };
        },
      },
      expiry: {
        since: (object) => (textIn(object, 'at') === undefined ? undefined : Number(textIn(object, 'at'))),
        lasts: 1000,
      },
    },
  });
  /** Clients never see a lock. It is about a book. */
  const lock = libraryKind({
    identity: {
      kind: 'Lock',
      resource: 'locks',
    },
    storage: {
      references: (object) => {
        const name = textIn(object, 'of');
        return name === undefined ? [] : [{ resource: BOOKS, namespace: 'default', name, field: 'spec.of' }];
      },
    },
    serving: { served: false },
  });
  const set = libraryKind({
    identity: {
      group: 'apply',
      kind: APPLY_SET,
      resource: 'applysets',
      status: ApplySetStatus,
    },
    access: { hasOwnStatus: true },
    serving: { subresources: applySubresources('apply.svc.app') },
  });
  return { namespace, shelf, book, writer, slip, lock, set, ...internalKinds() };
}

export type Library = ReturnType<typeof library>;
